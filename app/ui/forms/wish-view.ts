import type { WishView } from "./wish.tsx";

/** `most`: the limit of open wishes. */
export function toWish(
  { isWished, canWish }: { isWished: boolean; canWish: boolean },
  most: number,
): WishView {
  if (isWished)
    return {
      note: "You wished for this title. The home page shows it when it can be watched here.",
      button: { intent: "take-back", label: "Take the wish back" },
    };
  if (canWish) return { note: null, button: { intent: "wish", label: "Wish for this title" } };
  return {
    note: `You have ${most} open wishes, which is the most. Take one back to wish for this title.`,
    button: null,
  };
}
