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
  const votes = [...byScore.values()].reduce((sum, one) => sum + one, 0);
  return {
    watching: byKind.Watching + byKind.rewatching,
    completed: byKind.Completed,
    on_hold: byKind.on_hold,
    dropped: byKind.dropped,
    plan_to_watch: byKind["To Watch"] + byKind.Collection,
    total: Object.values(byKind).reduce((sum, one) => sum + one, 0),
    scores: Array.from({ length: 10 }, (_, at) => {
      const of = byScore.get(at + 1) ?? 0;
      return { score: at + 1, votes: of, percentage: votes === 0 ? 0 : Math.round((1000 * of) / votes) / 10 };
    }),
  };
}
