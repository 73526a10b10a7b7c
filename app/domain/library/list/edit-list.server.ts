import { type SQL, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import {
  type EntryBefore,
  type EntryChange,
  type ListEntry,
  type ListStatus,
  maxEntriesPerEdit,
  toChange,
} from "./entry.ts";
import { isOneOf } from "./list-rows.server.ts";
import { undoChanges } from "./undo-edit.server.ts";

/** Every edit of a watch list, from a page or the API, goes through `editList`. It returns the undo of the edit. */

type EntryFields = { [Field in Exclude<keyof ListEntry, "malId">]?: ListEntry[Field] | undefined };

export type ListEdit =
  /** Missing fields keep their value. A new entry without a type becomes Watching. */
  | ({ kind: "save"; malId: number } & EntryFields)
  | { kind: "move"; ids: readonly number[]; type: ListStatus }
  /** Removing a title that is not on the list succeeds. */
  | { kind: "remove"; ids: readonly number[] }
  | { kind: "restore"; changes: readonly EntryChange[] };

export type ListEditResult = {
  undo: EntryChange[];
  /** The names of the titles that the edit wrote. */
  titles: string[];
  /** Set when the member has seen the last episode and the entry is not Completed. */
  offersCompleted: { malId: number; title: string } | null;
};

/**
 * A title that the viewer may not see is hidden from edits too: it cannot be added, and its entry neither changes nor shows
 * its name in the result.
 */
export async function editList(
  userId: string,
  edit: ListEdit,
  viewer: Viewer,
): Promise<Outcome<ListEditResult>> {
  const ids = malIdsOf(edit).filter((malId) => malId <= maxMalId);
  if (ids.length > maxEntriesPerEdit)
    return refuse("invalid", `At most ${maxEntriesPerEdit} titles can be changed at once. Choose fewer.`);
  if (edit.kind === "restore") {
    const titles = await undoChanges(userId, edit.changes, viewer);
    return done({ undo: [], titles, offersCompleted: null });
  }
  const rows = await runEdit(userId, ids, edit, viewer);
  if (edit.kind === "save" && rows.length === 0) return refuse("not_found", "This catalog has no such title");
  const seen = edit.kind === "save" ? rows.find(isSeenNotCompleted) : undefined;
  const changes = rows.map((row) =>
    isWritten(edit, row) ? toChange(row.malId, row.before, row.after) : null,
  );
  return done({
    undo: changes.filter((change) => change !== null),
    titles: rows.flatMap((row) => (isWritten(edit, row) ? [row.title] : [])),
    offersCompleted: seen ? { malId: seen.malId, title: seen.title } : null,
  });
}

/** One statement reads the old entries and writes the new ones. The lock keeps another device from writing in between. */
const runEdit = (userId: string, ids: readonly number[], edit: WritingEdit, viewer: Viewer) =>
  db.execute<EditedRow>(sql`
    with shown as (
      select mal_id, title, episodes from ${titles}
      where ${isOneOf(titles.malId, ids)} and ${visibleTo(viewer)}
    ), own as (
      select * from ${watchList}
      where user_id = ${userId}::uuid and mal_id in (select mal_id from shown) for update
    ), edited as (
      select shown.mal_id as "malId", shown.title, shown.episodes, ${before} as before
      from shown left join own on own.mal_id = shown.mal_id
    ), changed as (${changeOf(userId, edit)})
    select edited.*, changed.after from edited left join changed using ("malId")`);

type WritingEdit = Exclude<ListEdit, { kind: "restore" }>;

type EditedRow = {
  malId: number;
  title: string;
  episodes: number | null;
  before: EntryBefore | null;
  /** Null when the edit removed the entry or wrote no row for this title. */
  after: Omit<ListEntry, "malId"> | null;
};

const isWritten = ({ kind }: WritingEdit, { before, after }: EditedRow) =>
  kind === "remove" ? before !== null : after !== null;

const isSeenNotCompleted = ({ episodes, after }: EditedRow) =>
  episodes !== null && after !== null && after.progress >= episodes && after.type !== "Completed";

const before = sql`
  case when own.mal_id is not null then jsonb_build_object(
    'type', own.type, 'progress', own.progress, 'score', own.score, 'notes', own.notes,
    'startedOn', own.started_on, 'finishedOn', own.finished_on, 'addedAt', own.added_at) end`;

function malIdsOf(edit: ListEdit): readonly number[] {
  if (edit.kind === "save") return [edit.malId];
  return edit.kind === "restore" ? edit.changes.map(({ malId }) => malId) : edit.ids;
}

/** The entry as the edit left it. */
const written = sql`returning mal_id as "malId", jsonb_build_object(
  'type', type, 'progress', progress, 'score', score, 'notes', notes,
  'startedOn', started_on, 'finishedOn', finished_on) as after`;

/** Writes only rows of `own`: PostgreSQL would skip a row in `own` that the same statement has already changed. */
function changeOf(userId: string, edit: WritingEdit): SQL {
  switch (edit.kind) {
    case "save":
      return sql`${saveEntry(userId, edit)} ${written}`;
    case "move":
      return sql`
        update ${watchList} set type = ${edit.type}, updated_at = clock_timestamp()
        where user_id = ${userId}::uuid and mal_id in (select mal_id from own) and type <> ${edit.type} ${written}`;
    case "remove":
      return sql`
        delete from ${watchList} where user_id = ${userId}::uuid and mal_id in (select mal_id from own)
        returning mal_id as "malId", null::jsonb as after`;
  }
}

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
