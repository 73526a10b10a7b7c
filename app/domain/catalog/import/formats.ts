import { fromJikan, isJikan, relationsOfJikan } from "./jikan.ts";
import { fromOfflineDatabase, isOfflineDatabase, isOfflineDatabaseHead } from "./offline-database.ts";
import { type CatalogRecord, parseRecord } from "./records.ts";

/** Tells by its looks which of the known formats an object is in, and makes it records of ours. */

type Json = Record<string, unknown>;
export type RawRecord = { where: string; record: CatalogRecord } | { where: string; rejected: string };

export const isObjectRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function* recordsOf(value: Json, where: string): Generator<RawRecord> {
  if (isOfflineDatabaseHead(value)) return;
  for (const one of inOurFields(value)) {
    const record = "rejected" in one ? one : parseRecord(one);
    yield "rejected" in record
      ? { where, rejected: String(record.rejected) }
      : { where, record: record as CatalogRecord };
  }
}

function inOurFields(value: Json): Json[] {
  if ("kind" in value) return [value];
  if (isOfflineDatabase(value)) return [fromOfflineDatabase(value)];
  return isJikan(value) ? [fromJikan(value), ...relationsOfJikan(value)] : [value];
}
