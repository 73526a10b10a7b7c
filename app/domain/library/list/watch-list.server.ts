import { and, desc, eq } from "drizzle-orm";
import { currentStatus, type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import type { ListStatus } from "./entry.ts";
import { entryColumns } from "./list-rows.server.ts";

/** The entries of a member's list, each with what pages and the API show of its title. */

const { ticks: _ticks, ...columns } = entryColumns;

const listed = {
  id: watchList.id,
  ...columns,
  progress: watchList.progress,
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
  /** Of an episode, in words. */
  duration: titles.duration,
  year: titles.year,
  imageUrl: titles.imageUrl,
  imageWebp: titles.imageWebp,
};

export type ListedEntry = Awaited<ReturnType<typeof listEntries>>[number];

type ListSelection = { type?: ListStatus | undefined; viewer: Viewer };

export const listEntries = (userId: string, { type, viewer }: ListSelection) =>
  db
    .select(listed)
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .where(and(eq(watchList.userId, userId), type && eq(watchList.type, type), visibleTo(viewer)))
    .orderBy(desc(watchList.updatedAt), watchList.malId);
