import { z } from "zod";
import type { ListEntryCounts } from "#app/domain/library/library.server.ts";

/** How often a title is on the lists of members, as Jikan's `anime_statistics`. */

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

export function statisticsOnWire({ byStatus, byScore }: ListEntryCounts): z.output<typeof statisticsObject> {
  const votes = [...byScore.values()].reduce((sum, one) => sum + one, 0);
  return {
    watching: byStatus.Watching,
    completed: byStatus.Completed,
    on_hold: 0,
    dropped: 0,
    plan_to_watch: byStatus["To Watch"] + byStatus.Collection,
    total: Object.values(byStatus).reduce((sum, one) => sum + one, 0),
    scores: Array.from({ length: 10 }, (_, at) => {
      const of = byScore.get(at + 1) ?? 0;
      return { score: at + 1, votes: of, percentage: votes === 0 ? 0 : Math.round((1000 * of) / votes) / 10 };
    }),
  };
}
