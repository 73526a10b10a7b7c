import { type SQL, sql } from "drizzle-orm";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { type EntryBefore, type ListEntry, type ListStatus, maxEntriesPerEdit } from "./entry.ts";
import { isOneOf, records } from "./list-rows.server.ts";

/** Every edit of a watch list, from a page or the API, goes through `editList`. It returns the undo of the edit. */

/** `before` is null when the title was not on the list. */
type ListUndo = { malId: number; before: EntryBefore | null }[];

type EntryFields = { [Field in Exclude<keyof ListEntry, "malId">]?: ListEntry[Field] | undefined };

export type ListEdit =
  /** Missing fields keep their value. A new entry without a type becomes Watching. */
  | ({ kind: "save"; malId: number } & EntryFields)
  | { kind: "move"; ids: readonly number[]; type: ListStatus }
  /** Removing a title that is not on the list succeeds. */
  | { kind: "remove"; ids: readonly number[] }
  | { kind: "restore"; entries: ListUndo };

export type ListEditResult = {
  undo: ListUndo;
  /** The names of the edited titles. */
  titles: string[];
  /** Set when the member has seen the last episode and the entry is not Completed. */
  offersCompleted: { malId: number; title: string } | null;
};

export async function editList(userId: string, edit: ListEdit): Promise<Outcome<ListEditResult>> {
  const ids = malIdsOf(edit).filter((malId) => malId <= maxMalId);
  if (ids.length > maxEntriesPerEdit)
    return refuse("invalid", `At most ${maxEntriesPerEdit} titles can be changed at once. Choose fewer.`);
  // One statement reads the old entries and writes the new ones. Between two statements another device could write.
  const rows = await db.execute<EditedRow>(sql`
    with edited as (
      select titles.mal_id as "malId", titles.title, titles.episodes, ${before} as before
      from ${titles} left join ${watchList} own on own.mal_id = titles.mal_id and own.user_id = ${userId}::uuid
      where ${isOneOf(titles.malId, ids)}
    ), ${changeOf(userId, ids, edit)}
    select edited.*, changed.type, changed.progress from edited left join changed using ("malId")`);
  if (edit.kind === "save" && rows.length === 0) return refuse("not_found", "This catalog has no such title");
  const seen = edit.kind === "save" ? rows.find(isSeenNotCompleted) : undefined;
  return done({
    undo: edit.kind === "restore" ? [] : rows.map(({ malId, before }) => ({ malId, before })),
    titles: rows.map(({ title }) => title),
    offersCompleted: seen ? { malId: seen.malId, title: seen.title } : null,
  });
}

type EditedRow = {
  malId: number;
  title: string;
  episodes: number | null;
  before: EntryBefore | null;
  /** Null when the edit wrote no row for this title. */
  type: ListStatus | null;
  progress: number | null;
};

const isSeenNotCompleted = ({ episodes, progress, type }: EditedRow) =>
  episodes !== null && progress !== null && progress >= episodes && type !== "Completed";

const before = sql`
  case when own.mal_id is not null then jsonb_build_object(
    'type', own.type, 'progress', own.progress, 'score', own.score, 'notes', own.notes,
    'startedOn', own.started_on, 'finishedOn', own.finished_on, 'addedAt', own.added_at) end`;

function malIdsOf(edit: ListEdit): readonly number[] {
  if (edit.kind === "save") return [edit.malId];
  return edit.kind === "restore" ? edit.entries.map(({ malId }) => malId) : edit.ids;
}

const returning = sql`returning mal_id as "malId", type, progress`;

/** The common table expressions that write. The last one is called `changed`. */
function changeOf(userId: string, ids: readonly number[], edit: ListEdit): SQL {
  switch (edit.kind) {
    case "save":
      return sql`changed as (${saveEntry(userId, edit)} ${returning})`;
    case "move":
      return sql`changed as (
        update ${watchList} set type = ${edit.type}, updated_at = clock_timestamp()
        where user_id = ${userId}::uuid and ${isOneOf(watchList.malId, ids)} and type <> ${edit.type} ${returning})`;
    case "remove":
      return sql`changed as (${deleteEntries(userId, ids)} ${returning})`;
    case "restore":
      return sql`
        removed as (${deleteEntries(userId, absentIn(edit.entries))}),
        changed as (${restoreEntries(userId, edit.entries)} ${returning})`;
  }
}

const deleteEntries = (userId: string, ids: readonly number[]) =>
  sql`delete from ${watchList} where user_id = ${userId}::uuid and ${isOneOf(watchList.malId, ids)}`;

function saveEntry(userId: string, entry: EntryFields): SQL {
  const own = sql`"watch_list"`;
  const kept = (field: keyof EntryFields, column: string) =>
    sql`${entry[field] === undefined ? own : sql`excluded`}.${sql.identifier(column)}`;
  return sql`
    insert into ${watchList} (user_id, mal_id, type, progress, score, notes, started_on, finished_on)
    select ${userId}::uuid, "malId", ${entry.type ?? "Watching"}, ${entry.progress ?? 0}::int,
      ${entry.score ?? null}::float8, ${entry.notes ?? ""},
      ${entry.startedOn ?? null}::date, ${entry.finishedOn ?? null}::date
    from edited
    on conflict (user_id, mal_id) do update set
      type = ${kept("type", "type")}, progress = ${kept("progress", "progress")},
      score = ${kept("score", "score")}, notes = ${kept("notes", "notes")},
      started_on = ${kept("startedOn", "started_on")}, finished_on = ${kept("finishedOn", "finished_on")},
      updated_at = clock_timestamp()`;
}

const absentIn = (entries: ListUndo) =>
  entries.filter(({ before }) => before === null).map(({ malId }) => malId);

function restoreEntries(userId: string, entries: ListUndo): SQL {
  const present = entries.flatMap(({ malId, before }) => (before === null ? [] : [{ malId, ...before }]));
  // The browser sends the undo back and can repeat a title in it. PostgreSQL refuses an upsert that writes one row twice.
  const unique = [...new Map(present.map((entry) => [entry.malId, entry])).values()];
  return sql`
    insert into ${watchList}
      (user_id, mal_id, type, progress, score, notes, started_on, finished_on, added_at)
    select ${userId}::uuid, "malId", entry.type, entry.progress, entry.score, entry.notes,
      entry."startedOn", entry."finishedOn", least(entry."addedAt", now())
    from ${records(unique)} join edited using ("malId")
    on conflict (user_id, mal_id) do update set
      type = excluded.type, progress = excluded.progress, score = excluded.score, notes = excluded.notes,
      started_on = excluded.started_on, finished_on = excluded.finished_on, added_at = excluded.added_at,
      updated_at = clock_timestamp()`;
}
