/** For each number of columns that a grid of cards can have by its width, the numbers to try if a card is alone in its last row. */
const otherColumns = [
  [2, []],
  [3, [2]],
  [4, [3, 5]],
  [5, [4, 6]],
  [6, [5, 7]],
  [7, [6, 8]],
  [8, [7, 9]],
] as const;

const isAlone = (cards: number, columns: number) => cards > columns && cards % columns === 1;

/**
 * What card.css does at each width so that no card is alone in the last row: "5-4" has four columns where there would be five,
 * and "3-wide" lets the last card fill the row. This comes with the page: a browser that has only a part of the cards cannot
 * know their number yet, and columns that change while a page loads shift it.
 */
export const lonelyCardAt = (cards: number) =>
  otherColumns
    .filter(([columns]) => isAlone(cards, columns))
    .map(([columns, others]) => `${columns}-${others.find((other) => !isAlone(cards, other)) ?? "wide"}`)
    .join(" ");
