import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { searchKey, withoutSpaces, wordKey } from "../normalise.ts";
import type { TitleRecord } from "./records.ts";

/** Writes titles: new ones as they are, known ones where something is different. What is known is never erased. */

type Row = typeof titles.$inferInsert;
export type ImportCounts = { added: number; changed: number; unchanged: number };

const { genreBits, isMature, hasBanner, airsFrom, airsUntil, updatedAt, ...written } =
  getTableColumns(titles);
type Name = keyof typeof written;
const names = Object.keys(written) as Name[];

/** A title that is new, or the columns in which a known one is different. */
export type TitleChange = { malId: number; title: string; changed: "new" | string[] };

export async function writeTitles(
  transaction: Transaction,
  records: readonly TitleRecord[],
  { fillOnly, onChange }: { fillOnly: boolean; onChange: (change: TitleChange) => void },
): Promise<ImportCounts> {
  const known = await readKnown(transaction, records);
  const tally: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  const rows = new Map<number, Row>();
  for (const record of records) {
    const before = known.get(record.malId);
    const given = rowOf(record);
    const row = !before ? given : fillOnly ? merge(given, before) : merge(before, given);
    const changed = before ? differences(before, row) : "new";
    if (changed.length === 0) tally.unchanged += 1;
    else {
      tally[before ? "changed" : "added"] += 1;
      onChange({ malId: row.malId, title: row.title, changed });
      rows.set(row.malId, row);
      known.set(row.malId, row);
    }
  }
  // In one order everywhere, so that two imports at once wait for each other instead of locking each other out.
  const ordered = [...rows.values()].sort((a, b) => a.malId - b.malId);
  if (ordered.length > 0) await upsert(transaction, ordered);
  return tally;
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

const rowOf = ({ kind: _, ...title }: TitleRecord): Row => ({
  ...title,
  titleKey: searchKey(title.title),
  studioKeys: title.studios.map(wordKey),
});

const isUnknown = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** `row`, with what it does not know taken from `before`. */
function merge(before: Row, row: Row): Row {
  const kept = names.filter((name) => isUnknown(row[name])).map((name) => [name, before[name]]);
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
  for (let at = 0; at < aliases.length; at += maxAliases)
    await transaction.insert(titleAliases).values(aliases.slice(at, at + maxAliases));
}

/** A statement takes 65,535 values; a title may have a thousand names of five values each. */
const maxAliases = 5000;

/** One row a normalised name; of names that come out alike the first stands for all. */
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
