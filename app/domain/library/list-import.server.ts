import { and, desc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { importUndos, watchList } from "#db/schema/library.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import { isSameEntry, joinRepeated, type ListEntry, type MergeOptions, mergeEntries } from "./list-entry.ts";
import type { ListFile, UnplacedEntry } from "./list-file.ts";

/** Brings a list file into a user's list: said first, done as one, taken back as one. */

type Named = { mal_id: number; title: string };
type Told = Pick<ListEntry, "type" | "progress" | "score">;
export type ImportReport = {
  added: (Named & Told)[];
  changed: (Named & { before: Told; after: Told })[];
  unchanged: Named[];
  unmatched: UnplacedEntry[];
  /** Takes the import back; null in a preview, and where nothing changed. */
  undo: string | null;
};

type ImportOptions = MergeOptions & { preview: boolean };
type Step = { title: string; before: ListEntry | null; after: ListEntry };

const undosKept = 5;

export async function importList(
  userId: string,
  file: ListFile,
  options: ImportOptions,
): Promise<ImportReport> {
  if (options.preview) {
    const { steps, unmatched } = await planImport(db, userId, file, options);
    return { ...tell(steps), unmatched, undo: null };
  }
  return withTransaction(async (transaction) => {
    await lockLists(transaction, userId);
    const { steps, unmatched } = await planImport(transaction, userId, file, options);
    const writes = steps.filter(({ before, after }) => before === null || !isSameEntry(before, after));
    const undo = writes.length === 0 ? null : await rememberUndo(transaction, userId, writes);
    await writeEntries(
      transaction,
      userId,
      writes.map(({ after }) => after),
    );
    return { ...tell(steps), unmatched, undo };
  });
}

type Reader = Pick<Transaction, "select">;

async function planImport(reader: Reader, userId: string, file: ListFile, how: MergeOptions) {
  const entries = joinRepeated(file.entries);
  const ids = entries.map(({ malId }) => malId);
  const [known, own] = [await findTitles(reader, ids), await findOwn(reader, userId, ids)];
  const steps: Step[] = [];
  const unmatched = [...file.unplaced];
  for (const entry of entries) {
    const title = known.get(entry.malId);
    const before = own.get(entry.malId) ?? null;
    if (title === undefined)
      unmatched.push({ mal_id: entry.malId, title: null, why: "is not in this catalog" });
    else steps.push({ title, before, after: mergeEntries(before, entry, how) });
  }
  return { steps, unmatched };
}

async function findTitles(reader: Reader, ids: number[]) {
  if (ids.length === 0) return new Map<number, string>();
  const rows = await reader
    .select({ malId: titles.malId, title: titles.title })
    .from(titles)
    .where(among(titles.malId, ids));
  return new Map(rows.map(({ malId, title }) => [malId, title]));
}

const entryColumns = {
  malId: watchList.malId,
  type: watchList.type,
  progress: watchList.progress,
  score: watchList.score,
  notes: watchList.notes,
  startedOn: watchList.startedOn,
  finishedOn: watchList.finishedOn,
};

async function findOwn(reader: Reader, userId: string, ids: number[]) {
  if (ids.length === 0) return new Map<number, ListEntry>();
  const rows = await reader
    .select(entryColumns)
    .from(watchList)
    .where(and(eq(watchList.userId, userId), among(watchList.malId, ids)));
  return new Map(rows.map((row) => [row.malId, row]));
}

/** One parameter however many ids there are. */
const among = (column: typeof titles.malId | typeof watchList.malId, ids: number[]) =>
  sql`${column} = any(${`{${ids.join(",")}}`}::int[])`;

function tell(steps: Step[]): Omit<ImportReport, "unmatched" | "undo"> {
  const told = ({ type, progress, score }: ListEntry): Told => ({ type, progress, score });
  const report: Omit<ImportReport, "unmatched" | "undo"> = { added: [], changed: [], unchanged: [] };
  for (const { title, before, after } of steps) {
    const named = { mal_id: after.malId, title };
    if (before === null) report.added.push({ ...named, ...told(after) });
    else if (isSameEntry(before, after)) report.unchanged.push(named);
    else report.changed.push({ ...named, before: told(before), after: told(after) });
  }
  return report;
}

/** Two imports of one user at a time would each undo what the other did. */
const lockLists = (transaction: Transaction, userId: string) =>
  transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");

async function writeEntries(transaction: Transaction, userId: string, entries: ListEntry[]) {
  if (entries.length === 0) return;
  await transaction.execute(sql`
    insert into ${watchList} (user_id, mal_id, type, progress, score, notes, started_on, finished_on)
    select ${userId}::uuid, "malId", type, progress, score, notes, "startedOn", "finishedOn"
    from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as entry(
      "malId" int, type text, progress int, score float8, notes text, "startedOn" date, "finishedOn" date)
    on conflict (user_id, mal_id) do update set
      type = excluded.type, progress = excluded.progress, score = excluded.score, notes = excluded.notes,
      started_on = excluded.started_on, finished_on = excluded.finished_on, updated_at = now()`);
}

type Undo = { malId: number; before: ListEntry | null }[];

async function rememberUndo(transaction: Transaction, userId: string, steps: Step[]): Promise<string> {
  const before: Undo = steps.map((step) => ({ malId: step.after.malId, before: step.before }));
  const [row] = await transaction
    .insert(importUndos)
    .values({ userId, before })
    .returning({ id: importUndos.id });
  if (!row) throw new Error("an insert returned nothing");
  const newest = await transaction
    .select({ id: importUndos.id })
    .from(importUndos)
    .where(eq(importUndos.userId, userId))
    .orderBy(desc(importUndos.createdAt))
    .limit(undosKept);
  const keep = [row.id, ...newest.map(({ id }) => id)];
  await transaction
    .delete(importUndos)
    .where(and(eq(importUndos.userId, userId), notInArray(importUndos.id, keep)));
  return row.id;
}

/** Everything an import touched stands again as it stood before; works once. */
export async function undoImport(
  userId: string,
  undo: string,
): Promise<Outcome<{ restored: number; removed: number }>> {
  return withTransaction(async (transaction) => {
    await lockLists(transaction, userId);
    const [found] = await transaction
      .delete(importUndos)
      .where(and(eq(importUndos.userId, userId), eq(importUndos.id, undo)))
      .returning({ before: importUndos.before });
    if (!found) return refuse("not_found", "There is no such import to take back");
    const steps = found.before as Undo;
    const restored = steps.flatMap(({ before }) => (before ? [before] : []));
    const removed = steps.filter(({ before }) => before === null).map(({ malId }) => malId);
    await writeEntries(transaction, userId, restored);
    if (removed.length > 0)
      await transaction
        .delete(watchList)
        .where(and(eq(watchList.userId, userId), inArray(watchList.malId, removed)));
    return done({ restored: restored.length, removed: removed.length });
  });
}
