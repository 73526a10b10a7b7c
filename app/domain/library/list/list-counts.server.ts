import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import { watchList } from "#db/schema/library.ts";

/** How often a title is on the lists of members, for everybody to see. */

/** Fewer members could be told apart in the counts. */
const minMembers = 10;

export type ListEntryCounts = {
  byStatus: Record<(typeof listStatuses)[number], number>;
  /** By the score, rounded to a whole number. */
  byScore: Map<number, number>;
};

/** Null if too few members have the title on their lists. */
export async function countListEntries(malId: number): Promise<ListEntryCounts | null> {
  const rows = await db
    .select({
      status: watchList.type,
      score: sql<number | null>`round(${watchList.score})::int`,
      members: sql<number>`count(*)::int`,
    })
    .from(watchList)
    .where(eq(watchList.malId, malId))
    .groupBy(watchList.type, sql`round(${watchList.score})::int`);
  if (sumOf(rows) < minMembers) return null;
  const byStatus = Object.fromEntries(
    listStatuses.map((status) => [status, sumOf(rows.filter((row) => row.status === status))]),
  ) as ListEntryCounts["byStatus"];
  const scores = new Set(rows.flatMap(({ score }) => score ?? []));
  const byScore = new Map(
    [...scores].map((score) => [score, sumOf(rows.filter((row) => row.score === score))]),
  );
  return { byStatus, byScore };
}

const sumOf = (rows: readonly { members: number }[]) => rows.reduce((sum, { members }) => sum + members, 0);
