import { z } from "zod";
import type { ListEntryCounts } from "#app/domain/library/library.server.ts";

/** How many members have a title on their lists, as Jikan's `anime_statistics`. */

const count = z.number().int();

export const statisticsObject = z
  .object({
    watching: count,
    completed: count,
    on_hold: count,
    dropped: count,
    plan_to_watch: count,
    total: count,
    scores: z.array(z.object({ score: count, votes: count, percentage: z.number() })),
  })
  .meta({ id: "Statistics" });

export function statisticsOnWire({ byKind, byScore }: ListEntryCounts): z.output<typeof statisticsObject> {
  // Jikan's scores begin at 1, so an entry with a score of 0 is no vote.
  const votesOf = Array.from({ length: 10 }, (_, at) => byScore.get(at + 1) ?? 0);
  const all = votesOf.reduce((sum, one) => sum + one, 0);
  return {
    watching: byKind.Watching + byKind.rewatching,
    completed: byKind.Completed,
    on_hold: byKind.on_hold,
    dropped: byKind.dropped,
    plan_to_watch: byKind["To Watch"] + byKind.Collection,
    total: Object.values(byKind).reduce((sum, one) => sum + one, 0),
    scores: votesOf.map((votes, at) => ({
      score: at + 1,
      votes,
      percentage: all === 0 ? 0 : Math.round((1000 * votes) / all) / 10,
    })),
  };
}
