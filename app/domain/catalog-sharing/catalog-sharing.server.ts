/** The door of catalog sharing: what other sites may read of this catalog, and whose data it is. */

export { type ChangePosition, openChanges } from "./changes.server.ts";
export { type DataSource, listCachedDataSources, listDataSources } from "./data-sources.server.ts";
export { type ExportedTitle, exportCatalog, exportTitles, sourceOnWire } from "./export.server.ts";
