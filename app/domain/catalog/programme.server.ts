import { and, isNotNull, isNull, sql } from "drizzle-orm";
import { days, minutes } from "#app/platform/duration.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { type AnimeSeason, airingsOf, seasonAt } from "../calendar/calendar.ts";
import { animeColumns, asAnime } from "./anime-row.server.ts";
import type { Anime, Season } from "./catalog.ts";
import { visible } from "./filters.server.ts";
import { countTitles, listTitles } from "./listing.server.ts";
import { rememberPerVersion } from "./version.server.ts";

/** What is on: weekly slots, seasons. */

export type Airing = {
  anime: Anime;
  /** ISO 8601. */
  at: string;
  episode: number | null;
};
export type Programme = {
  airings: Airing[];
  /** On air in that span, without a known slot. */
  unslotted: Anime[];
};

const programmes = rememberPerVersion<Programme>(20, minutes(5));

/** Every airing between two moments, in order; a span of a week or less. */
export function listAirings(from: Date, until: Date, showMature: boolean): Promise<Programme> {
  return programmes(`${from.getTime()} ${until.getTime()} ${showMature}`, async () => {
    const onAir = and(
      sql`${titles.airsFrom} < ${until.toISOString()}::timestamptz`,
      sql`${titles.airsUntil} > ${from.toISOString()}::timestamptz`,
      visible(showMature),
    );
    const [slotted, unslotted] = await Promise.all([
      db
        .select(animeColumns)
        .from(titles)
        .where(and(onAir, isNotNull(titles.broadcastDay), isNotNull(titles.broadcastTime))),
      db
        .select(animeColumns)
        .from(titles)
        .where(
          and(
            onAir,
            isNull(titles.broadcastDay),
            isNotNull(titles.airedFrom),
            sql`${titles.type} in ('TV', 'ONA')`,
          ),
        )
        .orderBy(sql`${titles.popularity} asc nulls last`, titles.malId)
        .limit(100),
    ]);
    const airings = slotted.map(asAnime).flatMap((anime) => airingsOfTitle(anime, from, until));
    airings.sort((a, b) => a.at.localeCompare(b.at) || a.anime.mal_id - b.anime.mal_id);
    return { airings, unslotted: unslotted.map(asAnime) };
  });
}

function airingsOfTitle(anime: Anime, from: Date, until: Date): Airing[] {
  const { broadcast_day: day, broadcast_time: time, broadcast_timezone: zone } = anime;
  if (day === null || time === null) return [];
  return airingsOf({ day, time, timeZone: zone ?? "Asia/Tokyo" }, from, until)
    .filter((at) => isWithinRun(anime, at))
    .map((at) => ({ anime, at: at.toISOString(), episode: episodeAt(anime, at) }));
}

/** The dates of a run are days in Japan told as midnight in UTC, so a slot may fall a little outside. */
function isWithinRun({ aired_from, aired_to }: Anime, at: Date): boolean {
  const time = at.getTime();
  return (
    (aired_from === null || time >= Date.parse(aired_from) - days(1)) &&
    (aired_to === null || time < Date.parse(aired_to) + days(2))
  );
}

/** Counted by weeks from the first: right as long as none was skipped, so only told for runs of a known length. */
function episodeAt({ aired_from, episodes }: Anime, at: Date): number | null {
  if (aired_from === null || episodes === null) return null;
  const number = Math.floor((at.getTime() - Date.parse(aired_from) + days(1)) / days(7)) + 1;
  return number >= 1 && number <= episodes ? number : null;
}

export type SeasonCount = { year: number; season: Season; titles: number };

const seasonLists = rememberPerVersion<SeasonCount[]>(2);

/** Every season the catalog has titles of, the latest first. */
export const listSeasons = (showMature: boolean): Promise<SeasonCount[]> =>
  seasonLists(String(showMature), async () => {
    const rows = await db
      .select({ year: titles.year, season: titles.season, titles: sql<number>`count(*)::int` })
      .from(titles)
      .where(and(isNotNull(titles.year), isNotNull(titles.season), visible(showMature)))
      .groupBy(titles.year, titles.season)
      .orderBy(
        sql`${titles.year} desc`,
        sql`array_position(array['Fall', 'Summer', 'Spring', 'Winter'], ${titles.season})`,
      );
    return rows.flatMap(({ year, season, titles: count }) =>
      year === null || season === null ? [] : [{ year, season, titles: count }],
    );
  });

const enoughForARow = 6;

/** The season we are in, or the latest before it with titles enough to fill a row. */
export async function findShownSeason(now: Date, showMature: boolean): Promise<AnimeSeason | null> {
  const current = seasonAt(now);
  const order = ["Winter", "Spring", "Summer", "Fall"];
  const rank = ({ year, season }: AnimeSeason) => year * 4 + order.indexOf(season);
  const past = (await listSeasons(showMature)).filter((one) => rank(one) <= rank(current));
  const found = past.find((one) => one.titles >= enoughForARow) ?? past[0];
  return found ? { year: found.year, season: found.season } : null;
}

export async function listSeason(
  { year, season }: AnimeSeason,
  showMature: boolean,
  perPage = 30,
): Promise<{ animes: Anime[]; total: number }> {
  const filters = { years: [year], seasons: [season] };
  const [{ animes }, total] = await Promise.all([
    listTitles({ filters, order: "popularity", perPage }, showMature),
    countTitles(filters, showMature),
  ]);
  return { animes, total };
}
