/** For each number of columns that fits a grid's width: the alternatives if one card would be alone in the last row. */
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
 * Names the rule of card.css that keeps a card from being alone in the last row, for each width. "5-4" shows four
 * columns where five would fit, and "3-wide" lets the last card fill the row. The server sends it with the page: while
 * the page loads, a browser does not know the number of cards, and columns that change later would shift the layout.
 */
export const lonelyCardAt = (cards: number) =>
  otherColumns
    .filter(([columns]) => isAlone(cards, columns))
    .map(([columns, others]) => `${columns}-${others.find((other) => !isAlone(cards, other)) ?? "wide"}`)
    .join(" ");
