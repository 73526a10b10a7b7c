import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { done, type Outcome } from "../errors.ts";
import type { CollectionType, EntryBefore } from "./list-entry.ts";
import { among } from "./list-rows.server.ts";
import { saveListEntry } from "./watch-list.server.ts";

/** Edits as a person makes them on a page: of one entry or several, each with what takes it back. */

export type Undo = { malId: number; before: EntryBefore | null }[];

export type ListEdit =
  | { kind: "save"; malId: number; type?: CollectionType; progress?: number; score?: number | null }
  | { kind: "move"; ids: readonly number[]; type: CollectionType }
  | { kind: "remove"; ids: readonly number[] }
  | { kind: "restore"; entries: Undo };

export type ListEdited = {
  undo: Undo;
  /** The names of the titles it was about. */
  titles: string[];
  /** The last episode of it is seen, and it is not yet Completed. */
  offersCompleted: { malId: number; title: string } | null;
};

export async function editList(userId: string, edit: ListEdit): Promise<Outcome<ListEdited>> {
  const ids = idsOf(edit);
  const states = await listStates(userId, ids);
  const edited: ListEdited = {
    undo: edit.kind === "restore" ? [] : states.map(({ malId, before }) => ({ malId, before })),
    titles: states.map(({ title }) => title),
    offersCompleted: null,
  };
  if (edit.kind === "save") {
    const saved = await saveListEntry(userId, edit);
    if (!saved.ok) return saved;
    const { title, offersCompleted } = saved.value;
    return done({ ...edited, offersCompleted: offersCompleted ? { malId: edit.malId, title } : null });
  }
  if (edit.kind === "move") await moveEntries(userId, ids, edit.type);
  else if (edit.kind === "remove") await deleteEntries(userId, ids);
  else await restoreEntries(userId, edit.entries);
  return done(edited);
}

function idsOf(edit: ListEdit): readonly number[] {
  if (edit.kind === "save") return [edit.malId];
  return edit.kind === "restore" ? edit.entries.map(({ malId }) => malId) : edit.ids;
}

type State = { malId: number; title: string; before: EntryBefore | null };

async function listStates(userId: string, ids: readonly number[]): Promise<State[]> {
  type Row = {
    malId: number;
    title: string;
    type: CollectionType | null;
  } & Omit<EntryBefore, "type">;
  const rows = await db.execute<Row>(sql`
    select titles.mal_id as "malId", titles.title, own.type, own.progress, own.score, own.notes,
      own.started_on::text as "startedOn", own.finished_on::text as "finishedOn"
    from ${titles} left join ${watchList} own on own.mal_id = titles.mal_id and own.user_id = ${userId}::uuid
    where ${among(titles.malId, ids)}`);
  return rows.map(({ malId, title, type, ...rest }) => ({
    malId,
    title,
    before: type === null ? null : { type, ...rest },
  }));
}

const moveEntries = (userId: string, ids: readonly number[], type: CollectionType) =>
  db.execute(sql`
    update ${watchList} set type = ${type}, updated_at = clock_timestamp()
    where user_id = ${userId}::uuid and ${among(watchList.malId, ids)} and type <> ${type}`);

const deleteEntries = (userId: string, ids: readonly number[]) =>
  db.execute(
    sql`delete from ${watchList} where user_id = ${userId}::uuid and ${among(watchList.malId, ids)}`,
  );

async function restoreEntries(userId: string, entries: Undo) {
  for (const { malId, before } of entries) if (before) await saveListEntry(userId, { malId, ...before });
  const absent = entries.filter(({ before }) => before === null).map(({ malId }) => malId);
  if (absent.length > 0) await deleteEntries(userId, absent);
}
