import { and, desc, eq, gte, inArray, or } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { watchList } from "#db/schema/library.ts";
import type { ListEntry } from "./entry.ts";
import { entryColumns } from "./list-rows.server.ts";

/** The list states of titles, for the pages that show titles. A visitor has none. */

export type TitleListState = Omit<ListEntry, "malId"> & { progress: number };

export async function findListStates(
  userId: string | null,
  malIds: readonly number[],
): Promise<ReadonlyMap<number, TitleListState>> {
  if (userId === null || malIds.length === 0) return new Map();
  const rows = await db
    .select({ ...entryColumns, progress: watchList.progress })
    .from(watchList)
    .where(and(eq(watchList.userId, userId), inArray(watchList.malId, [...malIds])));
  return new Map(rows.map(({ malId, ...state }) => [malId, state]));
}

export async function listMalIdsOnList(userId: string): Promise<number[]> {
  const rows = await db
    .select({ malId: watchList.malId })
    .from(watchList)
    .where(eq(watchList.userId, userId));
  return rows.map(({ malId }) => malId);
}

const minLikedScore = 7;

/** The last titles that the member completed or scored well, without those scored low. */
export async function listRecentlyLiked(userId: string, limit: number): Promise<number[]> {
  const rows = await db
    .select({ malId: watchList.malId, score: watchList.score })
    .from(watchList)
    .where(
      and(
        eq(watchList.userId, userId),
        or(eq(watchList.type, "Completed"), gte(watchList.score, minLikedScore)),
      ),
    )
    .orderBy(desc(watchList.updatedAt))
    .limit(limit * 2);
  return rows
    .filter(({ score }) => score === null || score >= minLikedScore)
    .slice(0, limit)
    .map(({ malId }) => malId);
}
