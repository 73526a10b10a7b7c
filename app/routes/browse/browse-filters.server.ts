import { type CountedTag, listCountedTags, listStudios } from "#app/domain/catalog/catalog.server.ts";
import {
  type AiringStatus,
  type Filters,
  type Order,
  seasons,
  titleTypes,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { wordKey } from "#app/domain/names/names.ts";
import { listGenresFor, listRatingsFor, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import { ratingChoices, type Sort, slugOfName, statuses } from "#app/wire/browse-choices.ts";
import {
  type BrowseQuery,
  formatBrowseQuery,
  lengths,
  sourceMaterialNames,
  tagSlugOf,
} from "#app/wire/browse-query.server.ts";
import type { Fields } from "./filter-fields.ts";

/**
 * The values that the browse pages derive from a query: the chosen filters, the values of the form, and the catalog's
 * filters.
 */

/** A chosen filter: its label, and the query without it. */
type ChosenFilter = { key: string; label: string; rest: BrowseQuery };

/** The tags of the catalog by their names in addresses. Companies are not among them. */
type TagsBySlug = ReadonlyMap<string, CountedTag>;

export async function readTags(viewer: Viewer): Promise<{ tags: TagsBySlug; companies: CountedTag[] }> {
  const all = await listCountedTags(viewer);
  const tags = all.filter(({ kind }) => kind === "theme" || kind === "demographic");
  return {
    tags: new Map(tags.map((tag) => [tagSlugOf(tag.name), tag])),
    companies: all.filter(({ kind }) => kind === "producer"),
  };
}

/** Completes tags of which only the beginning was typed. A word that no tag begins with stays and finds no title. */
export function withWholeTags(query: BrowseQuery, tags: TagsBySlug): BrowseQuery {
  const slugs = [...tags.keys()];
  const whole = (typed: string) =>
    tags.has(typed) ? typed : (slugs.find((slug) => slug.startsWith(typed)) ?? typed);
  const withoutTags = [...new Set(query.withoutTags.map(whole))];
  const wanted = [...new Set(query.tags.map(whole))];
  return { ...query, withoutTags, tags: wanted.filter((tag) => !withoutTags.includes(tag)) };
}

export function chosenFilters(query: BrowseQuery, tags: TagsBySlug = new Map()): ChosenFilter[] {
  const chosen: ChosenFilter[] = [];
  const add = (key: string, label: string | null | false, change: Partial<BrowseQuery>) => {
    if (label !== null && label !== false && label !== "")
      chosen.push({ key, label, rest: { ...query, ...change, page: 1, more: 0 } });
  };
  const allBut = <Item>(items: readonly Item[], item: Item) => items.filter((other) => other !== item);
  add("q", query.q && `“${query.q}”`, { q: "", sort: query.sort === "relevance" ? "popular" : query.sort });
  for (const genre of query.genres) add(`with ${genre}`, genre, { genres: allBut(query.genres, genre) });
  for (const genre of query.without)
    add(`without ${genre}`, `Not ${genre}`, { without: allBut(query.without, genre) });
  const nameOf = (tag: string) => tags.get(tag)?.name ?? tag;
  for (const tag of query.tags) add(`tag ${tag}`, nameOf(tag), { tags: allBut(query.tags, tag) });
  for (const tag of query.withoutTags)
    add(`not ${tag}`, `Not ${nameOf(tag)}`, { withoutTags: allBut(query.withoutTags, tag) });
  for (const type of query.types) add(`type ${type}`, type, { types: allBut(query.types, type) });
  add("status", query.status && statusLabel(query.status), { status: null });
  add("season", query.season, { season: null });
  add("years", yearsText(query), { from: null, to: null });
  add("rating", query.rating && `Rated ${query.rating.toUpperCase()}`, { rating: null });
  add("studio", query.studio, { studio: "" });
  add("company", query.company && `With ${query.company}`, { company: "" });
  add("source", query.sourceMaterial && sourceText(query.sourceMaterial), { sourceMaterial: null });
  add("length", query.length && lengths[query.length].label, { length: null });
  add("score", query.score === null ? null : `Score ${query.score} or more`, { score: null });
  add("day", query.day && `On ${query.day}s`, { day: null });
  add("banner", query.hasBanner && "Has a banner", { hasBanner: false });
  add("watch", query.playable && "Can be watched here", { playable: false });
  add("mine", query.hideMine && "Not in my list", { hideMine: false });
  return chosen;
}

function yearsText({ from, to }: BrowseQuery): string | null {
  if (from === to) return from === null ? null : String(from);
  if (from === null) return `Until ${to}`;
  return to === null ? `Since ${from}` : `${from} to ${to}`;
}

const sourceText = (name: string) => (name === "Original" ? "Original story" : `Based on: ${name}`);

const statusLabel = (wanted: AiringStatus): string | null =>
  Object.values(statuses).find(({ status }) => status === wanted)?.label ?? null;

/** The values of the filter form. The names are those of the address, but each genre is a separate field. */
export function fieldsOf(query: BrowseQuery): Fields {
  const search = new URLSearchParams(formatBrowseQuery(query));
  const fields: Record<string, string[]> = { sort: [query.sort] };
  for (const name of search.keys()) fields[name] = search.getAll(name);
  fields["tag"] = [query.tags.join(",")];
  fields["not-tag"] = [query.withoutTags.join(",")];
  fields["from"] = query.from === null ? [] : [String(query.from)];
  fields["to"] = query.to === null ? [] : [String(query.to)];
  for (const genre of query.genres) fields[slugOfName(genre)] = ["with"];
  for (const genre of query.without) fields[slugOfName(genre)] = ["without"];
  return fields;
}

const orders: Record<Sort, Order> = {
  popular: "popularity",
  score: "score",
  newest: "newest",
  title: "title_asc",
  "title-desc": "title",
  "score-asc": "score_asc",
  relevance: "relevance",
};

/** The query as the catalog's filters and order. */
export function catalogQuery(
  query: BrowseQuery,
  { tags, companies }: Awaited<ReturnType<typeof readTags>>,
): { filters: Filters; order: Order } {
  const numbersOf = (slugs: readonly string[]) => slugs.map((slug) => tags.get(slug)?.malId ?? unknownNumber);
  const filters: Filters = {
    ...(query.q !== "" && { search: query.q }),
    ...(query.genres.length > 0 && { genres: query.genres, allGenres: true }),
    ...(query.without.length > 0 && { withoutGenres: query.without }),
    ...(query.tags.length > 0 && { tags: numbersOf(query.tags) }),
    ...(query.withoutTags.length > 0 && { withoutTags: numbersOf(query.withoutTags) }),
    ...(query.types.length > 0 && { types: query.types }),
    ...(query.status !== null && { statuses: [query.status] }),
    ...(query.season !== null && { seasons: [query.season], seasonsByFirstDay: true }),
    ...yearFilter(query),
    ...(query.rating !== null && { ratings: [query.rating] }),
    ...(query.studio !== "" && { studios: [query.studio] }),
    ...(query.company !== "" && { companies: numbersOfCompany(query.company, companies) }),
    ...(query.sourceMaterial !== null && { sourceMaterials: [query.sourceMaterial] }),
    ...lengthFilter(query),
    ...(query.score !== null && { minScore: query.score }),
    ...(query.day !== null && { broadcastDays: [query.day] }),
    ...(query.hasBanner && { hasBanner: true }),
    ...(query.playable && { playable: true }),
  };
  return { filters, order: query.q === "" && query.sort === "relevance" ? "popularity" : orders[query.sort] };
}

/** An id that no tag and no company has. */
const unknownNumber = 0;

function numbersOfCompany(name: string, companies: readonly CountedTag[]): number[] {
  const key = wordKey(name);
  const numbers = companies.filter((company) => wordKey(company.name) === key).map(({ malId }) => malId);
  return numbers.length > 0 ? numbers : [unknownNumber];
}

/** The year of the oldest known anime. */
export const firstYear = 1917;

function yearFilter({ from, to }: BrowseQuery): Filters {
  if (from === null && to === null) return {};
  const first = from ?? Math.min(firstYear, to ?? firstYear);
  const last = to ?? Math.max(first, new Date().getUTCFullYear() + 5);
  return { years: Array.from({ length: last - first + 1 }, (_, index) => first + index) };
}

function lengthFilter({ length }: BrowseQuery): Filters {
  if (length === null) return {};
  const { label: _, ...minutes } = lengths[length];
  return minutes;
}

/** The choices of the filter form. For studios, only the largest. */
export async function offeredTo(viewer: Viewer, tags: TagsBySlug) {
  const options = (names: readonly string[]) => names.map((name) => [slugOfName(name), name] as const);
  return {
    genres: listGenresFor(viewer),
    tags: [...tags.values()].map(({ name }) => name).sort(),
    studios: (await listStudios(viewer)).slice(0, maxStudios).map(({ name }) => name),
    types: options(titleTypes),
    seasons: options(seasons),
    days: options(weekdays),
    statuses: Object.entries(statuses).map(([slug, { label }]) => [slug, label] as const),
    scores: ["9", "8", "7", "6", "5"].map((score) => [score, `${score} or more`] as const),
    ratings: listRatingsFor(viewer).map((code) => [code, ratingChoices[code]] as const),
    sources: options(sourceMaterialNames),
    lengths: Object.entries(lengths).map(([slug, { label }]) => [slug, label] as const),
  };
}

const maxStudios = 120;
