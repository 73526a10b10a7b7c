/** Pages that are asked for by their number. */

export type PageFacts = { total: number; page: number; lastPage: number; perPage: number };

/** A list without items has one empty page. */
export const lastPageOf = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

/** The page that an address names: the first one for a text that is no number, and `last` for a larger one. */
export const pageNumberIn = (text: string | null, last: number): number =>
  Math.min(last, Math.max(1, Number.parseInt(text ?? "", 10) || 1));

/** A page past the end is the last one. */
export function pageOf<Item>(
  items: readonly Item[],
  asked: { page: number; perPage: number },
): PageFacts & { items: Item[] } {
  const { perPage } = asked;
  const lastPage = lastPageOf(items.length, perPage);
  const page = Math.min(asked.page, lastPage);
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    total: items.length,
    page,
    lastPage,
    perPage,
  };
}
