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
import { type Sort, slugOfName, sortLabels, statuses } from "./browse-choices.ts";

/** The state of the browse page, all of which its address holds. */
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

/** More pages than this on one screen would make the browser slow. */
export const maxMorePages = 4;

const pick = <Name extends string>(names: readonly Name[], slugs: readonly string[]): Name[] =>
  names.filter((name) => slugs.includes(slugOfName(name)));
const pickOne = <Name extends string>(names: readonly Name[], slug: string | null): Name | null =>
  slug === null ? null : (pick(names, [slug.toLowerCase()])[0] ?? null);

function wholeNumber(text: string | null, min: number, max: number): number | null {
  const value = text !== null && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

function scoreOf(text: string | null): number | null {
  const value = text !== null && /^\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 && value <= 10 ? value : null;
}

const maxTextLength = 200;

/** Ignores unknown values, so that an old or mistyped address still shows a page. */
export function parseBrowseQuery(search: URLSearchParams): BrowseQuery {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, maxTextLength).replaceAll("\0", "");
  const slugs = (name: string) => search.getAll(name).flatMap((value) => value.toLowerCase().split(","));
  const picked = (choice: string) =>
    pick(
      genres,
      genres.map(slugOfName).filter((slug) => search.get(slug) === choice),
    );
  const without = [...new Set([...pick(genres, slugs("without")), ...picked("without")])];
  const wanted = [...new Set([...pick(genres, slugs("genre")), ...picked("with")])];
  const q = text("q");
  const sort = text("sort");
  // The plus of `r+` is a space once decoded.
  const rating = search.get("rating")?.toLowerCase().replace(" ", "+");
  return {
    q,
    genres: wanted.filter((genre) => !without.includes(genre)),
    without,
    types: pick(titleTypes, slugs("type")),
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

/** The canonical query string: `?…`, or empty if nothing is chosen. */
export function formatBrowseQuery(query: BrowseQuery): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") search.append(name, String(value));
  };
  set("q", query.q);
  for (const genre of query.genres) set("genre", slugOfName(genre));
  for (const genre of query.without) set("without", slugOfName(genre));
  for (const type of query.types) set("type", slugOfName(type));
  set("status", statusSlugOf(query.status));
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

const statusSlugOf = (wanted: AiringStatus | null): string | null =>
  Object.entries(statuses).find(([, { status }]) => status === wanted)?.[0] ?? null;

export const emptyBrowseQuery: BrowseQuery = parseBrowseQuery(new URLSearchParams());
