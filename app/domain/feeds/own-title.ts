import { firstMalIdOfEngawa } from "#app/domain/catalog/catalog.ts";
import type { CatalogRecord } from "#app/domain/catalog-import/catalog-import.ts";

/**
 * True if a record refers to a number that MyAnimeList never assigns. Such numbers belong to titles of a single
 * installation, so a feed's record would be written into an unrelated title here.
 */
export const isAboutOwnTitle = (record: CatalogRecord): boolean => numbersOf(record).some(isOwn);

const isOwn = (malId: number | null) => malId !== null && malId >= firstMalIdOfEngawa;

function numbersOf(record: CatalogRecord): (number | null)[] {
  if (record.kind === "about" || record.kind === "tag") return [];
  if (!("from" in record)) return [record.malId];
  return "to" in record ? [record.from, record.to] : [record.from];
}
