import { inArray, sql } from "drizzle-orm";
import { indexKey } from "#app/domain/catalog/catalog.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { withoutSpaces } from "#app/domain/names/names.ts";
import type { Transaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { isAdult } from "./adult.ts";
import { listRelating } from "./records/relation-records.server.ts";
import type { TitleSource } from "./records/sources.ts";
import {
  idsOf,
  knownFields,
  mergeRecords,
  protectedNames,
  type TitleFields,
} from "./records/title-fields.ts";
import {
  fieldNames,
  fieldsWithout,
  RecordSet,
  rowOf,
  type TitleInsert,
  writtenColumns,
} from "./records/title-records.server.ts";
import type { AdultRecord, TitleRecord } from "./records.ts";
import { type TakenId, writeIds } from "./write-ids.server.ts";

/** Writes the records that sources have about titles, and the title rows merged from all records. */

export type ImportCounts = { added: number; changed: number; unchanged: number };
/** `touched` has the titles with any change, even if only a record changed and the row did not. */
export type WriteCounts = ImportCounts & { touched: Set<number> };

/**
 * The key is left out. An update that names it locks the row like a deletion, and members' lists could not refer to the
 * title until the import's transaction ends.
 */
const { malId: _key, ...updatedColumns } = writtenColumns;
type Name = keyof typeof updatedColumns;
const names = Object.keys(updatedColumns) as Name[];
const spellings = ["title", "titleEnglish", "titleJapanese", "titleSynonyms"] as const;

/** A new title, or the changed columns of a known title. */
export type TitleChange = { malId: number; title: string; changed: "new" | string[] };
/**
 * One source's data about a title. `isWhole`: fields that the record lacks are deleted. `isForKnown`: the record is
 * skipped if the catalog does not have the title.
 */
export type SourcedTitle = {
  malId: number;
  source: TitleSource;
  fields: TitleFields;
  isWhole?: boolean;
  isForKnown?: boolean;
};
type TitleWriteResult = WriteCounts & { taken: TakenId[]; leftOut: Set<number> };

/**
 * Splits a title record by source. Texts that an Engawa export attributes to another source are stored under that
 * source.
 */
export function splitBySource(record: TitleRecord, source: TitleSource): SourcedTitle[] {
  const { malId, textsFrom } = record;
  const fields = { ...fieldsWithout(record.none ?? []), ...knownFields(record, fieldNames) };
  const others = new Map<TitleSource, TitleFields>();
  for (const name of protectedNames) {
    const from = source === "file" ? textsFrom?.[name] : undefined;
    // A file must not write the operator's record, which no import changes.
    if (from === undefined || from === source || from === "operator" || fields[name] === undefined) continue;
    others.set(from, { ...others.get(from), [name]: fields[name] });
    delete fields[name];
  }
  return [
    ...[...others].map(([from, texts]) => ({ malId, source: from, fields: texts })),
    { malId, source, fields },
  ];
}

/** Turns an adult record into an update of rating and genres. The source's other fields stay. */
export const toAdultTitle = (record: AdultRecord, source: TitleSource): SourcedTitle => ({
  malId: record.malId,
  source,
  fields: knownFields(record, ["rating", "genres"]),
  isWhole: false,
  isForKnown: true,
});

export async function writeTitles(
  transaction: Transaction,
  sourced: readonly SourcedTitle[],
  onChange: (change: TitleChange) => void = () => {},
): Promise<TitleWriteResult> {
  const stored = await readRows(transaction, sourced);
  const known = new Map(stored);
  const records = await RecordSet.read(transaction, known);
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  const rows = new Map<number, TitleInsert>();
  const ids = new Map<number, ReturnType<typeof idsOf>>();
  const touched = new Set<number>();
  const withNewVisibility = new Set<number>();
  const leftOut = new Set<number>();
  for (const title of sourced) {
    const { malId } = title;
    const before = known.get(malId);
    if (!before && title.isForKnown) {
      leftOut.add(malId);
      continue;
    }
    const isNews = records.add(malId, title);
    if (before && !isNews && !title.fields.externalIds) {
      counts.unchanged += 1;
      continue;
    }
    if (isNews) touched.add(malId);
    const merged = mergeRecords(records.of(malId));
    // Also for unchanged records: an id that another title held may be free by now.
    if (merged.externalIds) ids.set(malId, idsOf(merged));
    const row = rowOf(malId, merged);
    const changed = before ? differences(before, row) : "new";
    if (changed.length === 0) counts.unchanged += 1;
    else {
      counts[before ? "changed" : "added"] += 1;
      onChange({ malId, title: row.title, changed });
      if (before && isAdult(before) !== isAdult(row)) withNewVisibility.add(malId);
      rows.set(malId, row);
      known.set(malId, row);
    }
  }
  // Every import locks rows in the order of their ids. Otherwise two concurrent imports would deadlock.
  const ordered = [...rows.values()].sort((a, b) => a.malId - b.malId);
  if (ordered.length > 0) await upsert(transaction, ordered);
  const renamed = ordered.filter((row) => isRenamed(stored.get(row.malId), row));
  if (renamed.length > 0) await writeAliases(transaction, renamed);
  await records.write(transaction);
  const written = await writeIds(transaction, ids);
  for (const malId of [...written.changed, ...rows.keys()]) touched.add(malId);
  for (const malId of written.changed) {
    const row = known.get(malId);
    if (rows.has(malId) || !row) continue;
    counts.unchanged -= 1;
    counts.changed += 1;
    onChange({ malId, title: row.title, changed: ["external_ids"] });
  }
  for (const malId of await listRelating(transaction, withNewVisibility)) touched.add(malId);
  return { ...counts, touched, taken: written.taken, leftOut };
}

async function readRows(transaction: Transaction, sourced: readonly SourcedTitle[]) {
  const ids = malIdsOf(sourced);
  const rows = await transaction
    .select(writtenColumns)
    .from(titles)
    .where(inArray(titles.malId, ids))
    .orderBy(titles.malId)
    .for("no key update");
  return new Map<number, TitleInsert>(rows.map((row) => [row.malId, row]));
}

const isRenamed = (before: TitleInsert | undefined, row: TitleInsert) =>
  !before || spellings.some((name) => comparable(before[name]) !== comparable(row[name]));

const differences = (before: TitleInsert, row: TitleInsert) =>
  names
    .filter((name) => comparable(before[name]) !== comparable(row[name]))
    .map((name) => updatedColumns[name].name);

function comparable(value: unknown) {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? value.join("\0") : value;
}

async function upsert(transaction: Transaction, rows: TitleInsert[]) {
  const set = names.map(
    (name) =>
      sql`${sql.identifier(updatedColumns[name].name)} = excluded.${sql.identifier(updatedColumns[name].name)}`,
  );
  await transaction.execute(
    insertRows(
      titles,
      rows,
      sql`on conflict (mal_id) do update set ${sql.join(set, sql`, `)}, updated_at = now()`,
    ),
  );
}

/** Called only for titles whose names changed, because the alias indexes make these the slowest rows of an import. */
async function writeAliases(transaction: Transaction, rows: TitleInsert[]) {
  await transaction.delete(titleAliases).where(inArray(titleAliases.malId, malIdsOf(rows)));
  const aliases = rows.flatMap(aliasesOf);
  if (aliases.length > 0) await transaction.execute(insertRows(titleAliases, aliases));
}

/** One row per key. If several names have the same key, the first is kept. */
function aliasesOf(row: TitleInsert): (typeof titleAliases.$inferInsert)[] {
  const aliases = new Map<string, typeof titleAliases.$inferInsert>();
  const add = (kind: "title" | "english" | "japanese" | "synonym", alias: string | null | undefined) => {
    const key = alias ? indexKey(alias) : "";
    if (alias && key !== "" && !aliases.has(key))
      aliases.set(key, { malId: row.malId, key, joined: withoutSpaces(key), kind, alias });
  };
  add("title", row.title);
  add("english", row.titleEnglish);
  add("japanese", row.titleJapanese);
  for (const synonym of row.titleSynonyms ?? []) add("synonym", synonym);
  return [...aliases.values()];
}
