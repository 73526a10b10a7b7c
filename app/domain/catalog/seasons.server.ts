import { and, isNotNull, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { type Season, seasons } from "./catalog.ts";

type SeasonCount = { year: number; season: Season; titles: number };

const seasonLists = cachePerVersion<SeasonCount[]>(20);

/** The seasons that have titles, the latest first. */
export const listSeasons = (viewer: Viewer): Promise<SeasonCount[]> =>
  seasonLists(viewerKey(viewer), async () => {
    const rows = await db
      .select({ year: titles.year, season: titles.season, titles: sql<number>`count(*)::int` })
      .from(titles)
      .where(and(isNotNull(titles.year), isNotNull(titles.season), visibleTo(viewer)))
      .groupBy(titles.year, titles.season)
      .orderBy(sql`${titles.year} desc`, sql`array_position(${textArray(seasons)}, ${titles.season}) desc`);
    return rows.flatMap(({ year, season, titles: count }) =>
      year === null || season === null ? [] : [{ year, season, titles: count }],
    );
  });
