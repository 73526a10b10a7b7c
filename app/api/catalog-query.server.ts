import { z } from "zod";
import { type ListingQuery, maxPerPage, readNames, wordKey } from "#app/domain/catalog/catalog.server.ts";
import {
  airingStatuses,
  type Filters,
  genres,
  maxMalId,
  type Order,
  orders,
  type RatingCode,
  ratingCodes,
  seasons,
  titleTypes,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { mustBeOneOf, mustBeWithin } from "#app/platform/validation-messages.ts";
import { findRating } from "./rating-names.ts";

/** The listing's parameters in an address, with every spelling that is taken. */

/** A longer list names nothing that a shorter one could not. */
const longestList = 10_000;

function names<const Word extends string>(words: readonly Word[], description: string, plural = "") {
  const byKey = new Map(
    words.flatMap((word) => [wordKey(word), wordKey(word + plural)].map((key) => [key, word])),
  );
  return z
    .string()
    .max(longestList)
    .transform((value, context): Word[] => {
      const { found, unknown } = readNames(value, (key) => byKey.get(key));
      const [stranger] = unknown;
      if (stranger !== undefined)
        context.addIssue({
          code: "custom",
          message: `${mustBeOneOf(words)}, not "${stranger.slice(0, 40)}"`,
        });
      return [...new Set(found)];
    })
    .optional()
    .describe(description);
}

const trueWords = new Set(["true", "1", "yes", "on"]);
const falseWords = new Set(["false", "0", "no", "off"]);
/** Of several, one true is enough: what is asked both ways is asked the safe way. */
const yesOrNo = z
  .string()
  .transform((value, context) => {
    const words = value.split(",").map((word) => word.trim().toLowerCase());
    if (words.every((word) => trueWords.has(word) || falseWords.has(word)))
      return words.some((word) => trueWords.has(word));
    context.addIssue({ code: "custom", message: "must be true or false" });
    return z.NEVER;
  })
  .optional();

function numberWritten(form: RegExp, noun: string, min: number, max: number) {
  const error = mustBeWithin(noun, min, max);
  return z
    .string()
    .trim()
    .regex(form, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}
const decimal = (min: number, max: number) =>
  numberWritten(/^[+-]?(\d{1,40}\.?\d{0,40}|\.\d{1,40})(e[+-]?\d{1,3})?$/i, "a number", min, max);
const whole = (min: number, max: number) => numberWritten(/^[+-]?\d{1,40}$/, "a whole number", min, max);

const ratings = z
  .string()
  .max(longestList)
  .transform((value, context): RatingCode[] => {
    const parts = value
      .split(",")
      .filter((part) => part !== "")
      .flatMap((part) => (findRating(part) === undefined ? part.split("_") : part));
    const stranger = parts.find((part) => findRating(part) === undefined);
    if (stranger !== undefined)
      context.addIssue({
        code: "custom",
        message: `${mustBeOneOf(ratingCodes)}, not "${stranger.slice(0, 40)}"`,
      });
    return [...new Set(parts.flatMap((part) => findRating(part) ?? []))];
  })
  .optional()
  .describe(`Age rating, as code (${ratingCodes.join(", ")}) or full label; a comma list`);

const orderNames = new Map<string, Order>(
  orders.flatMap((order) => [
    [order, order] as const,
    ...(order === "score" || order === "title" ? [[`${order}_desc`, order] as const] : []),
  ]),
);
const order = z
  .string()
  .transform((value, context) => {
    const found = orderNames.get(
      value
        .trim()
        .toLowerCase()
        .replace(/[\s_+-]+/g, "_"),
    );
    if (found !== undefined) return found;
    context.addIssue({ code: "custom", message: mustBeOneOf(orders) });
    return z.NEVER;
  })
  .optional()
  .describe(`One of ${orders.join(", ")}`);

const years = z
  .string()
  .max(longestList)
  .regex(/^\s*\d{4}\s*(,\s*\d{4}\s*)*$/, "must be a year, or several with commas between")
  .transform((value) => [...new Set(value.split(",").map(Number))])
  .optional()
  .describe("Release year");

const filterFields = {
  genre_filter: names(genres, "Genres, a comma list; any of them, or every one with genre_match=all"),
  genre_match: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(["any", "all"]))
    .optional()
    .describe("any or all"),
  genre_exclude: names(genres, "Genres to leave out"),
  type_filter: names(titleTypes, "Types"),
  studio_filter: z.string().max(longestList).optional().describe("Studios, a comma list"),
  score_filter: decimal(0, 10).optional().describe("Least score"),
  status_filter: names(airingStatuses, "Airing status"),
  year_filter: years,
  rating_filter: ratings,
  season_filter: names(seasons, "Seasons"),
  aired_day_filter: names(weekdays, "Weekdays of broadcast", "s"),
  banners_filter: yesOrNo.describe("Only titles with a banner"),
  playable: yesOrNo.describe("Only titles that can be watched here"),
  search_query: z.string().max(longestList).optional().describe("Part of any of a title's names"),
};

const parentalControl = {
  parental_control: yesOrNo.describe("false shows mature titles too; default true"),
  parentalControl: yesOrNo,
};
type ParentalControl = { parental_control?: boolean | undefined; parentalControl?: boolean | undefined };
const wantsParentalControl = ({ parental_control: one, parentalControl: other }: ParentalControl) =>
  one === undefined || other === undefined ? (one ?? other ?? true) : one || other;

/** A repeated filter adds to it; parental control asked for once stays asked for. */
export const repeatedNames = [
  "genre_filter",
  "genre_exclude",
  "type_filter",
  "studio_filter",
  "status_filter",
  "year_filter",
  "rating_filter",
  "season_filter",
  "aired_day_filter",
  "parental_control",
  "parentalControl",
] as const;

const filtersObject = z.object(filterFields);
type Given<Shape> = { [Name in keyof Shape]-?: Shape[Name] | undefined };

/** A filter that is not asked for is left out: counts are remembered under the filters that are there. */
const withoutAbsent = (filters: Given<Filters>): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== false));

const filtersOf = (query: z.output<typeof filtersObject>): Filters =>
  withoutAbsent({
    genres: query.genre_filter,
    allGenres: query.genre_match === "all",
    withoutGenres: query.genre_exclude,
    types: query.type_filter,
    studios: query.studio_filter === undefined ? undefined : [query.studio_filter],
    minScore: query.score_filter,
    statuses: query.status_filter,
    years: query.year_filter,
    ratings: query.rating_filter,
    seasons: query.season_filter,
    broadcastDays: query.aired_day_filter,
    hasBanner: query.banners_filter,
    playable: query.playable,
    search: query.search_query?.trim() || undefined,
    withoutIds: undefined,
  });

/** For the random title: filters alone. */
export const filterQuery = z.object({ ...filterFields, ...parentalControl }).transform((query) => ({
  filters: filtersOf(query),
  parentalControl: wantsParentalControl(query),
}));

const page = whole(1, 1_000_000_000).optional();
const perPage = whole(1, 1_000_000_000).optional();

export const listingQuery = z
  .object({
    ...filterFields,
    ...parentalControl,
    order_by: order,
    page_number: page.describe("Page, from 1"),
    page: page.describe("The same as page_number"),
    limit_count: perPage.describe(`Titles a page: 30, at most ${maxPerPage}`),
    limit: perPage.describe("The same as limit_count"),
  })
  .transform((query): ListingQuery & { parentalControl: boolean } => ({
    filters: filtersOf(query),
    ...(query.order_by !== undefined && { order: query.order_by }),
    page: query.page_number ?? query.page ?? 1,
    perPage: Math.min(maxPerPage, query.limit_count ?? query.limit ?? 30),
    parentalControl: wantsParentalControl(query),
  }));

const id = whole(1, maxMalId);

function requireId(malId: number | undefined, name: string, context: z.core.$RefinementCtx): number {
  if (malId !== undefined) return malId;
  context.addIssue({ code: "custom", path: [name], message: "is missing" });
  return z.NEVER;
}

/** One title, by `id` or `mal_id`. */
export const titleQuery = z
  .object({ id: id.optional().describe("The title's id"), mal_id: id.optional(), ...parentalControl })
  .transform((query, context) => ({
    malId: requireId(query.id ?? query.mal_id, "id", context),
    parentalControl: wantsParentalControl(query),
  }));

export const episodesQuery = z
  .object({
    id: id.optional().describe("The title's id"),
    mal_id: id.optional(),
    page: page.describe("Page of 100 episodes, from 1"),
    ...parentalControl,
  })
  .transform((query, context) => ({
    malId: requireId(query.id ?? query.mal_id, "id", context),
    page: query.page ?? 1,
    parentalControl: wantsParentalControl(query),
  }));

export const episodeQuery = z
  .object({
    mal_id: id.optional().describe("The title's id"),
    id: id.optional(),
    ep: whole(1, 1_000_000_000).describe("The episode's number in the series"),
    ...parentalControl,
  })
  .transform((query, context) => ({
    malId: requireId(query.mal_id ?? query.id, "mal_id", context),
    episode: query.ep,
    parentalControl: wantsParentalControl(query),
  }));

export const suggestQuery = z
  .object({
    q: z.string().max(longestList).optional().describe("What has been typed so far"),
    ...parentalControl,
  })
  .transform((query) => ({ q: query.q ?? "", parentalControl: wantsParentalControl(query) }));
