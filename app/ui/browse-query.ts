import {
  type AiringStatus,
  type AnimeType,
  animeTypes,
  type Filters,
  type Genre,
  genres,
  type Order,
  type RatingCode,
  ratingCodes,
  type Season,
  seasons,
  type Weekday,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { type Sort, sorts, wordOf } from "./browse-words.ts";
import type { Fields } from "./form-fields.ts";

/** Every state of the browse page is its address. This is what the address says, and how it is written. */
export type BrowseQuery = {
  q: string;
  genres: Genre[];
  without: Genre[];
  types: AnimeType[];
  status: AiringStatus | null;
  season: Season | null;
  year: number | null;
  rating: RatingCode | null;
  studio: string;
  score: number | null;
  day: Weekday | null;
  hasBanner: boolean;
  playable: boolean;
  hideMine: boolean;
  sort: Sort;
  /** The first page shown, and how many pages follow it on the same screen. */
  page: number;
  more: number;
};

export const statusWords = {
  airing: "Currently Airing",
  finished: "Finished Airing",
  upcoming: "Not yet aired",
} as const satisfies Record<string, AiringStatus>;

/** More pages than this on one screen would make the browser slow; from there on one pages. */
export const mostMore = 4;

const pick = <Name extends string>(names: readonly Name[], words: readonly string[]): Name[] =>
  names.filter((name) => words.includes(wordOf(name)));
const pickOne = <Name extends string>(names: readonly Name[], word: string | null): Name | null =>
  word === null ? null : (pick(names, [word.toLowerCase()])[0] ?? null);

function wholeNumber(text: string | null, least: number, most: number): number | null {
  const value = text !== null && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function scoreOf(text: string | null): number | null {
  const value = text !== null && /^\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 && value <= 10 ? value : null;
}

const longestText = 200;

/** Anything unknown is left out: an old or mistyped address still shows a page. */
export function parseBrowse(search: URLSearchParams): BrowseQuery {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, longestText).replaceAll("\0", "");
  const words = (name: string) => search.getAll(name).flatMap((value) => value.toLowerCase().split(","));
  const picked = (choice: string) =>
    pick(
      genres,
      genres.map(wordOf).filter((word) => search.get(word) === choice),
    );
  const without = [...new Set([...pick(genres, words("without")), ...picked("without")])];
  const wanted = [...new Set([...pick(genres, words("genre")), ...picked("with")])];
  const q = text("q");
  const sort = text("sort");
  // The plus of `r+` is a space once decoded.
  const rating = search.get("rating")?.toLowerCase().replace(" ", "+");
  return {
    q,
    genres: wanted.filter((genre) => !without.includes(genre)),
    without,
    types: pick(animeTypes, words("type")),
    status: statusWords[text("status") as keyof typeof statusWords] ?? null,
    season: pickOne(seasons, search.get("season")),
    year: wholeNumber(search.get("year"), 1900, 2200),
    rating: ratingCodes.find((code) => code === rating) ?? null,
    studio: text("studio"),
    score: scoreOf(search.get("score")),
    day: pickOne(weekdays, search.get("day")),
    hasBanner: search.get("banner") === "1",
    playable: search.get("watch") === "1",
    hideMine: search.get("mine") === "0",
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : defaultSort(q),
    page: wholeNumber(search.get("page"), 1, 99_999) ?? 1,
    more: wholeNumber(search.get("more"), 1, mostMore) ?? 0,
  };
}

const defaultSort = (q: string): Sort => (q === "" ? "popular" : "relevance");

/** The one spelling of an address: `?…`, or nothing when nothing is chosen. */
export function formatBrowse(query: BrowseQuery): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") search.append(name, String(value));
  };
  set("q", query.q);
  for (const genre of query.genres) set("genre", wordOf(genre));
  for (const genre of query.without) set("without", wordOf(genre));
  for (const type of query.types) set("type", wordOf(type));
  set("status", statusWordOf(query.status));
  set("season", query.season && wordOf(query.season));
  set("year", query.year);
  set("rating", query.rating);
  set("studio", query.studio);
  set("score", query.score);
  set("day", query.day && wordOf(query.day));
  if (query.hasBanner) set("banner", 1);
  if (query.playable) set("watch", 1);
  if (query.hideMine) set("mine", 0);
  if (query.sort !== defaultSort(query.q)) set("sort", query.sort);
  if (query.page > 1) set("page", query.page);
  if (query.more > 0) set("more", query.more);
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

const statusWordOf = (status: AiringStatus | null): string | null =>
  Object.entries(statusWords).find(([, name]) => name === status)?.[0] ?? null;

/** One thing chosen, by the name a person would use, and the query without it. */
export type NarrowedBy = { key: string; label: string; rest: BrowseQuery };

export function chosenFilters(query: BrowseQuery): NarrowedBy[] {
  const chosen: NarrowedBy[] = [];
  const add = (key: string, label: string | null | false, change: Partial<BrowseQuery>) => {
    if (label !== null && label !== false && label !== "")
      chosen.push({ key, label, rest: { ...query, ...change, page: 1, more: 0 } });
  };
  const but = <Item>(items: readonly Item[], item: Item) => items.filter((other) => other !== item);
  add("q", query.q && `“${query.q}”`, { q: "", sort: query.sort === "relevance" ? "popular" : query.sort });
  for (const genre of query.genres) add(`with ${genre}`, genre, { genres: but(query.genres, genre) });
  for (const genre of query.without)
    add(`without ${genre}`, `Not ${genre}`, { without: but(query.without, genre) });
  for (const type of query.types) add(`type ${type}`, type, { types: but(query.types, type) });
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

const statusLabel = (status: AiringStatus): string =>
  ({ "Currently Airing": "Airing now", "Finished Airing": "Finished", "Not yet aired": "Upcoming" })[status];

export const emptyBrowse: BrowseQuery = parseBrowse(new URLSearchParams());

/** The filter form's fields for a query: as its address, but genres are one field each. */
export function fieldsOf(query: BrowseQuery): Fields {
  const search = new URLSearchParams(formatBrowse(query));
  const fields: Record<string, string[]> = { sort: [query.sort] };
  for (const name of search.keys()) fields[name] = search.getAll(name);
  for (const genre of query.genres) fields[wordOf(genre)] = ["with"];
  for (const genre of query.without) fields[wordOf(genre)] = ["without"];
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

/** The same question in the catalog's own terms. */
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
