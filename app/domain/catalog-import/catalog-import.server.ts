/** The door of imports on the server: files and feeds become titles, and every field keeps the name of its source. */

export { type Checkpoint, type RawRecord, recordsOf } from "./formats.ts";
export { importRecords } from "./import.server.ts";
export { type CatalogImportReport, importedText, isAnythingRead, isOfSomeUse } from "./import-report.ts";
export { CatalogReadError, openCatalogFile, readRecords } from "./read-source.server.ts";
export {
  createEpisodes,
  type EpisodeFields,
  keepEpisodesBefore,
  listEpisodeRecords,
  mergeEpisodes,
} from "./records/episode-records.server.ts";
export {
  keepRelationsBefore,
  listRelating,
  mergeRelations,
  moveRelations,
} from "./records/relation-records.server.ts";
export { byRank, type TitleSource, termsOf } from "./records/sources.ts";
export {
  isUnknown,
  knownFields,
  mergeRecords,
  type ProtectedName,
  pictureNames,
  protectedNames,
  type SourcedFields,
  sourceOf,
  textNames,
} from "./records/title-fields.ts";
export { columnsWithout, fieldNames, listRecords, writtenColumns } from "./records/title-records.server.ts";
export { parseRecord } from "./records.ts";
export { seedStarterCatalog } from "./starter-catalog.server.ts";
export { listTags, numberFirstTags, numberTags } from "./tags/tags.server.ts";
export { fillTitleKeys } from "./title-keys.server.ts";
export { unpack } from "./unpack.server.ts";
export { type PlacedChild, writeChildren } from "./write-children.server.ts";
export { writeTitles } from "./write-titles.server.ts";
