import {
  type AiringStatus,
  type Genre,
  genres,
  type RatingCode,
  ratingCodes,
  type Season,
  seasons,
  type TitleType,
  titleTypes,
  type Weekday,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { type Sort, slugOfName, sortLabels, statuses } from "./browse-words.ts";

/** Every state of the browse page is its address. This is what the address says, and how it is written. */
export type BrowseQuery = {
  q: string;
  genres: Genre[];
  without: Genre[];
  types: TitleType[];
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

/** More pages than this on one screen would make the browser slow; from there on one pages. */
export const maxMorePages = 4;

const pick = <Name extends string>(names: readonly Name[], words: readonly string[]): Name[] =>
  names.filter((name) => words.includes(slugOfName(name)));
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
export function parseBrowseQuery(search: URLSearchParams): BrowseQuery {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, longestText).replaceAll("\0", "");
  const words = (name: string) => search.getAll(name).flatMap((value) => value.toLowerCase().split(","));
  const picked = (choice: string) =>
    pick(
      genres,
      genres.map(slugOfName).filter((word) => search.get(word) === choice),
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
    types: pick(titleTypes, words("type")),
    status: statuses[text("status") as keyof typeof statuses]?.status ?? null,
    season: pickOne(seasons, search.get("season")),
    year: wholeNumber(search.get("year"), 1900, 2200),
    rating: ratingCodes.find((code) => code === rating) ?? null,
    studio: text("studio"),
    score: scoreOf(search.get("score")),
    day: pickOne(weekdays, search.get("day")),
    hasBanner: search.get("banner") === "1",
    playable: search.get("watch") === "1",
    hideMine: search.get("mine") === "0",
    sort: Object.hasOwn(sortLabels, sort) ? (sort as Sort) : defaultSort(q),
    page: wholeNumber(search.get("page"), 1, 99_999) ?? 1,
    more: wholeNumber(search.get("more"), 1, maxMorePages) ?? 0,
  };
}

const defaultSort = (q: string): Sort => (q === "" ? "popular" : "relevance");

/** The one spelling of an address: `?…`, or nothing when nothing is chosen. */
export function formatBrowseQuery(query: BrowseQuery): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") search.append(name, String(value));
  };
  set("q", query.q);
  for (const genre of query.genres) set("genre", slugOfName(genre));
  for (const genre of query.without) set("without", slugOfName(genre));
  for (const type of query.types) set("type", slugOfName(type));
  set("status", statusWordOf(query.status));
  set("season", query.season && slugOfName(query.season));
  set("year", query.year);
  set("rating", query.rating);
  set("studio", query.studio);
  set("score", query.score);
  set("day", query.day && slugOfName(query.day));
  if (query.hasBanner) set("banner", 1);
  if (query.playable) set("watch", 1);
  if (query.hideMine) set("mine", 0);
  if (query.sort !== defaultSort(query.q)) set("sort", query.sort);
  if (query.page > 1) set("page", query.page);
  if (query.more > 0) set("more", query.more);
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

const statusWordOf = (wanted: AiringStatus | null): string | null =>
  Object.entries(statuses).find(([, { status }]) => status === wanted)?.[0] ?? null;

export const emptyBrowseQuery: BrowseQuery = parseBrowseQuery(new URLSearchParams());
