import { listFilmRoots, requestScan } from "#app/domain/films/films.server.ts";
import type { FeedReport } from "./feeds.ts";

/** New titles may be those of videos that no earlier scan could match. */
export async function scanForNewTitles(
  { titles }: Pick<FeedReport, "titles">,
  reason: "operator" | "schedule",
): Promise<void> {
  if (titles.added === 0 || (await listFilmRoots()).length === 0) return;
  await requestScan({ folder: "", reason });
}
