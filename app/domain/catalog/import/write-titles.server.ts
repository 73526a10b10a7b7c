import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { searchKey, sortKey, withoutSpaces, wordKey } from "../normalise.ts";
import type { TitleRecord } from "./records.ts";
import { mergeIds, readIds, type TakenId, writeIds } from "./write-ids.server.ts";

/** Writes new titles and updates known ones that differ. A missing value in the input never erases a stored one. */

type Row = typeof titles.$inferInsert;
export type ImportCounts = { added: number; changed: number; unchanged: number };

const { genreBits, isMature, hasBanner, airsFrom, airsUntil, updatedAt, hiddenAt, ...written } =
  getTableColumns(titles);
type Name = keyof typeof written;
const names = Object.keys(written) as Name[];

/** A new title, or the changed columns of a known title. */
export type TitleChange = { malId: number; title: string; changed: "new" | string[] };

export async function writeTitles(
  transaction: Transaction,
  records: readonly TitleRecord[],
  { fillOnly, onChange }: { fillOnly: boolean; onChange: (change: TitleChange) => void },
): Promise<ImportCounts & { taken: TakenId[] }> {
  const known = await readKnown(transaction, records);
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  const rows = new Map<number, Row>();
  for (const record of records) {
    const before = known.get(record.malId);
    const imported = rowOf(record);
    const row = !before ? imported : fillOnly ? merge(imported, before) : merge(before, imported);
    const changed = before ? differences(before, row) : "new";
    if (changed.length === 0) counts.unchanged += 1;
    else {
      counts[before ? "changed" : "added"] += 1;
      onChange({ malId: row.malId, title: row.title, changed });
      rows.set(row.malId, row);
      known.set(row.malId, row);
    }
  }
  // Every import locks rows in the order of their ids. Two imports at once would otherwise deadlock.
  const ordered = [...rows.values()].sort((a, b) => a.malId - b.malId);
  if (ordered.length > 0) await upsert(transaction, ordered);
  const ids = await writeImportedIds(transaction, records, fillOnly);
  for (const malId of ids.changed) {
    const row = known.get(malId);
    if (rows.has(malId) || !row) continue;
    counts.unchanged -= 1;
    counts.changed += 1;
    onChange({ malId, title: row.title, changed: ["external_ids"] });
  }
  return { ...counts, taken: ids.taken };
}

async function writeImportedIds(
  transaction: Transaction,
  records: readonly TitleRecord[],
  fillOnly: boolean,
) {
  const imported = new Map(
    records.filter(({ externalIds }) => externalIds.length > 0).map((one) => [one.malId, one.externalIds]),
  );
  const wanted = await readIds(transaction, [...imported.keys()]);
  for (const [malId, ids] of imported) {
    const known = wanted.get(malId) ?? [];
    wanted.set(malId, fillOnly ? mergeIds(ids, known) : mergeIds(known, ids));
  }
  return writeIds(transaction, wanted);
}

async function readKnown(transaction: Transaction, records: readonly TitleRecord[]) {
  const ids = records.map((record) => record.malId);
  const rows = await transaction
    .select(written)
    .from(titles)
    .where(inArray(titles.malId, ids))
    .orderBy(titles.malId)
    .for("update");
  return new Map<number, Row>(rows.map((row) => [row.malId, row]));
}

const rowOf = ({ kind: _kind, externalIds: _ids, ...title }: TitleRecord): Row => ({
  ...title,
  titleKey: sortKey(title.title),
  studioKeys: title.studios.map(wordKey),
});

const isUnknown = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** Returns `row`, with its unknown values taken from `fallback`. */
function merge(fallback: Row, row: Row): Row {
  const kept = names.filter((name) => isUnknown(row[name])).map((name) => [name, fallback[name]]);
  return { ...row, ...Object.fromEntries(kept) };
}

const differences = (before: Row, row: Row) =>
  names
    .filter((name) => comparable(before[name]) !== comparable(row[name]))
    .map((name) => written[name].name);

function comparable(value: unknown) {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? value.join("\0") : value;
}

async function upsert(transaction: Transaction, rows: Row[]) {
  const set = Object.fromEntries(
    names.map((name): [Name, SQL] => [name, sql.raw(`excluded.${written[name].name}`)]),
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
