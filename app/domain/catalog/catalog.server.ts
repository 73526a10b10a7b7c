/** The front door of the catalog: the functions that routes and other domain folders may use. */

export { currentStatus, isAnnounced } from "./catalog-rows.server.ts";
export { getTitle } from "./details.server.ts";
export { editTitle, type FieldEdit, undoEdit } from "./editing/edit-title.server.ts";
export {
  type EditedField,
  episodeField,
  type FieldState,
  parseField,
  pictureWord,
  relationField,
} from "./editing/edited-fields.server.ts";
export {
  type EditedEpisode,
  type EditedRelation,
  type EditedTitle,
  getEditedTitle,
  type ListedEdit,
  listEditedEpisodes,
  listEditedRelations,
  listEdits,
  type ShownField,
} from "./editing/edited-title.server.ts";
export { listNewPictures } from "./editing/new-pictures.server.ts";
export { createOwnTitle, lockTitles, replaceTitle } from "./editing/own-titles.server.ts";
export { findReplacement } from "./editing/redirects.server.ts";
export {
  readTextField,
  type TextFieldName,
  textFieldNames,
  textFields,
  tidyText,
} from "./editing/text-fields.ts";
export { getEpisode, listEpisodes, pageOfEpisode } from "./episodes.server.ts";
export { type ExportedTitle, exportCatalog, exportTitles, sourceOnWire } from "./export.server.ts";
export {
  externalIdOfUrl,
  externalLabel,
  externalUrl,
  formatExternalId,
  parseExternalId,
} from "./external-ids/external-ids.ts";
export { listStudios, readStudioNames } from "./filters.server.ts";
export { type Checkpoint, type RawRecord, recordsOf } from "./import/formats.ts";
export { importRecords } from "./import/import.server.ts";
export { type CatalogImportReport, isOfSomeUse } from "./import/import-report.ts";
export { openCatalogFile, readRecords, UnreadableCatalog } from "./import/read-source.server.ts";
export { type CatalogRecord, parseRecord } from "./import/records.ts";
export { fillTitleKeys } from "./import/title-keys.server.ts";
export { unpack } from "./import/unpack.server.ts";
export {
  countTitles,
  findRandomTitle,
  type ListingQuery,
  listSharedTitles,
  listSharedTitlesById,
  listTitles,
  listTitlesById,
  maxPerPage,
} from "./listing.server.ts";
export { readNames } from "./name-list.ts";
export { searchKey, sortKey, withoutSpaces, wordKey } from "./normalise.ts";
export { listTitlesOnAir } from "./on-air.server.ts";
export { type TitleSource, termsOf } from "./records/sources.ts";
export { firstOfEachFranchise, listFranchise, listRelations } from "./relations.server.ts";
export {
  findTitlesHolding,
  findTitlesNamed,
  findTitlesWithIds,
  type IdentifiedTitle,
  listNamesOf,
  type NamedTitle,
} from "./search/named-titles.server.ts";
export { suggestTitles } from "./search/suggestions.server.ts";
export { listSeasons } from "./seasons.server.ts";
export { getSharedTitle } from "./shared-title.server.ts";
export { type ChangePosition, openChanges } from "./sharing/changes.server.ts";
export {
  type DataSource,
  listCachedDataSources,
  listDataSources,
} from "./sharing/data-sources.server.ts";
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
  findCatalogIdentity,
  onCatalogChange,
  rememberPerVersion,
  renewCatalogIdentity,
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
  commonViewer,
  createViewer,
  isPlayableSource,
  isShownFilm,
  listGenresFor,
  listRatingsFor,
  seesFilesOfNoTitle,
  seesFilms,
  unrestricted,
  type Viewer,
  viewerKey,
  visibleTo,
} from "./visibility/viewer.server.ts";
