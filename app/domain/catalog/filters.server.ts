import { and, eq, gte, inArray, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import type { ExternalId } from "#app/domain/external-ids/external-ids.ts";
import { readNames, wordKey } from "#app/domain/names/names.ts";
import {
  catalogKeeper,
  isPlayableSource,
  type Viewer,
  viewerKey,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { intArray, textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titleIds, titles } from "#db/schema/catalog.ts";
import { genres as allGenres } from "#db/schema/enumerations.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import type { AiringStatus, Filters, Genre } from "./catalog.ts";
import { isAnnounced, isFinished, isOnAir } from "./catalog-rows.server.ts";
import { lengthPatterns } from "./episode-length.ts";
import { indexKey } from "./search/index-key.ts";
import { beginsIn } from "./seasons.server.ts";
import { type CountedTag, listCountedTags } from "./tags/tag-index.server.ts";

/**
 * Turns filters into conditions on `titles`. An index-only scan answers most of them; studios, tags, source and length
 * need the rows.
 */

export const bitsOf = (names: readonly Genre[]) =>
  names.reduce((bits, name) => bits | (1 << allGenres.indexOf(name)), 0);

const statusConditions: Record<AiringStatus, SQL> = {
  "Currently Airing": isOnAir,
  "Finished Airing": isFinished,
  "Not yet aired": isAnnounced,
};

/** The condition for titles that pass the filters and are visible to the viewer. */
export async function filterConditions(filters: Filters, viewer: Viewer): Promise<SQL | undefined> {
  const { genres, withoutGenres, types, minScore, statuses, ratings, broadcastDays } = filters;
  const bits = genres?.length ? bitsOf(genres) : 0;
  return and(
    visibleTo(viewer),
    bits === 0 || filters.allGenres ? undefined : sql`(${titles.genreBits} & ${bits}) <> 0`,
    // One inequality per genre: for `(bits & 65) = 65` PostgreSQL's planner always expects one row in two hundred.
    ...(filters.allGenres ? (genres ?? []) : []).map(
      (genre) => sql`(${titles.genreBits} & ${bitsOf([genre])}) > 0`,
    ),
    withoutGenres?.length ? sql`(${titles.genreBits} & ${bitsOf(withoutGenres)}) < 1` : undefined,
    types?.length ? inArray(titles.type, types) : undefined,
    await studioCondition(filters.studios),
    // A comparison excludes titles without a score, but a minimum of 0 must exclude none.
    minScore ? gte(titles.score, minScore) : undefined,
    statuses?.length ? or(...statuses.map((status) => statusConditions[status])) : undefined,
    filters.maxScore === undefined ? undefined : lte(titles.score, filters.maxScore),
    seasonCondition(filters),
    ratings?.length ? inArray(titles.rating, ratings) : undefined,
    broadcastDays?.length ? inArray(titles.broadcastDay, broadcastDays) : undefined,
    filters.hasBanner ? sql`${titles.hasBanner}` : undefined,
    await tagConditions(filters, viewer),
    filters.beginning
      ? sql`starts_with(lower(${titles.title}), ${filters.beginning.toLowerCase()})`
      : undefined,
    filters.airedSince ? sql`${titles.airedFrom} >= ${filters.airedSince}::date` : undefined,
    filters.airedUntil ? sql`${titles.airedTo} < ${filters.airedUntil}::date + 1` : undefined,
    filters.approved ? sql`${titles.approved}` : undefined,
    filters.withoutBroadcastDay ? isNull(titles.broadcastDay) : undefined,
    filters.playable
      ? sql`${titles.malId} in (select ${episodeSources.malId} from ${episodeSources}
          where ${isPlayableSource(viewer)})`
      : undefined,
    filters.externalIds?.length
      ? sql`${titles.malId} in (select ${titleIds.malId} from ${titleIds} where ${or(...filters.externalIds.map(isExternalId))})`
      : undefined,
    filters.sourceMaterials?.length
      ? sql`lower(${titles.source}) = any(${textArray(filters.sourceMaterials.map((name) => name.toLowerCase()))})`
      : undefined,
    filters.minMinutes ? sql`${lengthMinutes} >= ${filters.minMinutes}` : undefined,
    filters.maxMinutes ? sql`${lengthMinutes} <= ${filters.maxMinutes}` : undefined,
    filters.withoutIds?.length ? sql`${titles.malId} <> all(${intArray(filters.withoutIds)})` : undefined,
  );
}

const tagColumns = {
  genre: [titles.genres],
  theme: [titles.themes],
  demographic: [titles.demographics],
  producer: [titles.studios, titles.producers, titles.licensors],
} as const;

async function tagConditions(
  { tags = [], withoutTags = [], companies = [] }: Filters,
  viewer: Viewer,
): Promise<SQL | undefined> {
  if (tags.length + withoutTags.length + companies.length === 0) return undefined;
  const known = await listCountedTags(viewer);
  const genres = new Map(known.filter(({ kind }) => kind !== "producer").map((tag) => [tag.malId, tag]));
  const producers = new Map(known.filter(({ kind }) => kind === "producer").map((tag) => [tag.malId, tag]));
  return and(
    ...tags.map((malId) => hasTag(genres.get(malId))),
    ...withoutTags.map((malId) => not(hasTag(genres.get(malId)))),
    or(...companies.map((malId) => hasTag(producers.get(malId)))),
  );
}

/** An unknown tag matches no title. */
function hasTag(tag: CountedTag | undefined): SQL {
  if (tag === undefined) return sql`false`;
  const names = textArray(tag.spellings);
  return or(...tagColumns[tag.kind].map((column) => sql`${column} && ${names}`)) ?? sql`false`;
}

/** The SQL version of `minutesIn`. */
const lengthMinutes = sql`(
  case when ${titles.duration} ~ ${lengthPatterns.known} then
    60 * coalesce(substring(${titles.duration} from ${lengthPatterns.hours}::text)::int, 0)
    + coalesce(substring(${titles.duration} from ${lengthPatterns.minutes}::text)::int, 0)
  end)`;

function seasonCondition({ years, seasons, seasonsByFirstDay, continuedOn }: Filters): SQL | undefined {
  const hasNamedSeason = and(
    years?.length ? inArray(titles.year, years) : undefined,
    seasons?.length ? inArray(titles.season, seasons) : undefined,
  );
  const isInSeason =
    seasonsByFirstDay && seasons?.length ? or(hasNamedSeason, beginsIn(seasons, years)) : hasNamedSeason;
  if (continuedOn === undefined) return isInSeason;
  const day = sql`${continuedOn}::timestamptz`;
  return or(
    isInSeason,
    and(
      eq(titles.type, "TV"),
      // Series without a start date would otherwise continue into every season.
      sql`${titles.airsFrom} > '-infinity'`,
      sql`${titles.airsFrom} < ${day}`,
      sql`${titles.airsUntil} > ${day}`,
    ),
  );
}

const isExternalId = ({ site, id, season }: ExternalId) =>
  and(
    eq(titleIds.site, site),
    eq(titleIds.externalId, id),
    season === null ? undefined : eq(titleIds.season, season),
  );

/** A value can be one studio name that contains a comma, or several names. The catalog's studio names decide which. */
async function studioCondition(values: readonly string[] | undefined): Promise<SQL | undefined> {
  if (!values?.length) return undefined;
  const known = new Set((await listStudios(catalogKeeper)).map(({ name }) => wordKey(name)));
  const keys = values.flatMap((value) => readNames(value, (key) => (known.has(key) ? key : undefined)).found);
  return keys.length === 0 ? sql`false` : sql`${titles.studioKeys} && ${textArray(keys)}`;
}

/** Splits a typed list of studios at commas. Known studios get the catalog's spelling. */
export async function readStudioNames(text: string): Promise<string[]> {
  const known = new Map((await listStudios(catalogKeeper)).map(({ name }) => [wordKey(name), name]));
  const { found, unknown } = readNames(text, (key) => known.get(key), [","]);
  return [...new Set([...found, ...unknown])];
}

export type Studio = {
  name: string;
  titles: number;
  /** The name in the form that the search compares (`indexKey`). */
  key: string;
};

const studioLists = cachePerVersion<Studio[]>(20);

/** The studios of titles that the viewer may see, ordered by number of titles. */
export const listStudios = (viewer: Viewer): Promise<Studio[]> =>
  studioLists(viewerKey(viewer), async () => {
    const rows = await db.execute<Omit<Studio, "key">>(sql`
      select studio as name, count(*)::int as titles
      from ${titles}, unnest(${titles.studios}) as studio
      where ${visibleTo(viewer)}
      group by studio order by titles desc, studio collate "C"`);
    return rows.map((studio) => ({ ...studio, key: indexKey(studio.name) }));
  });
