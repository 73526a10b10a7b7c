import { maxOpenWishes, type WishState } from "#app/domain/library/library.server.ts";
import type { WishView } from "#app/ui/forms/wish.tsx";

/** The words and the button of a wish for a title or an episode. */
export function toWish({ isWished, canWish, episode }: WishState): WishView {
  const wished = episode === null ? "this title" : `episode ${episode}`;
  if (isWished)
    return {
      episode,
      note: `You wished for ${wished}. The home page shows it when it can be watched here.`,
      button: { intent: "take-back", label: "Take the wish back" },
    };
  if (canWish) return { episode, note: null, button: { intent: "wish", label: `Wish for ${wished}` } };
  return {
    episode,
    note: `You have ${maxOpenWishes} open wishes, which is the most. Take one back to wish for ${wished}.`,
    button: null,
  };
}
