import { listFilmRoots, requestScan } from "#app/domain/films/films.server.ts";
import type { FeedReport } from "./feeds.ts";

/** Scans the films again after an import, because a video without a match may belong to one of the new titles. */
export async function scanForNewTitles(
  { titles }: Pick<FeedReport, "titles">,
  reason: "operator" | "schedule",
): Promise<void> {
  if (titles.added === 0 || (await listFilmRoots()).length === 0) return;
  await requestScan({ folder: "", reason });
}
