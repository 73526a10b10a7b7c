import { firstMalIdOfEngawa } from "#app/domain/catalog/catalog.ts";
import type { CatalogRecord } from "#app/domain/catalog-import/catalog-import.ts";

/**
 * True if a record refers to an id that MyAnimeList never assigns. Such ids belong to titles of a single installation,
 * so a feed's record would be written into an unrelated title here.
 */
export const hasIdOutsideMyAnimeList = (record: CatalogRecord): boolean =>
  idsOf(record).some((malId) => malId !== null && malId >= firstMalIdOfEngawa);

function idsOf(record: CatalogRecord): (number | null)[] {
  if (record.kind === "about" || record.kind === "tag") return [];
  if (!("from" in record)) return [record.malId];
  return "to" in record ? [record.from, record.to] : [record.from];
}
