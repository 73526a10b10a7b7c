import { and, type SQL, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import {
  listGenresFor,
  listRatingsFor,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import { lastPageOf, pageOf } from "#app/platform/numbered-pages.ts";
import { minutes } from "#app/platform/units.ts";
import { intArray } from "#db/arrays.ts";
import { db, preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import type { ColumnOrder, Filters, Genre, Listing, Order, Title, TitleSuggestion } from "./catalog.ts";
import { titleColumns } from "./catalog-rows.server.ts";
import { bitsOf, filterConditions } from "./filters.server.ts";
import { shownMatch } from "./search/name-similarity.ts";
import { getMatches, type Matches } from "./search/search.server.ts";
import { convincingFit } from "./search/similar-names.server.ts";

/**
 * Lists titles in pages. The first query selects only ids, which PostgreSQL reads from an index at any depth; a second
 * query reads the rows of that page.
 */

type SortOrder = Exclude<Order, "relevance">;

const orderings: Record<SortOrder, SQL> = {
  score: sql`${titles.score} desc nulls last, ${titles.malId}`,
  score_asc: sql`${titles.score} asc nulls last, ${titles.malId}`,
  title: sql`${titles.titleKey} desc, ${titles.malId}`,
  title_asc: sql`${titles.titleKey} asc, ${titles.malId}`,
  popularity: sql`${titles.popularity} asc nulls last, ${titles.malId}`,
  newest: sql`${titles.airedFrom} desc nulls last, ${titles.malId}`,
};

type AnyOrder = Order | ColumnOrder;

function orderingOf(order: AnyOrder): SQL {
  if (order === "relevance") return orderings.score;
  if (typeof order === "string") return orderings[order];
  const column = order.by === "title" ? titles.titleKey : titles[order.by];
  return order.descending
    ? sql`${column} desc nulls last, ${titles.malId}`
    : sql`${column} asc nulls last, ${titles.malId}`;
}

export type ListingQuery = { filters?: Filters; order?: AnyOrder; page?: number; perPage?: number };

const defaultPerPage = 30;
export const maxPerPage = 100;

export async function listTitles(
  { filters = {}, order, page = 1, perPage = defaultPerPage }: ListingQuery,
  viewer: Viewer,
): Promise<Listing> {
  const matches = filters.search === undefined ? undefined : await getMatches(filters.search, viewer);
  const usedOrder = order ?? (matches ? "relevance" : "score");
  const idPage = await readPage({ filters, viewer, matches, order: usedOrder, page, perPage });
  const shown = await listTitlesById(idPage.ids, viewer);
  return {
    titles: shown,
    total: idPage.total,
    page,
    lastPage: lastPageOf(idPage.total, perPage),
    perPage,
    ...(asksForMore(filters, viewer) && { notice: hiddenTitlesText }),
    ...(idPage.guess !== undefined && { guess: idPage.guess }),
    ...(matches && { matched: shownMatches(matches.best, shown, filters.search ?? "") }),
  };
}

/**
 * Cached listings, shared by viewers with the same rights. Airing statuses change with the clock, so entries expire
 * after a minute.
 */
const listings = cachePerVersion<Listing>(100, minutes(1));

/** For pages that many members request with the same result. */
export const listSharedTitles = (query: ListingQuery, viewer: Viewer): Promise<Listing> =>
  listings(JSON.stringify([query, viewer]), () => listTitles(query, viewer));

/** A match that is not among the best shows its title's own name. */
function shownMatches(best: Matches["best"], shown: readonly Title[], query: string) {
  const aliases = new Map(best.map(({ malId, alias }) => [malId, alias]));
  return new Map(
    shown.map((title) => [title.malId, shownMatch(title, aliases.get(title.malId) ?? title.title, query)]),
  );
}

const maxSuggestions = 8;

/**
 * Titles for the text that somebody is typing, each with the name that matched the text. `isGuess` is true if the best
 * name is only similar to the text.
 */
export async function suggestTitles(
  query: string,
  viewer: Viewer,
): Promise<{ suggestions: TitleSuggestion[]; isGuess: boolean }> {
  const matches = await getMatches(query, viewer);
  const topMatches = matches.best.slice(0, maxSuggestions);
  const shown = await listTitlesById(malIdsOf(topMatches), viewer);
  const matched = shownMatches(topMatches, shown, query);
  return {
    suggestions: shown.map((title) => ({ title, matched: matched.get(title.malId) ?? title.title })),
    isGuess: matches.isGuess,
  };
}

/** Leaves out the names of titles that the filters exclude, because the name of a mature title can be mature too. */
function closestName({ best }: Matches, ids: readonly number[]) {
  const passing = new Set(ids);
  return best.find(({ malId, fit }) => passing.has(malId) && fit >= convincingFit)?.alias ?? null;
}

/** True if a filter asks for a genre or rating that is always hidden from this viewer. */
function asksForMore(filters: Filters, viewer: Viewer): boolean {
  const shownGenres = listGenresFor(viewer);
  const shownRatings = listRatingsFor(viewer);
  return (
    (filters.genres?.some((genre) => !shownGenres.includes(genre)) ?? false) ||
    (filters.ratings?.some((code) => !shownRatings.includes(code)) ?? false)
  );
}

const hiddenTitlesText = "Parental control hides titles that this filter asks for.";

type PageRequest = {
  filters: Filters;
  viewer: Viewer;
  matches: Matches | undefined;
  order: AnyOrder;
  page: number;
  perPage: number;
};

type FoundPage = { ids: number[]; total: number; guess?: Listing["guess"] | undefined };

async function readPage(request: PageRequest): Promise<FoundPage> {
  const { filters, viewer, matches, order, page, perPage } = request;
  const offset = (page - 1) * perPage;
  if (matches) {
    const ids = await filterMatches(matches, request);
    return {
      ids: ids.slice(offset, offset + perPage),
      total: ids.length,
      guess: matches.isGuess ? { closest: closestName(matches, ids) } : undefined,
    };
  }
  const total = await countTitles(filters, viewer);
  if (offset >= total) return { ids: [], total };
  return { ids: await listIds(filters, viewer, { order, limit: perPage, offset }), total };
}

async function listIds(
  filters: Filters,
  viewer: Viewer,
  { order, limit, offset }: { order: AnyOrder; limit: number; offset: number },
): Promise<number[]> {
  const conditions = await filterConditions(filters, viewer);
  const rows = await db.execute<{ mal_id: number }>(sql`
    select ${titles.malId} from ${titles} ${where(conditions)}
    order by ${orderingOf(order)} limit ${limit} offset ${offset}`);
  return rows.map((row) => row.mal_id);
}

const where = (conditions: SQL | undefined) => (conditions ? sql`where ${conditions}` : sql``);

/** The matches that pass the filters, in the requested order or with the best match first. */
async function filterMatches(
  matches: Matches,
  { filters, viewer, order }: Pick<PageRequest, "filters" | "viewer" | "order">,
): Promise<number[]> {
  const { malIds } = matches;
  if (malIds.length === 0) return [];
  const conditions = await filterConditions(filters, viewer);
  const conditionsWithIds = and(sql`${titles.malId} = any(${intArray(malIds)})`, conditions);
  const sorted = order === "relevance" ? sql`` : sql`order by ${orderingOf(order)}`;
  const rows = await db.execute<{ mal_id: number }>(
    sql`select ${titles.malId} from ${titles} ${where(conditionsWithIds)} ${sorted}`,
  );
  const ids = rows.map((row) => row.mal_id);
  if (order !== "relevance") return ids;
  const passing = new Set(ids);
  return [...malIds].filter((id) => passing.has(id));
}

/** Airing statuses change with the clock, not with the catalog, so cached counts also expire. */
const counts = cachePerVersion<{ total: number }>(10_000, minutes(10));

export async function countTitles(filters: Filters, viewer: Viewer): Promise<number> {
  if (filters.search !== undefined) return (await listTitles({ filters, perPage: 1 }, viewer)).total;
  const { total } = await counts(JSON.stringify([filters, viewer]), async () => ({
    total: await db.$count(titles, await filterConditions(filters, viewer)),
  }));
  return total;
}

/** The genres of the titles that the viewer sees. */
export async function listGenresWithTitles(viewer: Viewer): Promise<Genre[]> {
  const [row] = await db.execute<{ bits: number | null }>(
    sql`select bit_or(${titles.genreBits}) as bits from ${titles} ${where(visibleTo(viewer))}`,
  );
  return listGenresFor(viewer).filter((genre) => ((row?.bits ?? 0) & bitsOf([genre])) !== 0);
}

/** Ids that are missing from the catalog or hidden from the viewer are left out. */
export async function getTitlesById(
  ids: readonly number[],
  viewer: Viewer,
): Promise<ReadonlyMap<number, Title>> {
  if (ids.length === 0) return new Map();
  const rows = await preparedDb
    .select(titleColumns)
    .from(titles)
    .where(and(sql`${titles.malId} = any(${intArray(ids)})`, visibleTo(viewer)));
  return new Map(rows.map((row) => [row.malId, row]));
}

/** The same in the order of `ids`. */
export async function listTitlesById(ids: readonly number[], viewer: Viewer): Promise<Title[]> {
  const titlesById = await getTitlesById(ids, viewer);
  return ids.flatMap((id) => titlesById.get(id) ?? []);
}

/** The ids, in their order, of the titles that `listTitlesById` returns. */
export async function listShownIds(
  ids: readonly number[],
  viewer: Viewer,
  connection: Pick<typeof db, "select"> = db,
): Promise<number[]> {
  const [row] = await connection
    .select({ ids: sql<number[] | null>`array_agg(${titles.malId})` })
    .from(titles)
    .where(and(sql`${titles.malId} = any(${intArray(ids)})`, visibleTo(viewer)));
  const shown = new Set(row?.ids);
  return ids.filter((id) => shown.has(id));
}

/** One page of those titles. Only this page's titles are read. The last page replaces a page after it. */
export async function listTitlePageById(
  ids: readonly number[],
  asked: { page: number; perPage: number },
  viewer: Viewer,
): Promise<Listing> {
  const { items, ...facts } = pageOf(await listShownIds(ids, viewer), asked);
  return { titles: await listTitlesById(items, viewer), ...facts };
}

/** Each random title costs queries. Turns keep requests for them from many addresses from delaying everybody else. */
const randomTurn = createTurns(
  { total: 4, perClient: 1, perAccount: 1 },
  createRefusalCounter(
    "random",
    "Clients ask for random titles faster than the site can choose them, so some get 503",
  ),
);

/** A random title that passes the filters, or null if there is none. */
export const findRandomTitle = (filters: Filters, viewer: Viewer): Promise<Title | null> =>
  randomTurn(() => chooseTitle(filters, viewer));

/** Not a page of one title from `listTitles`, which would filter the matches of a search twice. */
async function chooseTitle(filters: Filters, viewer: Viewer): Promise<Title | null> {
  const matches = filters.search === undefined ? undefined : await getMatches(filters.search, viewer);
  if (matches) {
    const ids = await filterMatches(matches, { filters, viewer, order: "relevance" });
    const at = Math.floor(Math.random() * ids.length);
    return (await listTitlesById(ids.slice(at, at + 1), viewer))[0] ?? null;
  }
  const total = await countTitles(filters, viewer);
  const offset = Math.floor(Math.random() * total);
  const chosen = await listIds(filters, viewer, { order: "score", limit: 1, offset });
  return (await listTitlesById(chosen, viewer))[0] ?? null;
}
