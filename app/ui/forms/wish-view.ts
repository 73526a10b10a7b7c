import type { WishView } from "./wish.tsx";

type WishFacts = {
  isWished: boolean;
  canWish: boolean;
  /** Null in a wish for the title. */
  episode: number | null;
};

export function toWish({ isWished, canWish, episode }: WishFacts, maxOpen: number): WishView {
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
    note: `You have ${maxOpen} open wishes, which is the most. Take one back to wish for ${wished}.`,
    button: null,
  };
}
