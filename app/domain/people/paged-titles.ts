/** Pages of the titles of a person or a character. */

export type PageFacts = { total: number; page: number; lastPage: number; perPage: number };

/** A page past the end is the last one. */
export function pageOf(ids: readonly number[], requestedPage: number, perPage: number) {
  const lastPage = Math.max(1, Math.ceil(ids.length / perPage));
  const page = Math.min(requestedPage, lastPage);
  return {
    idsOfPage: ids.slice((page - 1) * perPage, page * perPage),
    total: ids.length,
    page,
    lastPage,
    perPage,
  };
}
