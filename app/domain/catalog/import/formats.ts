import { fromJikan, isJikan, relationsOfJikan } from "./jikan.ts";
import { fromOfflineDatabase, isOfflineDatabase, isOfflineDatabaseHead } from "./offline-database.ts";
import { type CatalogRecord, parseRecord } from "./records.ts";

/** Recognises the format of an object by its fields and converts it to Engawa's records. */

type Json = Record<string, unknown>;
export type RawRecord = { where: string; record: CatalogRecord } | { where: string; rejected: string };

export const isObjectRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function* recordsOf(value: Json, where: string): Generator<RawRecord> {
  if (isOfflineDatabaseHead(value)) return;
  for (const one of toOwnFields(value)) {
    const record = "rejected" in one ? one : parseRecord(one);
    yield "rejected" in record
      ? { where, rejected: String(record.rejected) }
      : { where, record: record as CatalogRecord };
  }
}

function toOwnFields(value: Json): Json[] {
  if ("kind" in value) return [value];
  if (isOfflineDatabase(value)) return [fromOfflineDatabase(value)];
  return isJikan(value) ? [fromJikan(value), ...relationsOfJikan(value)] : [value];
}
