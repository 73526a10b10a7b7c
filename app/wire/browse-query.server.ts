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

/** The sources that titles are adapted from, in the spelling of MyAnimeList. */
export const sourceMaterialNames = [
  "Original",
  "Manga",
  "Web manga",
  "4-koma manga",
  "Light novel",
  "Novel",
  "Web novel",
  "Visual novel",
  "Game",
  "Card game",
  "Book",
  "Picture book",
  "Music",
  "Mixed media",
  "Radio",
  "Other",
] as const;
type SourceMaterial = (typeof sourceMaterialNames)[number];

/** The length of an episode or of a film. */
export const lengths = {
  short: { label: "Up to 15 min", maxMinutes: 15 },
  standard: { label: "16 to 30 min", minMinutes: 16, maxMinutes: 30 },
  long: { label: "31 to 60 min", minMinutes: 31, maxMinutes: 60 },
  feature: { label: "Over an hour", minMinutes: 61 },
} as const;
export type Length = keyof typeof lengths;

/** The state of the browse page. Its address contains all of it. */
export type BrowseQuery = {
  q: string;
  genres: Genre[];
  without: Genre[];
  /** Themes and demographics by their slugs. The catalog decides which ones exist. */
  tags: string[];
  withoutTags: string[];
  types: TitleType[];
  status: AiringStatus | null;
  season: Season | null;
  /** The first and the last year. */
  from: number | null;
  to: number | null;
  rating: RatingCode | null;
  studio: string;
  /** A studio, producer or licensor. */
  company: string;
  sourceMaterial: SourceMaterial | null;
  length: Length | null;
  score: number | null;
  day: Weekday | null;
  hasBanner: boolean;
  playable: boolean;
  hideMine: boolean;
  sort: Sort;
  /** The first page shown, and how many further pages follow on the same screen. */
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

const textIn = (search: URLSearchParams, name: string) =>
  (search.get(name) ?? "").trim().slice(0, maxTextLength).replaceAll("\0", "");

/** The part that the search page reads. */
export const parseSearchQuery = (search: URLSearchParams): Pick<BrowseQuery, "q" | "page"> => ({
  q: textIn(search, "q"),
  page: wholeNumber(search.get("page"), 1, 99_999) ?? 1,
});

/** Ignores unknown values, so that an old or mistyped address still shows a page. */
export function parseBrowseQuery(search: URLSearchParams): BrowseQuery {
  const text = (name: string) => textIn(search, name);
  const slugs = (name: string) => search.getAll(name).flatMap((value) => value.toLowerCase().split(","));
  const picked = (choice: string) =>
    pick(
      genres,
      genres.map(slugOfName).filter((slug) => search.get(slug) === choice),
    );
  const without = [...new Set([...pick(genres, slugs("without")), ...picked("without")])];
  const included = [...new Set([...pick(genres, slugs("genre")), ...picked("with")])];
  const tagSlugs = (names: string[]) => [...new Set(names.flatMap(slugs).map(tagSlugOf))].filter(Boolean);
  const withoutTags = tagSlugs(["not-tag", "add-not-tag"]).slice(0, maxTags);
  const [from, to] = yearsOf(search);
  const length = text("length");
  const { q, page } = parseSearchQuery(search);
  const sort = text("sort");
  // The plus of `r+` decodes to a space.
  const rating = search.get("rating")?.toLowerCase().replace(" ", "+");
  return {
    q,
    genres: included.filter((genre) => !without.includes(genre)),
    without,
    tags: tagSlugs(["tag", "add-tag"])
      .filter((tag) => !withoutTags.includes(tag))
      .slice(0, maxTags),
    withoutTags,
    types: pick(titleTypes, slugs("type")),
    status: statuses[text("status") as keyof typeof statuses]?.status ?? null,
    season: pickOne(seasons, search.get("season")),
    from,
    to,
    rating: ratingCodes.find((code) => code === rating) ?? null,
    studio: text("studio"),
    company: text("company"),
    sourceMaterial: pickOne(sourceMaterialNames, search.get("source")),
    length: Object.hasOwn(lengths, length) ? (length as Length) : null,
    score: scoreOf(search.get("score")),
    day: pickOne(weekdays, search.get("day")),
    hasBanner: search.get("banner") === "1",
    playable: search.get("watch") === "1",
    hideMine: search.get("mine") === "0",
    sort: Object.hasOwn(sortLabels, sort) ? (sort as Sort) : defaultSort(q),
    page,
    more: wholeNumber(search.get("more"), 1, maxMorePages) ?? 0,
  };
}

const maxTags = 10;

/** The slug of a tag in an address: "Idols (Female)" becomes `idols-female`. */
export const tagSlugOf = (name: string) =>
  slugOfName(name.trim()).replace(/^-|-$/g, "").slice(0, 60).replace(/-$/, "");

/** Reads a single year, or the first and the last one. */
function yearsOf(search: URLSearchParams): [number | null, number | null] {
  const yearIn = (name: string) => wholeNumber(search.get(name), 1900, 2200);
  const year = yearIn("year");
  const [from, to] = [yearIn("from") ?? year, yearIn("to") ?? year];
  return from !== null && to !== null && from > to ? [to, from] : [from, to];
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
  for (const tag of query.tags) set("tag", tag);
  for (const tag of query.withoutTags) set("not-tag", tag);
  for (const type of query.types) set("type", slugOfName(type));
  set("status", statusSlugOf(query.status));
  set("season", query.season && slugOfName(query.season));
  const isOneYear = query.from === query.to;
  set("year", isOneYear ? query.from : null);
  set("from", isOneYear ? null : query.from);
  set("to", isOneYear ? null : query.to);
  set("rating", query.rating);
  set("studio", query.studio);
  set("company", query.company);
  set("source", query.sourceMaterial && slugOfName(query.sourceMaterial));
  set("length", query.length);
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

const statusSlugOf = (current: AiringStatus | null): string | null =>
  Object.entries(statuses).find(([, { status }]) => status === current)?.[0] ?? null;

export const emptyBrowseQuery: BrowseQuery = parseBrowseQuery(new URLSearchParams());
