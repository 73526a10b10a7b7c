import { z } from "zod";
import { type ListingQuery, maxPerPage } from "#app/domain/catalog/catalog.server.ts";
import {
  airingStatuses,
  type Filters,
  genres,
  maxMalId,
  type Order,
  orders,
  type RatingCode,
  ratingCodes,
  ratingLabels,
  seasons,
  titleTypes,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { type ExternalId, externalSites, parseExternalId } from "#app/domain/external-ids/external-ids.ts";
import { readNames, wordKey } from "#app/domain/names/names.ts";
import {
  aliasOf,
  declaredRequired,
  describedAs,
  integer,
  listOf,
  oneOfWords,
} from "#app/http/endpoint/wire-schema.ts";
import { mustBeOneOf, mustBeWithin } from "#app/platform/validation-messages.ts";

/** The query parameters of the catalog endpoints, with all accepted spellings. */

/** Limits the work for one parameter. The names of all values of a filter fit in less. */
const maxListLength = 10_000;

/** A `+` in a query string decodes to a space, so `r+` can arrive as `r `. Both count as the same text. */
const plusAsSpace = (text: string) => text.toLowerCase().replaceAll("+", " ").replace(/ +/g, " ");
/** Accepts `pg13` for `pg-13`. Codes with a `+` are not reduced this way, because `r+` would become `r`. */
const lettersAndDigits = (text: string) => text.replace(/[^a-z0-9]+/g, "");
const ratingsByText = new Map<string, RatingCode>(
  ratingCodes.flatMap((code) => [
    ...(code.endsWith("+") ? [] : [[lettersAndDigits(code), code] as const]),
    [lettersAndDigits(ratingLabels[code].toLowerCase()), code] as const,
    [plusAsSpace(code), code] as const,
    [plusAsSpace(ratingLabels[code]).trim(), code] as const,
  ]),
);

function findRating(part: string): RatingCode | undefined {
  const text = plusAsSpace(part).trimStart();
  return (
    ratingsByText.get(text) ?? ratingsByText.get(text.trim()) ?? ratingsByText.get(lettersAndDigits(text))
  );
}

const refusalOf = (refusal: "unknown site" | "wrong id") =>
  refusal === "unknown site"
    ? `the site ${mustBeOneOf(externalSites)}`
    : "must be a site and an id, such as anidb:4563";

const externalIds = z
  .string()
  .max(maxListLength)
  .transform((value, context): ExternalId[] =>
    value
      .split(",")
      .filter((text) => text.trim() !== "")
      .flatMap((text) => {
        const id = parseExternalId(text);
        if (typeof id !== "string") return id;
        const message = `${refusalOf(id)}, not "${text.trim().slice(0, 40)}"`;
        context.addIssue({ code: "custom", message });
        return [];
      }),
  );

/** Ids on other sites: `anidb:4563,tvdb:76885:2`. */
const externalIdsInput = describedAs(
  externalIds,
  listOf({ type: "string", pattern: `^(${externalSites.join("|")}):[^:,]+(:[0-9]+)?$` }),
)
  .optional()
  .describe(
    `Ids on other sites, such as anidb:4563, or tvdb:76885:2 for a season, separated by commas. Sites: ${externalSites.join(", ")}`,
  );

function names<const Word extends string>(words: readonly Word[], description: string, plural = "") {
  const byKey = new Map(
    words.flatMap((word) => [wordKey(word), wordKey(word + plural)].map((key) => [key, word])),
  );
  const parsed = z
    .string()
    .max(maxListLength)
    .transform((value, context): Word[] => {
      const { found, unknown } = readNames(value, (key) => byKey.get(key));
      const [unknownName] = unknown;
      if (unknownName !== undefined)
        context.addIssue({
          code: "custom",
          message: `${mustBeOneOf(words)}, not "${unknownName.slice(0, 40)}"`,
        });
      return [...new Set(found)];
    });
  return describedAs(parsed, listOf(oneOfWords(words)))
    .optional()
    .describe(description);
}

const trueWords = new Set(["true", "1", "yes", "on"]);
const falseWords = new Set(["false", "0", "no", "off"]);
/** If `parental_control` is repeated with both values, the control must stay on, so one true is enough. */
const yesOrNoText = z.string().transform((value, context) => {
  const words = value.split(",").map((word) => word.trim().toLowerCase());
  if (words.every((word) => trueWords.has(word) || falseWords.has(word)))
    return words.some((word) => trueWords.has(word));
  context.addIssue({ code: "custom", message: "must be true or false" });
  return z.NEVER;
});
const yesOrNo = describedAs(yesOrNoText, { type: "boolean" }).optional();

function numberInput(form: RegExp, noun: string, min: number, max: number) {
  const error = mustBeWithin(noun, min, max);
  return z
    .string()
    .trim()
    .regex(form, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}
const decimal = (min: number, max: number) =>
  describedAs(decimalText(min, max), { type: "number", minimum: min, maximum: max });
const decimalText = (min: number, max: number) =>
  numberInput(/^[+-]?(\d{1,40}\.?\d{0,40}|\.\d{1,40})(e[+-]?\d{1,3})?$/i, "a number", min, max);
const positiveInteger = (max: number) =>
  describedAs(numberInput(/^[+-]?\d{1,40}$/, "a whole number", 1, max), integer(1, max));

const ratingsText = z
  .string()
  .max(maxListLength)
  .transform((value, context): RatingCode[] => {
    const parts = value
      .split(",")
      .filter((part) => part !== "")
      .flatMap((part) => (findRating(part) === undefined ? part.split("_") : part));
    const unknownName = parts.find((part) => findRating(part) === undefined);
    if (unknownName !== undefined)
      context.addIssue({
        code: "custom",
        message: `${mustBeOneOf(ratingCodes)}, not "${unknownName.slice(0, 40)}"`,
      });
    return [...new Set(parts.flatMap((part) => findRating(part) ?? []))];
  });
const ratings = describedAs(ratingsText, listOf(oneOfWords(ratingCodes)))
  .optional()
  .describe(`Age rating, as code (${ratingCodes.join(", ")}) or full label, separated by commas`);

const orderNames = new Map<string, Order>([
  ...orders.map((order) => [order, order] as const),
  ["score_desc", "score"],
  ["title_desc", "title"],
]);
const orderText = z.string().transform((value, context) => {
  const sortOrder = orderNames.get(
    value
      .trim()
      .toLowerCase()
      .replace(/[\s_+-]+/g, "_"),
  );
  if (sortOrder !== undefined) return sortOrder;
  context.addIssue({ code: "custom", message: mustBeOneOf(orders) });
  return z.NEVER;
});
const order = describedAs(orderText, oneOfWords(orders))
  .optional()
  .describe("The default is relevance with search_query, else score");

const yearsText = z
  .string()
  .max(maxListLength)
  .regex(/^\s*\d{4}\s*(,\s*\d{4}\s*)*$/, "must be a year, or several years separated by commas")
  .transform((value) => [...new Set(value.split(",").map(Number))]);
const years = describedAs(yearsText, listOf({ type: "integer" }))
  .optional()
  .describe("Release year");

const genreMatches = ["any", "all"] as const;

const filterFields = {
  genre_filter: names(
    genres,
    "Genres, separated by commas. A title needs one of them, or all with genre_match=all",
  ),
  genre_match: describedAs(
    z.string().trim().toLowerCase().pipe(z.enum(genreMatches)),
    oneOfWords(genreMatches),
  )
    .optional()
    .describe("any: one of the genres is enough. all: a title needs every genre"),
  genre_exclude: names(genres, "Genres to leave out"),
  type_filter: names(titleTypes, "Types"),
  studio_filter: z.string().max(maxListLength).optional().describe("Studios, separated by commas"),
  score_filter: decimal(0, 10).optional().describe("Minimum score"),
  status_filter: names(airingStatuses, "Airing status"),
  year_filter: years,
  rating_filter: ratings,
  season_filter: names(seasons, "Seasons"),
  aired_day_filter: names(weekdays, "Weekdays of broadcast", "s"),
  banners_filter: yesOrNo.describe("Only titles with a banner"),
  playable: yesOrNo.describe("Only titles that can be watched here"),
  external: externalIdsInput,
  search_query: z.string().max(maxListLength).optional().describe("Part of any of a title's names"),
};

const parentalControl = {
  parental_control: yesOrNo.describe("false also shows mature titles. The default is true"),
  parentalControl: aliasOf("parental_control", yesOrNo),
};
type ParentalControl = { parental_control?: boolean | undefined; parentalControl?: boolean | undefined };
const wantsParentalControl = ({ parental_control: one, parentalControl: other }: ParentalControl) =>
  one === undefined || other === undefined ? (one ?? other ?? true) : one || other;

/**
 * Parameters that can be repeated. The values of a repeated filter are combined; one true `parental_control` turns it
 * on.
 */
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
  "external",
  "parental_control",
  "parentalControl",
] as const;

const filtersObject = z.object(filterFields);
type WithAbsent<Shape> = { [Name in keyof Shape]?: Shape[Name] | undefined };

/** Removes filters without a value, because the filters form the key of cached counts. */
export const filtersFrom = (filters: WithAbsent<Filters>): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== false));

const filtersOf = (query: z.output<typeof filtersObject>): Filters =>
  filtersFrom({
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
    externalIds: query.external,
    search: query.search_query?.trim() || undefined,
  });

/** The query of the random title: filters without order and page. */
export const filterQuery = z.object({ ...filterFields, ...parentalControl }).transform((query) => ({
  filters: filtersOf(query),
  parentalControl: wantsParentalControl(query),
}));

const page = positiveInteger(1_000_000_000).optional();
const perPage = positiveInteger(1_000_000_000).optional();

export const listingQuery = z
  .object({
    ...filterFields,
    ...parentalControl,
    order_by: order,
    page_number: page.describe("Page number, from 1"),
    page: aliasOf("page_number", page),
    limit_count: perPage.describe(`Titles per page. The default is 30, the maximum ${maxPerPage}`),
    limit: aliasOf("limit_count", perPage),
  })
  .transform((query): ListingQuery & { parentalControl: boolean } => ({
    filters: filtersOf(query),
    ...(query.order_by !== undefined && { order: query.order_by }),
    page: query.page_number ?? query.page ?? 1,
    perPage: Math.min(maxPerPage, query.limit_count ?? query.limit ?? 30),
    parentalControl: wantsParentalControl(query),
  }));

const id = positiveInteger(maxMalId);
/** Optional only for the parser, because the id may arrive under its other name. */
const titleId = declaredRequired(id.optional().describe("The title's id"));

function requireId(malId: number | undefined, name: string, context: z.core.$RefinementCtx): number {
  if (malId !== undefined) return malId;
  context.addIssue({ code: "custom", path: [name], message: "is missing" });
  return z.NEVER;
}

export const titleQuery = z
  .object({ id: titleId, mal_id: aliasOf("id", id.optional()), ...parentalControl })
  .transform((query, context) => ({
    malId: requireId(query.id ?? query.mal_id, "id", context),
    parentalControl: wantsParentalControl(query),
  }));

/** A franchise by its own number, or by one of its titles. */
export const franchiseQuery = z
  .object({
    number: id.optional().describe("The number of the franchise"),
    id: id.optional().describe("The id of a title, if no number is given"),
    mal_id: aliasOf("id", id.optional()),
    ...parentalControl,
  })
  .transform((query, context) => ({
    number: query.number,
    malId: query.number === undefined ? requireId(query.id ?? query.mal_id, "id", context) : 0,
    parentalControl: wantsParentalControl(query),
  }));

export const episodesQuery = z
  .object({
    id: titleId,
    mal_id: aliasOf("id", id.optional()),
    page: page.describe("Page number, from 1, with 100 episodes per page"),
    ...parentalControl,
  })
  .transform((query, context) => ({
    malId: requireId(query.id ?? query.mal_id, "id", context),
    page: query.page ?? 1,
    parentalControl: wantsParentalControl(query),
  }));

export const episodeQuery = z
  .object({
    mal_id: titleId,
    id: aliasOf("mal_id", id.optional()),
    ep: positiveInteger(1_000_000_000).describe("The number of the episode in its title"),
    ...parentalControl,
  })
  .transform((query, context) => ({
    malId: requireId(query.mal_id ?? query.id, "mal_id", context),
    episode: query.ep,
    parentalControl: wantsParentalControl(query),
  }));

export const suggestQuery = z
  .object({
    q: z.string().max(maxListLength).optional().describe("The text that was typed so far"),
    ...parentalControl,
  })
  .transform((query) => ({ q: query.q ?? "", parentalControl: wantsParentalControl(query) }));
