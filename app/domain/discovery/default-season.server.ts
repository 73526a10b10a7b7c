import { type AnimeSeason, seasonAt } from "#app/domain/calendar/calendar.ts";
import { listSeasons } from "#app/domain/catalog/catalog.server.ts";
import { seasons } from "#app/domain/catalog/catalog.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";

const minTitlesForRow = 6;

/** The current season if it has enough titles for a row, otherwise the latest earlier season that has. */
export async function findDefaultSeason(now: Date, viewer: Viewer): Promise<AnimeSeason | null> {
  const current = seasonAt(now);
  const rank = ({ year, season }: AnimeSeason) => year * seasons.length + seasons.indexOf(season);
  const past = (await listSeasons(viewer)).filter((one) => rank(one) <= rank(current));
  const found = past.find((one) => one.titles >= minTitlesForRow) ?? past[0];
  return found ? { year: found.year, season: found.season } : null;
}
