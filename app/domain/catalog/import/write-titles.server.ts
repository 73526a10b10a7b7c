import { inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { searchKey, withoutSpaces } from "../normalise.ts";
import type { TitleSource } from "../records/sources.ts";
import { idsOf, mergeRecords, type TitleFields } from "../records/title-fields.ts";
import { RecordSet, type Row, rowOf, writtenColumns } from "../records/title-records.server.ts";
import { type TakenId, writeIds } from "./write-ids.server.ts";

/** Writes what a source says of titles, and the rows that all records of these titles make. */

export type ImportCounts = { added: number; changed: number; unchanged: number };

type Name = keyof typeof writtenColumns;
const names = Object.keys(writtenColumns) as Name[];

/** A new title, or the changed columns of a known title. */
export type TitleChange = { malId: number; title: string; changed: "new" | string[] };
/** What one source says of a title. */
export type TitleWord = { malId: number; source: TitleSource; fields: TitleFields };

export async function writeTitles(
  transaction: Transaction,
  words: readonly TitleWord[],
  onChange: (change: TitleChange) => void = () => {},
): Promise<ImportCounts & { taken: TakenId[] }> {
  const known = await readKnown(transaction, words);
  const records = await RecordSet.read(transaction, known);
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  const rows = new Map<number, Row>();
  const ids = new Map<number, ReturnType<typeof idsOf>>();
  for (const { malId, source, fields } of words) {
    const before = known.get(malId);
    const isNews = records.add(malId, source, fields);
    if (before && !isNews && !fields.externalIds) {
      counts.unchanged += 1;
      continue;
    }
    const merged = mergeRecords(records.of(malId));
    // Also without news: the id that another title had can be free by now.
    if (merged.externalIds) ids.set(malId, idsOf(merged));
    const row = rowOf(malId, merged);
    const changed = before ? differences(before, row) : "new";
    if (changed.length === 0) counts.unchanged += 1;
    else {
      counts[before ? "changed" : "added"] += 1;
      onChange({ malId, title: row.title, changed });
      rows.set(malId, row);
      known.set(malId, row);
    }
  }
  // Every import locks rows in the order of their ids. Two imports at once would otherwise deadlock.
  const ordered = [...rows.values()].sort((a, b) => a.malId - b.malId);
  if (ordered.length > 0) await upsert(transaction, ordered);
  await records.write(transaction);
  const written = await writeIds(transaction, ids);
  for (const malId of written.changed) {
    const row = known.get(malId);
    if (rows.has(malId) || !row) continue;
    counts.unchanged -= 1;
    counts.changed += 1;
    onChange({ malId, title: row.title, changed: ["external_ids"] });
  }
  return { ...counts, taken: written.taken };
}

async function readKnown(transaction: Transaction, words: readonly TitleWord[]) {
  const ids = words.map(({ malId }) => malId);
  const rows = await transaction
    .select(writtenColumns)
    .from(titles)
    .where(inArray(titles.malId, ids))
    .orderBy(titles.malId)
    .for("update");
  return new Map<number, Row>(rows.map((row) => [row.malId, row]));
}

const differences = (before: Row, row: Row) =>
  names
    .filter((name) => comparable(before[name]) !== comparable(row[name]))
    .map((name) => writtenColumns[name].name);

function comparable(value: unknown) {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? value.join("\0") : value;
}

async function upsert(transaction: Transaction, rows: Row[]) {
  const set = Object.fromEntries(
    names.map((name): [Name, SQL] => [name, sql.raw(`excluded.${writtenColumns[name].name}`)]),
  );
  await transaction
    .insert(titles)
    .values(rows)
    .onConflictDoUpdate({ target: titles.malId, set: { ...set, updatedAt: sql`now()` } });
  await transaction.delete(titleAliases).where(
    inArray(
      titleAliases.malId,
      rows.map((row) => row.malId),
    ),
  );
  const aliases = rows.flatMap(aliasesOf);
  for (let at = 0; at < aliases.length; at += maxAliasesPerInsert)
    await transaction.insert(titleAliases).values(aliases.slice(at, at + maxAliasesPerInsert));
}

/** PostgreSQL accepts 65,535 parameters per statement. A title can have 1,000 names with five parameters each. */
const maxAliasesPerInsert = 5000;

/** One row per key. Of several names with the same key, the first is kept. */
function aliasesOf(row: Row): (typeof titleAliases.$inferInsert)[] {
  const found = new Map<string, typeof titleAliases.$inferInsert>();
  const add = (kind: "title" | "english" | "japanese" | "synonym", alias: string | null | undefined) => {
    const key = alias ? searchKey(alias) : "";
    if (alias && key !== "" && !found.has(key))
      found.set(key, { malId: row.malId, key, joined: withoutSpaces(key), kind, alias });
  };
  add("title", row.title);
  add("english", row.titleEnglish);
  add("japanese", row.titleJapanese);
  for (const synonym of row.titleSynonyms ?? []) add("synonym", synonym);
  return [...found.values()];
}
