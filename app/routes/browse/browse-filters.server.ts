import type { AiringStatus, Filters, Order } from "#app/domain/catalog/catalog.ts";
import { type Sort, slugOfName, statuses } from "#app/ui/browse-choices.ts";
import { type BrowseQuery, formatBrowseQuery } from "#app/ui/browse-query.server.ts";
import type { Fields } from "./filter-fields.ts";

/** What the browse pages derive from a query: the chosen filters, the values of the form, and the catalog's filters. */

/** A chosen filter: its label, and the query without it. */
type ChosenFilter = { key: string; label: string; rest: BrowseQuery };

export function chosenFilters(query: BrowseQuery): ChosenFilter[] {
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
  for (const type of query.types) add(`type ${type}`, type, { types: allBut(query.types, type) });
  add("status", query.status && statusLabel(query.status), { status: null });
  add("season", query.season, { season: null });
  add("year", query.year === null ? null : String(query.year), { year: null });
  add("rating", query.rating && `Rated ${query.rating.toUpperCase()}`, { rating: null });
  add("studio", query.studio, { studio: "" });
  add("score", query.score === null ? null : `Score ${query.score} or more`, { score: null });
  add("day", query.day && `On ${query.day}s`, { day: null });
  add("banner", query.hasBanner && "Has a banner", { hasBanner: false });
  add("watch", query.playable && "Can be watched here", { playable: false });
  add("mine", query.hideMine && "Not in my list", { hideMine: false });
  return chosen;
}

const statusLabel = (wanted: AiringStatus): string | null =>
  Object.values(statuses).find(({ status }) => status === wanted)?.label ?? null;

/** The values of the filter form. The names are those of the address, but each genre is a separate field. */
export function fieldsOf(query: BrowseQuery): Fields {
  const search = new URLSearchParams(formatBrowseQuery(query));
  const fields: Record<string, string[]> = { sort: [query.sort] };
  for (const name of search.keys()) fields[name] = search.getAll(name);
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
export function catalogQuery(query: BrowseQuery): { filters: Filters; order: Order } {
  const filters: Filters = {
    ...(query.q !== "" && { search: query.q }),
    ...(query.genres.length > 0 && { genres: query.genres, allGenres: true }),
    ...(query.without.length > 0 && { withoutGenres: query.without }),
    ...(query.types.length > 0 && { types: query.types }),
    ...(query.status !== null && { statuses: [query.status] }),
    ...(query.season !== null && { seasons: [query.season] }),
    ...(query.year !== null && { years: [query.year] }),
    ...(query.rating !== null && { ratings: [query.rating] }),
    ...(query.studio !== "" && { studios: [query.studio] }),
    ...(query.score !== null && { minScore: query.score }),
    ...(query.day !== null && { broadcastDays: [query.day] }),
    ...(query.hasBanner && { hasBanner: true }),
    ...(query.playable && { playable: true }),
  };
  return { filters, order: query.q === "" && query.sort === "relevance" ? "popularity" : orders[query.sort] };
}
