/** The public entry point for sharing this catalog with other sites. */

export { type ChangePosition, openChanges } from "./changes.server.ts";
export { type DataSource, listCachedDataSources, listDataSources } from "./data-sources.server.ts";
export { type ExportedTitle, exportCatalog, exportTitles, sourceOnWire } from "./export.server.ts";
