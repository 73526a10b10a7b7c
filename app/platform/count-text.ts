/** A number with its noun: "1 title", "2,000 titles". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
