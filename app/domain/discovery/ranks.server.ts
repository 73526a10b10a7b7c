import { and, asc, isNotNull } from "drizzle-orm";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { anybody, type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";

/** A title's rank is its place among the scores of this catalog. Titles with the same score share a rank. */

const scoreLists = cachePerVersion<Float64Array>(20);

export type RankOf = (title: Pick<Title, "score">) => number | null;

/** Counts only titles that this viewer may see, because a rank reveals how many titles are above. */
export async function readRanks(viewer: Viewer = anybody): Promise<RankOf> {
  const scores = await scoreLists(viewerKey(viewer), async () => {
    const rows = await db
      .select({ score: titles.score })
      .from(titles)
      .where(and(isNotNull(titles.score), visibleTo(viewer)))
      .orderBy(asc(titles.score));
    return Float64Array.from(rows, ({ score }) => score ?? 0);
  });
  return ({ score }) => (score === null ? null : scores.length - countUpTo(scores, score) + 1);
}

/** How many of the sorted scores are not above `score`. */
function countUpTo(scores: Float64Array, score: number): number {
  let [from, to] = [0, scores.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((scores[middle] ?? 0) <= score) from = middle + 1;
    else to = middle;
  }
  return from;
}
