export type { FieldName, TitleFields } from "./records/title-fields.ts";
export { type CatalogRecord, titleFields } from "./records.ts";
