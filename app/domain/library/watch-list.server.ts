import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { currentStatus } from "../catalog/catalog.server.ts";
import { largestId } from "../catalog/catalog.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import { entryColumns } from "./entry-columns.server.ts";
import type { CollectionType } from "./list-entry.ts";

/** A user's list: one entry a title, changed in one statement, whoever else is changing it. */

/** What is not named stays; a new entry without a type is being watched. */
export type ListChange = {
  malId: number;
  type?: CollectionType | undefined;
  progress?: number | undefined;
  score?: number | null | undefined;
  notes?: string | undefined;
  startedOn?: string | null | undefined;
  finishedOn?: string | null | undefined;
};

export type SavedEntry = {
  type: CollectionType;
  progress: number;
  title: string;
  /** The last episode is seen and the entry is not yet Completed: worth asking. */
  offersCompleted: boolean;
};

const noSuchTitle = refuse("not_found", "No such anime");

export async function saveListEntry(userId: string, change: ListChange): Promise<Outcome<SavedEntry>> {
  if (change.malId > largestId) return noSuchTitle;
  const own = sql`"watch_list"`;
  const kept = <Value>(value: Value | undefined, column: string) =>
    value === undefined ? sql`${own}.${sql.identifier(column)}` : sql`excluded.${sql.identifier(column)}`;
  const [saved] = await db.execute<{
    type: CollectionType;
    progress: number;
    title: string;
    episodes: number | null;
  }>(sql`
    with saved as (
      insert into ${watchList} (user_id, mal_id, type, progress, score, notes, started_on, finished_on)
      select ${userId}::uuid, mal_id, ${change.type ?? "Watching"}, ${change.progress ?? 0}::int,
        ${change.score ?? null}::float8, ${change.notes ?? ""},
        ${change.startedOn ?? null}::date, ${change.finishedOn ?? null}::date
        from ${titles} where mal_id = ${change.malId}
      on conflict (user_id, mal_id) do update set
        type = ${kept(change.type, "type")},
        progress = ${kept(change.progress, "progress")},
        score = ${kept(change.score, "score")},
        notes = ${kept(change.notes, "notes")},
        started_on = ${kept(change.startedOn, "started_on")},
        finished_on = ${kept(change.finishedOn, "finished_on")},
        updated_at = clock_timestamp()
      returning mal_id, type, progress
    )
    select saved.type, saved.progress, titles.title, titles.episodes from saved join ${titles} using (mal_id)`);
  if (!saved) return noSuchTitle;
  const { episodes, ...entry } = saved;
  const isSeen = episodes !== null && entry.progress >= episodes;
  return done({ ...entry, offersCompleted: isSeen && entry.type !== "Completed" });
}

/** Removing what is not there is a success. */
export async function deleteListEntry(userId: string, malId: number): Promise<void> {
  if (malId > largestId) return;
  await db.delete(watchList).where(and(eq(watchList.userId, userId), eq(watchList.malId, malId)));
}

const listed = {
  id: watchList.id,
  ...entryColumns,
  addedAt: watchList.addedAt,
  updatedAt: watchList.updatedAt,
  title: titles.title,
  titleEnglish: titles.titleEnglish,
  titleJapanese: titles.titleJapanese,
  titleType: titles.type,
  status: currentStatus,
  rating: titles.score,
  episodes: titles.episodes,
  genres: titles.genres,
  year: titles.year,
  imageUrl: titles.imageUrl,
  imageWebp: titles.imageWebp,
};

export type ListedEntry = Awaited<ReturnType<typeof listEntries>>[number];

export type ListSelection = { type?: CollectionType | undefined; showMature: boolean };

export const listEntries = (userId: string, { type, showMature }: ListSelection) =>
  db
    .select(listed)
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .where(
      and(
        eq(watchList.userId, userId),
        type && eq(watchList.type, type),
        showMature ? undefined : eq(titles.isMature, false),
      ),
    )
    .orderBy(desc(watchList.updatedAt), watchList.malId);
