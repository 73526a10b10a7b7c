/** Pages that are asked for by their number. */

export type PageFacts = { total: number; page: number; lastPage: number; perPage: number };

/** A list without items has one empty page. */
export const lastPageOf = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

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
