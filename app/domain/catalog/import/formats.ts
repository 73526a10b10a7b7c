import { idsOfMappings, isIdMapping } from "./id-mappings.ts";
import { fromJikan, isJikan, relationsOfJikan } from "./jikan.ts";
import {
  fromOfflineDatabase,
  isOfflineDatabase,
  isOfflineDatabaseHead,
  relatedOfOfflineDatabase,
} from "./offline-database.ts";
import { type CatalogRecord, parseRecord } from "./records.ts";

/** Recognises the format of an object by its fields and converts it to Engawa's records. */

type Json = Record<string, unknown>;
export type RawRecord = { where: string; record: CatalogRecord } | { where: string; rejected: string };

export const isObjectRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function* recordsOf(value: Json, where: string): Generator<RawRecord> {
  if (isOfflineDatabaseHead(value)) return;
  yield* parsedRecords(toOwnFields(value), where);
}

export function* parsedRecords(values: readonly Json[], where: string): Generator<RawRecord> {
  for (const one of values) {
    const record = "rejected" in one ? one : parseRecord(one);
    yield "rejected" in record
      ? { where, rejected: String(record.rejected) }
      : { where, record: record as CatalogRecord };
  }
}

function toOwnFields(value: Json): Json[] {
  if ("kind" in value) return [value];
  if (isOfflineDatabase(value)) return [fromOfflineDatabase(value), ...relatedOfOfflineDatabase(value)];
  if (isIdMapping(value)) return idsOfMappings(value);
  return isJikan(value) ? [fromJikan(value), ...relationsOfJikan(value)] : [value];
}
