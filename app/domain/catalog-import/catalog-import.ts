/** The door of imports for code that also runs in browsers: the fields of a record. */

export type { FieldName, TitleFields } from "./records/title-fields.ts";
export { type CatalogRecord, titleFields } from "./records.ts";
