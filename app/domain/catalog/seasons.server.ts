import { and, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type AnimeSeason, seasonOfDay, seasonRank } from "#app/domain/calendar/calendar.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { type Season, seasons, type Title } from "./catalog.ts";

/**
 * Sources name the seasons of series. Most movies and specials have only a day, which decides their season. Jikan writes
 * 1 January where only the year is known, so that day decides nothing.
 */

export function seasonOfTitle({
  season,
  year,
  airedFrom,
}: Pick<Title, "season" | "year" | "airedFrom">): AnimeSeason | null {
  if (season !== null) return year === null ? null : { year, season };
  const day = airedFrom?.toISOString().slice(0, 10);
  return day === undefined || day.endsWith("-01-01") ? null : seasonOfDay(day);
}

/** The indexes of the listing have `airs_from`, which is `aired_from` where that is known, and infinite where not. */
const firstDay = sql`(${titles.airsFrom} at time zone 'UTC')`;
const yearOfFirstDay = sql`date_part('year', ${firstDay})`;
const isDayKnown = sql`date_part('doy', ${firstDay}) > 1`;
/** From 1 */
const quarterOfFirstDay = sql`date_part('quarter', ${firstDay})`;

/** The condition that a title has no season and begins in one of these. */
export const beginsIn = (wanted: readonly Season[], years: readonly number[] | undefined): SQL | undefined =>
  and(
    isNull(titles.season),
    isDayKnown,
    inArray(
      quarterOfFirstDay,
      wanted.map((season) => 1 + seasons.indexOf(season)),
    ),
    years?.length ? inArray(yearOfFirstDay, years) : undefined,
  );

type SeasonCount = AnimeSeason & { titles: number };

const seasonLists = cachePerVersion<SeasonCount[]>(20);

/** The seasons that have titles, the latest first. */
export const listSeasons = (viewer: Viewer): Promise<SeasonCount[]> =>
  seasonLists(viewerKey(viewer), async () => {
    const season = sql<Season>`coalesce(${titles.season}, (${textArray(seasons)})[${quarterOfFirstDay}::int])`;
    const rows = await db
      .select({
        year: sql<number>`case when ${titles.season} is null then ${yearOfFirstDay}::int else ${titles.year} end`,
        season,
        titles: sql<number>`count(*)::int`,
      })
      .from(titles)
      .where(
        and(
          or(and(isNotNull(titles.year), isNotNull(titles.season)), and(isNull(titles.season), isDayKnown)),
          visibleTo(viewer),
        ),
      )
      .groupBy(sql`1`, sql`2`);
    return rows.sort((one, other) => seasonRank(other) - seasonRank(one));
  });
