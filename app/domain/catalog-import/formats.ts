import type { JsonObject } from "#app/platform/foreign-json.ts";
import { idsOfMappings, isIdMapping } from "./id-mappings.ts";
import { fromJikan, isJikan, relationsOfJikan } from "./jikan.ts";
import {
  fromOfflineDatabase,
  isOfflineDatabase,
  isOfflineDatabaseHead,
  relatedOfOfflineDatabase,
} from "./offline-database.ts";
import type { TitleSource } from "./records/sources.ts";
import { type CatalogRecord, parseRecord } from "./records.ts";

/** Recognises the format of an object by its fields and converts it to Engawa's records. */

export type RawRecord =
  | { where: string; source: TitleSource; record: CatalogRecord }
  | { where: string; rejected: string };
/** Its `reached` is called when all records before it are imported, so that the reader knows where to continue. */
export type Checkpoint = { reached: () => Promise<unknown> };

export function* recordsOf(value: JsonObject, where: string): Generator<RawRecord> {
  if (isOfflineDatabaseHead(value)) return;
  const { source, values } = toOwnFields(value);
  yield* parsedRecords(values, source, where);
}

export function* parsedRecords(
  values: readonly JsonObject[],
  source: TitleSource,
  where: string,
): Generator<RawRecord> {
  for (const one of values) {
    const record = "rejected" in one ? one : parseRecord(one);
    yield "rejected" in record
      ? { where, rejected: String(record.rejected) }
      : { where, source, record: record as CatalogRecord };
  }
}

function toOwnFields(value: JsonObject): { source: TitleSource; values: JsonObject[] } {
  if ("kind" in value) return { source: "file", values: [value] };
  if (isOfflineDatabase(value))
    return {
      source: "offline-database",
      values: [fromOfflineDatabase(value), ...relatedOfOfflineDatabase(value)],
    };
  if (isIdMapping(value)) return { source: "anime-lists", values: idsOfMappings(value) };
  if (isJikan(value)) return { source: "jikan", values: [fromJikan(value), ...relationsOfJikan(value)] };
  return { source: "file", values: [value] };
}
