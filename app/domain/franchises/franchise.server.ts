import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { getTitlesById, getVisibleTitle } from "#app/domain/catalog/catalog.server.ts";
import { minutesIn, type Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { minutes } from "#app/platform/units.ts";
import { intArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { franchiseConnections, franchiseRedirects, franchiseTitles } from "#db/schema/franchises.ts";
import { type FranchiseMark, maySkip, passedOverMarks } from "./marks.ts";

/** Reads a franchise as a viewer sees it: every place and count is of the titles that this viewer may see. */

/** A title's place in its franchise. */
export type FranchisePlace = {
  malId: number;
  mark: FranchiseMark;
  /** When the title begins to air, in milliseconds since 1970. Infinity if nobody knows it. */
  airsFrom: number;
  /** The place in the order of release, from 1. */
  released: number;
  /** The place in the main line, from 1. Null for titles beside it. */
  mainPart: number | null;
  /** The title and the episodes that this one is a summary of. Null if it is no summary. */
  summary: Summary | null;
  /** The title beside the main line that tells this part of it too. */
  toldBy: number | null;
};

/** `of` is null if the viewer cannot see the title that is summed up. `untilEpisode` is null if nobody knows it. */
type Summary = { of: number | null; untilEpisode: number | null };

/** The order of a franchise, without what the catalog knows about its titles. */
type FranchiseOrder = {
  id: number;
  /** In the order of the story. */
  places: readonly FranchisePlace[];
  mainParts: number;
  /** The title that names the franchise. */
  namesake: number;
  /** Other franchises that are related to this one, each with the title that the relation leads to and its namesake. */
  connected: readonly { id: number; malId: number; namesake: number }[];
};

export type FranchisePart = FranchisePlace & {
  title: Title;
  /** The length of all episodes; null if it is not known. */
  minutes: number | null;
};

export type Franchise = Omit<FranchiseOrder, "places" | "connected"> & {
  name: string;
  /** In the order of the story. */
  parts: FranchisePart[];
  connected: { id: number; namesake: Title; title: Title }[];
};

/** A franchise as the page of one of its titles shows it. */
export type FranchiseAround = Omit<FranchiseOrder, "namesake" | "connected"> & {
  name: string;
  own: FranchisePlace;
  /** The title that the own one sums up, if the viewer sees it. */
  summed: Title | null;
  /** The titles next to the own one in the order of the story, and the own one. */
  parts: FranchisePart[];
};

/** Null if the title has no franchise, or if the viewer sees no other title of it. */
export async function findFranchise(malId: number, viewer: Viewer): Promise<Outcome<Franchise | null>> {
  const title = await getVisibleTitle(malId, viewer);
  if (!title.ok) return title;
  const order = await findOrderOf(malId, viewer);
  return done(order && (await withTitles(order, viewer)));
}

/**
 * Finds a franchise by its number. If another franchise has taken it in, returns that one, whose `id` differs. Null if
 * the viewer sees no franchise there.
 */
export async function findFranchiseNumbered(id: number, viewer: Viewer): Promise<Franchise | null> {
  const order = await findOrderNumbered(id, viewer);
  return order && withTitles(order, viewer);
}

type Around = { franchise: FranchiseAround | null };

/** Airing statuses change with the clock, so entries expire after a minute. */
const franchisesAround = cachePerVersion<Around>(150, minutes(1));

/**
 * Like `findFranchise`, but with the titles of at most `limit` parts. If there are more, summaries and specials are left
 * out first. Null also if the viewer cannot see the title.
 */
export async function findFranchiseAround(
  malId: number,
  limit: number,
  viewer: Viewer,
): Promise<FranchiseAround | null> {
  const { franchise } = await franchisesAround(`${malId} ${limit} ${viewerKey(viewer)}`, async () => ({
    franchise: await readFranchiseAround(malId, limit, viewer),
  }));
  return franchise;
}

async function readFranchiseAround(
  malId: number,
  limit: number,
  viewer: Viewer,
): Promise<FranchiseAround | null> {
  const order = await findOrderOf(malId, viewer);
  const own = order?.places.find((place) => place.malId === malId);
  if (!order || !own || order.places.length < 2) return null;
  const { id, places, mainParts, namesake } = order;
  const inLine = places.length <= limit ? places : places.filter((place) => place === own || !maySkip(place));
  const first = Math.max(0, Math.min(inLine.indexOf(own) - Math.floor(limit / 3), inLine.length - limit));
  const around = inLine.slice(first, first + limit);
  const besides = places.filter(({ malId: of }) => of === namesake || of === own.summary?.of);
  const parts = await toParts([...new Set([...around, ...besides])], viewer);
  return {
    id,
    name: nameOf(parts, namesake),
    places,
    mainParts,
    own,
    summed: parts.find(({ malId: of }) => of === own.summary?.of)?.title ?? null,
    parts: parts.filter(({ malId }) => around.some((place) => place.malId === malId)),
  };
}

async function findOrderOf(malId: number, viewer: Viewer): Promise<FranchiseOrder | null> {
  const own = alias(franchiseTitles, "own");
  const numberOfTitle = db.select({ id: own.franchiseId }).from(own).where(eq(own.malId, malId));
  const order = await readOrder(sql`(${numberOfTitle})`, viewer);
  return order?.places.some((place) => place.malId === malId) ? order : null;
}

function findOrderNumbered(id: number, viewer: Viewer): Promise<FranchiseOrder | null> {
  const takenInBy = db
    .select({ toId: franchiseRedirects.toId })
    .from(franchiseRedirects)
    .where(eq(franchiseRedirects.fromId, id));
  return readOrder(sql`coalesce((${takenInBy}), ${id}::int)`, viewer);
}

/** Null if the viewer sees no title of the franchise, or a single one that is connected with no other. */
async function readOrder(id: SQL, viewer: Viewer): Promise<FranchiseOrder | null> {
  const rows = await db
    .select({
      id: franchiseTitles.franchiseId,
      malId: franchiseTitles.malId,
      mark: franchiseTitles.mark,
      airsFrom: sql<number>`(1000 * extract(epoch from ${titles.airsFrom}))::float8`,
      released: franchiseTitles.released,
      summaryOf: franchiseTitles.summaryOf,
      summaryUntil: franchiseTitles.summaryUntil,
      toldBy: franchiseTitles.toldBy,
      namesake: namesakeIn(id, viewer),
    })
    .from(franchiseTitles)
    .innerJoin(titles, eq(titles.malId, franchiseTitles.malId))
    .where(and(sql`${franchiseTitles.franchiseId} = ${id}`, visibleTo(viewer)))
    .orderBy(franchiseTitles.story);
  const [first] = rows;
  if (!first) return null;
  const malIds = malIdsOf(rows);
  const connected = await listConnected(malIds, first.id, viewer);
  if (rows.length === 1 && connected.length === 0) return null;
  const released = [...rows].sort((one, other) => one.released - other.released).map((row) => row.malId);
  let mainParts = 0;
  const places = rows.map(
    (row): FranchisePlace => ({
      malId: row.malId,
      mark: row.mark,
      airsFrom: row.airsFrom,
      released: released.indexOf(row.malId) + 1,
      mainPart: row.mark === "main" ? ++mainParts : null,
      summary:
        row.summaryOf === null
          ? null
          : {
              of: malIds.includes(row.summaryOf) ? row.summaryOf : null,
              untilEpisode: row.summaryUntil,
            },
      toldBy: row.toldBy,
    }),
  );
  return { id: first.id, places, mainParts, namesake: first.namesake, connected };
}

/** The title after which a franchise is named: the first released one of the main line, or else of all. */
const namesakeIn = (franchiseId: SQL, viewer: Viewer) => sql<number>`(
  select part.mal_id from ${franchiseTitles} part
    join ${titles} title on title.mal_id = part.mal_id and ${visibleTo(viewer, "title")}
  where part.franchise_id = ${franchiseId}
  order by part.mark <> 'main', part.released limit 1)`;

const listConnected = (malIds: readonly number[], id: number, viewer: Viewer) =>
  db
    .select({
      id: franchiseTitles.franchiseId,
      malId: sql<number>`min(${franchiseTitles.malId})`,
      namesake: namesakeIn(sql`${franchiseTitles.franchiseId}`, viewer),
    })
    .from(franchiseConnections)
    .innerJoin(franchiseTitles, eq(franchiseTitles.malId, franchiseConnections.relatedId))
    .innerJoin(titles, eq(titles.malId, franchiseTitles.malId))
    .where(
      and(
        inArray(franchiseConnections.malId, [...malIds]),
        ne(franchiseTitles.franchiseId, id),
        visibleTo(viewer),
      ),
    )
    .groupBy(franchiseTitles.franchiseId)
    .orderBy(franchiseTitles.franchiseId);

async function withTitles(
  { id, places, mainParts, namesake, connected }: FranchiseOrder,
  viewer: Viewer,
): Promise<Franchise> {
  const [parts, titleOf] = await Promise.all([
    toParts(places, viewer),
    getTitlesById(
      connected.flatMap(({ malId, namesake }) => [malId, namesake]),
      viewer,
    ),
  ]);
  return {
    id,
    name: nameOf(parts, namesake),
    parts,
    mainParts,
    namesake,
    connected: connected.flatMap((other) => {
      const title = titleOf.get(other.malId);
      const namesakeTitle = titleOf.get(other.namesake);
      return title && namesakeTitle ? [{ id: other.id, namesake: namesakeTitle, title }] : [];
    }),
  };
}

async function toParts(places: readonly FranchisePlace[], viewer: Viewer): Promise<FranchisePart[]> {
  const titleOf = await getTitlesById(malIdsOf(places), viewer);
  return places.flatMap((place): FranchisePart[] => {
    const title = titleOf.get(place.malId);
    return title ? [{ ...place, title, minutes: minutesOf(title) }] : [];
  });
}

function minutesOf({ duration, episodes }: Title): number | null {
  const perEpisode = minutesIn(duration);
  return perEpisode === null || episodes === null ? null : perEpisode * episodes;
}

const nameOf = (parts: readonly FranchisePart[], namesake: number): string =>
  parts.find(({ malId }) => malId === namesake)?.title.title ?? "";

/** The title and all others of its franchise, including those that some viewers cannot see. */
export async function listFranchiseTitles(malId: number): Promise<number[]> {
  const own = alias(franchiseTitles, "own");
  const rows = await db
    .select({ malId: franchiseTitles.malId })
    .from(own)
    .innerJoin(franchiseTitles, eq(franchiseTitles.franchiseId, own.franchiseId))
    .where(eq(own.malId, malId))
    .orderBy(franchiseTitles.story);
  return rows.length === 0 ? [malId] : malIdsOf(rows);
}

/** Keeps only the first title of each franchise, and all titles without one. */
export async function firstOfEachFranchise(malIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ malId: franchiseTitles.malId, franchiseId: franchiseTitles.franchiseId })
    .from(franchiseTitles)
    .where(inArray(franchiseTitles.malId, [...malIds]));
  const franchiseOf = new Map(rows.map((row) => [row.malId, row.franchiseId]));
  const seen = new Set<number>();
  return malIds.filter((malId) => {
    const franchise = franchiseOf.get(malId);
    if (franchise === undefined) return true;
    if (seen.has(franchise)) return false;
    seen.add(franchise);
    return true;
  });
}

/**
 * Keeps the titles that can be watched without having seen another: the beginning of each franchise, and all titles
 * without a franchise. So each franchise appears at most once. `besides` is a title whose whole franchise is left out.
 */
export async function listBeginnings(
  malIds: readonly number[],
  viewer: Viewer,
  besides?: number,
): Promise<number[]> {
  const rows = await db.execute<{ mal_id: number }>(sql`
    select own.mal_id from ${franchiseTitles} own
    where own.mal_id = any(${intArray(malIds)}) and (own.mal_id <> (
      select part.mal_id from ${franchiseTitles} part
        join ${titles} title on title.mal_id = part.mal_id and ${visibleTo(viewer, "title")}
      where part.franchise_id = own.franchise_id
      order by part.mark <> 'main', part.mark in ${passedOverMarks}, part.story limit 1)
      or own.franchise_id = (select franchise_id from ${franchiseTitles} where mal_id = ${besides ?? null}::int))`);
  const later = new Set(rows.map((row) => row.mal_id));
  return malIds.filter((malId) => !later.has(malId));
}
