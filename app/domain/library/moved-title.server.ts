import { eq, type SQL, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { uuidArray } from "#db/arrays.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import {
  dismissals,
  episodeWishes,
  householdTitles,
  importUndos,
  trackChoices,
  watchHistory,
  watchList,
  watchProgress,
  wishes,
} from "#db/schema/library.ts";
import { keepLaterPoint, keepLaterView } from "./history/watch-progress.server.ts";
import type { ListEntry } from "./list/entry.ts";
import { entryFields } from "./list/entry-fields.ts";
import { moveImported } from "./list/import-undo.server.ts";
import { deleteEntries, lockAllLibraries, lockEntries, saveEntries } from "./list/list-rows.server.ts";
import { mergeEntries } from "./list/merge-entries.ts";

/**
 * Moves all members' data about a title to another title. If a member has data about both, it is merged without loss.
 */

type Move = { from: number; to: number };

/** If one of two wishes is open, the merged wish is open. If the film moves too, the wish ends then. */
const mergeWishes = sql`set wished_at = least(own.wished_at, excluded.wished_at),
  fulfilled_at = case when own.fulfilled_at is not null then excluded.fulfilled_at end`;

/**
 * The tables whose rows belong to a member and a title, beside the list. `merge` decides what becomes of the row of a
 * member who also has a row (`excluded`) about the moved title.
 */
const titleTables = [
  { table: watchProgress, merge: keepLaterPoint },
  { table: watchHistory, merge: keepLaterView },
  {
    table: trackChoices,
    merge: sql`set sound = excluded.sound, subtitles = excluded.subtitles, chosen_at = excluded.chosen_at
      where excluded.chosen_at > own.chosen_at`,
  },
  {
    table: dismissals,
    merge: sql`set dismissed_at = excluded.dismissed_at where excluded.dismissed_at > own.dismissed_at`,
  },
  { table: wishes, merge: mergeWishes },
  { table: episodeWishes, merge: mergeWishes },
  {
    table: householdTitles,
    // If the household blocks either title, it blocks the remaining one.
    merge: sql`set verdict = excluded.verdict where excluded.verdict = 'blocked'`,
  },
];

/** The members with data about the title. */
export const listMembersOf = async (on: Pick<Transaction, "select">, malId: number): Promise<string[]> =>
  idsOf(await on.select({ id: users.id }).from(users).where(hasDataAbout(malId)));

/**
 * Locks the libraries, and the rows of those members, until the transaction ends. Their accounts' rows are locked first,
 * because changes of an account lock its row before those of its profiles. The opposite order would deadlock.
 */
export async function lockMembersOf(transaction: Transaction, malId: number): Promise<string[]> {
  await lockAllLibraries(transaction);
  const accountsOfMembers = sql`(select coalesce(account_id, id) from ${users} where ${hasDataAbout(malId)})`;
  const lock = (condition: SQL) =>
    transaction.select({ id: users.id }).from(users).where(condition).orderBy(users.id).for("no key update");
  await lock(sql`${users.id} in ${accountsOfMembers}`);
  return idsOf(await lock(hasDataAbout(malId)));
}

const memberRows = [{ table: watchList }, ...titleTables].map(
  ({ table }) => sql`select user_id, mal_id from ${table} where mal_id >= ${firstLocalMalId}`,
);

/** The local titles that each member has data about, to use as a table. */
export const membersLocalTitles = sql`(
  select user_id, mal_id, title from ${titles} join (${sql.join(memberRows, sql` union `)}
    union select id, mal_id from ${users}, unnest(favorite_animes || watched_animes) as mal_id
    where mal_id >= ${firstLocalMalId}) as mentioned using (mal_id)) as local_titles`;

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

function hasDataAbout(malId: number): SQL {
  const rows = [{ table: watchList }, ...titleTables].map(
    ({ table }) => sql`select user_id from ${table} where mal_id = ${malId}`,
  );
  return sql`(${malId} = any(${users.favoriteAnimes}) or ${malId} = any(${users.watchedAnimes}) or ${users.id} in (
    ${sql.join(rows, sql` union `)}
    union select user_id from ${importUndos} where before @> ${importOf(malId)}::text::jsonb))`;
}

const importOf = (malId: number) => JSON.stringify([{ after: { malId } }]);

/** `lockMembersOf` must have locked the lists. */
export async function moveMembersData(transaction: Transaction, move: Move): Promise<void> {
  const merged = await mergeDoubleEntries(transaction, move);
  const moved = await transaction
    .update(watchList)
    .set({ malId: move.to })
    .where(eq(watchList.malId, move.from))
    .returning({ userId: watchList.userId });
  await moveUndos(
    transaction,
    move,
    new Map([
      ...merged.map((userId) => [userId, "merged"] as const),
      ...moved.map(({ userId }) => [userId, "moved"] as const),
    ]),
  );
  for (const one of titleTables) await moveRows(transaction, one, move);
}

/** Returns the members who had both titles on their list. */
async function mergeDoubleEntries(transaction: Transaction, { from, to }: Move): Promise<string[]> {
  const both = await transaction.execute<{ userId: string }>(sql`
    select user_id as "userId" from ${watchList} one join ${watchList} other using (user_id)
    where one.mal_id = ${from} and other.mal_id = ${to} order by 1`);
  for (const { userId } of both) {
    const entries = await lockEntries(transaction, userId, [from, to]);
    const moved = entries.get(from);
    const kept = entries.get(to);
    if (!moved || !kept) continue;
    const entry = mergeEntries(kept, { ...moved, malId: to }, { replaceScores: false });
    const updatedAt = [kept.updatedAt, moved.updatedAt].sort().at(-1) ?? null;
    await deleteEntries(transaction, userId, [from]);
    await saveEntries(transaction, userId, [{ ...entry, notes: bothNotes(kept, moved), updatedAt }]);
  }
  return both.map(({ userId }) => userId);
}

/** Joins both notes. `mergeEntries` keeps only one, because importing the same file again must not repeat a note. */
function bothNotes({ notes }: ListEntry, other: ListEntry): string {
  if (notes === "" || other.notes === "" || notes === other.notes) return notes || other.notes;
  // The cut can split a surrogate pair, and PostgreSQL refuses JSON with half of one.
  return `${notes}\n\n${other.notes}`.slice(0, entryFields.notes.maxLength).toWellFormed();
}

/** `entries` says what became of the entries of the replaced title, by member. */
async function moveUndos(
  transaction: Transaction,
  { from, to }: Move,
  entries: ReadonlyMap<string, "moved" | "merged">,
) {
  const names = (malId: number) => sql`before @> ${importOf(malId)}::text::jsonb`;
  const rows = await transaction
    .select()
    .from(importUndos)
    .where(sql`${names(from)} or (${names(to)} and user_id = any(${uuidArray(entries.keys())}))`)
    .for("update");
  for (const { id, userId, before } of rows) {
    const moved = moveImported(before, { from, to, left: entries.get(userId) });
    await transaction.update(importUndos).set({ before: moved }).where(eq(importUndos.id, id));
  }
}

async function moveRows(
  transaction: Transaction,
  { table, merge }: (typeof titleTables)[number],
  { from, to }: Move,
) {
  const { columns, primaryKeys } = getTableConfig(table);
  const namesOf = (some: readonly { name: string }[]) =>
    sql.join(
      some.map(({ name }) => sql.identifier(name)),
      sql`, `,
    );
  const copied = namesOf(columns.filter(({ name }) => name !== "mal_id"));
  const key = namesOf(primaryKeys.flatMap(({ columns }) => columns));
  await transaction.execute(sql`
    insert into ${table} as own (mal_id, ${copied})
    select ${to}, ${copied} from ${table} where mal_id = ${from}
    on conflict (${key}) do update ${merge}`);
  await transaction.delete(table).where(eq(table.malId, from));
}
