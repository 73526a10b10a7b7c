import { firstOwnMalId } from "#app/domain/catalog/catalog.ts";
import type { CatalogRecord } from "#app/domain/catalog-import/catalog-import.ts";

/**
 * Whether a record is about, or leads to, a number that MyAnimeList never gives: titles of one installation alone have it. From a
 * feed it would be written into a title of this one.
 */
export const isAboutOwnTitle = (record: CatalogRecord): boolean => numbersOf(record).some(isOwn);

const isOwn = (malId: number | null) => malId !== null && malId >= firstOwnMalId;

function numbersOf(record: CatalogRecord): (number | null)[] {
  if (record.kind === "about" || record.kind === "tag") return [];
  if (!("from" in record)) return [record.malId];
  return "to" in record ? [record.from, record.to] : [record.from];
}
