/** The front door of the catalog: the functions that routes and other domain folders may use. */

export { currentStatus } from "./catalog-rows.server.ts";
export { getTitle } from "./details.server.ts";
export { getEpisode, listEpisodes, listTitlesWithSource, pageOfEpisode } from "./episodes.server.ts";
export { type ExportedTitle, exportCatalog, exportTitles } from "./export.server.ts";
export { externalLabel, externalUrl, parseExternalId } from "./external-ids/external-ids.ts";
export { readStudioNames } from "./filters.server.ts";
export type { RawRecord } from "./import/formats.ts";
export { importRecords } from "./import/import.server.ts";
export { type CatalogImportReport, isOfSomeUse } from "./import/import-report.ts";
export { openCatalogFile, readRecords, UnreadableCatalog } from "./import/read-source.server.ts";
export { fillTitleKeys } from "./import/title-keys.server.ts";
export {
  countTitles,
  findRandomTitle,
  type ListingQuery,
  listTitles,
  listTitlesById,
  maxPerPage,
} from "./listing.server.ts";
export { readNames } from "./name-list.ts";
export { searchKey, sortKey, withoutSpaces, wordKey } from "./normalise.ts";
export { listTitlesOnAir } from "./on-air.server.ts";
export { listSeasons } from "./seasons.server.ts";
export { suggestTitles } from "./suggestions.server.ts";
export { findCompany, listCompanies } from "./tags/companies.server.ts";
export { firstOwnNumber } from "./tags/tag-facts.ts";
export {
  type CountedTag,
  listCountedTags,
  readTagNumbers,
  type TagNumberOf,
} from "./tags/tag-index.server.ts";
export { numberFirstTags } from "./tags/tags.server.ts";
export {
  catalogVersion,
  changeCatalog,
  onCatalogChange,
  rememberPerVersion,
  watchCatalog,
} from "./version.server.ts";
export {
  findHiddenTitle,
  hideTitle,
  listHiddenTitles,
  unhideTitle,
} from "./visibility/hidden-titles.server.ts";
export {
  anybody,
  catalogKeeper,
  createViewer,
  listGenresFor,
  listRatingsFor,
  unrestricted,
  type Viewer,
  viewerKey,
  visibleTo,
} from "./visibility/viewer.server.ts";
