import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { entryStates, listStatuses } from "#db/schema/enumerations.ts";
import { watchList } from "#db/schema/library.ts";

/** Counts how many members have a title on their lists. Everybody may see the counts. */

/** The counts of fewer members could reveal a single member's entry. */
const minMembers = 10;

/** An entry counts by its state if it has one, because that says more than its list status. */
const kinds = [...listStatuses, ...entryStates] as const;

export type ListEntryCounts = {
  byKind: Record<(typeof kinds)[number], number>;
  /** The number of entries by score, rounded to a whole number. */
  byScore: Map<number, number>;
};

/** PostgreSQL rounds 8.5 up only as a `numeric`. As a double it becomes 8, the nearest even number. */
const roundedScore = sql<number | null>`round(${watchList.score}::numeric)::int`;

/** Null if too few members have the title on their lists. */
export async function countListEntries(malId: number): Promise<ListEntryCounts | null> {
  const rows = await db
    .select({
      kind: sql<(typeof kinds)[number]>`coalesce(${watchList.state}, ${watchList.type})`.as("kind"),
      score: roundedScore,
      members: sql<number>`count(*)::int`,
    })
    .from(watchList)
    .where(eq(watchList.malId, malId))
    .groupBy(sql`kind`, roundedScore);
  if (sumOf(rows) < minMembers) return null;
  const byKind = Object.fromEntries(
    kinds.map((kind) => [kind, sumOf(rows.filter((row) => row.kind === kind))]),
  ) as ListEntryCounts["byKind"];
  const scores = new Set(rows.flatMap(({ score }) => score ?? []));
  const byScore = new Map(
    [...scores].map((score) => [score, sumOf(rows.filter((row) => row.score === score))]),
  );
  return { byKind, byScore };
}

const sumOf = (rows: readonly { members: number }[]) => rows.reduce((sum, { members }) => sum + members, 0);
