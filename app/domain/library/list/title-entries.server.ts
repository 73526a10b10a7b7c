import { and, desc, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { intArray } from "#db/arrays.ts";
import { db, preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import { dismissals, watchHistory, watchList } from "#db/schema/library.ts";
import { isFollowed, type ListEntry } from "./entry.ts";

/** A member's entries about given titles, for the pages that show titles. A visitor has none. */

/** Without the note, the tags and the ticks, because a page shows many titles. */
type TitleEntry = Pick<ListEntry, "type" | "state" | "score" | "rewatchProgress"> & {
  progress: number;
};
/** By the title's id. */
export type TitleEntries = ReadonlyMap<number, TitleEntry>;

const titleEntryColumns = {
  malId: watchList.malId,
  type: watchList.type,
  state: watchList.state,
  score: watchList.score,
  rewatchProgress: watchList.rewatchProgress,
  progress: watchList.progress,
};

export async function findTitleEntries(
  userId: string | null,
  malIds: readonly number[],
): Promise<ReadonlyMap<number, TitleEntry>> {
  if (userId === null || malIds.length === 0) return new Map();
  const rows = await db
    .select(titleEntryColumns)
    .from(watchList)
    .where(and(eq(watchList.userId, userId), inArray(watchList.malId, [...malIds])));
  return new Map(rows.map(({ malId, ...entry }) => [malId, entry]));
}

/**
 * The member's entries about some titles. Also returns which of the titles the member dismissed from suggestions, which
 * have a watched episode, and which belong to a franchise of which the member dropped a title.
 */
export async function getTitleStates(userId: string | null, malIds: readonly number[]) {
  const listed = new Map<number, TitleEntry>();
  const dismissed = new Set<number>();
  const seen = new Set<number>();
  const inDroppedFranchise = new Set<number>();
  if (userId === null || malIds.length === 0) return { listed, dismissed, seen, inDroppedFranchise };
  const shownId = sql<number>`shown.mal_id`;
  const rows = await preparedDb
    .select({
      shownId,
      entry: titleEntryColumns,
      place: dismissals.place,
      isSeen: sql<boolean>`exists (select from ${watchHistory} where user_id = ${userId}::uuid and mal_id = shown.mal_id)`,
      isInDroppedFranchise: sql<boolean>`exists (select from ${franchiseTitles} where mal_id = shown.mal_id
        and franchise_id = any(array(select part.franchise_id from ${watchList} join ${franchiseTitles} part using (mal_id)
          where user_id = ${userId}::uuid and state = 'dropped')))`,
    })
    .from(sql`unnest(${intArray(malIds)}) as shown(mal_id)`)
    .leftJoin(watchList, and(eq(watchList.userId, userId), eq(watchList.malId, shownId)))
    .leftJoin(
      dismissals,
      and(eq(dismissals.userId, userId), eq(dismissals.malId, shownId), eq(dismissals.place, "suggestions")),
    );
  for (const { shownId: malId, entry, place, isSeen, isInDroppedFranchise } of rows) {
    if (entry) listed.set(malId, entry as TitleEntry);
    if (place) dismissed.add(malId);
    if (isSeen) seen.add(malId);
    if (isInDroppedFranchise) inDroppedFranchise.add(malId);
  }
  return { listed, dismissed, seen, inDroppedFranchise };
}

/** Which of some titles a member knows, follows or does not want. */
export type MemberTitles = {
  listed: TitleEntries;
  /** Dropped, or dismissed from suggestions. */
  unwanted: ReadonlySet<number>;
  /** Being watched or to be watched, and neither on hold nor dismissed. */
  followed: ReadonlySet<number>;
  /** Listed, seen, dismissed, or of a franchise of which the member dropped a title. */
  notToSuggest: ReadonlySet<number>;
};

export async function getMemberTitles(userId: string, malIds: readonly number[]): Promise<MemberTitles> {
  const { listed, dismissed, seen, inDroppedFranchise } = await getTitleStates(userId, malIds);
  const idsWhere = (isMeant: (entry: TitleEntry) => boolean) =>
    [...listed].filter(([, entry]) => isMeant(entry)).map(([malId]) => malId);
  const unwanted = new Set([...dismissed, ...idsWhere(({ state }) => state === "dropped")]);
  const followed = idsWhere(isFollowed);
  return {
    listed,
    unwanted,
    followed: new Set(followed.filter((malId) => !unwanted.has(malId))),
    notToSuggest: new Set([...listed.keys(), ...dismissed, ...seen, ...inDroppedFranchise]),
  };
}

export async function listMalIdsOnList(userId: string): Promise<number[]> {
  const rows = await db
    .select({ malId: watchList.malId })
    .from(watchList)
    .where(eq(watchList.userId, userId));
  return malIdsOf(rows);
}

/** Whether any title on the member's list is one that this viewer may see. */
export async function hasShownEntries(userId: string, viewer: Viewer): Promise<boolean> {
  const rows = await db
    .select({ malId: titles.malId })
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .where(and(eq(watchList.userId, userId), visibleTo(viewer)))
    .limit(1);
  return rows.length > 0;
}

const minLikedScore = 7;

/**
 * The titles that the member scored best, then those completed without a score. Equal ones are ordered by last change,
 * newest first.
 */
export async function listBestLiked(userId: string, limit: number): Promise<number[]> {
  const rows = await preparedDb
    .select({ malId: watchList.malId })
    .from(watchList)
    .where(
      and(
        eq(watchList.userId, userId),
        or(
          gte(watchList.score, minLikedScore),
          and(eq(watchList.type, "Completed"), isNull(watchList.score)),
        ),
        sql`${watchList.state} is distinct from 'dropped'`,
      ),
    )
    .orderBy(sql`${watchList.score} desc nulls last`, desc(watchList.updatedAt), watchList.malId)
    .limit(limit);
  return malIdsOf(rows);
}
