/** As many columns as a grid of cards can have. */
const columnCounts = [2, 3, 4, 5, 6, 7, 8];

/**
 * The numbers of columns with which the last row of so many cards would be one card alone. card.css takes one less then. This
 * comes with the page: a browser that has only a part of the cards cannot know their number yet, and columns that change
 * while a page loads shift it.
 */
export const lonelyCardAt = (cards: number) =>
  columnCounts.filter((columns) => cards > columns && cards % columns === 1).join(" ");
