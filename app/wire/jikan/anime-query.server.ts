import { z } from "zod";
import {
  type ColumnOrder,
  type Filters,
  type RatingCode,
  type TitleType,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { describedAs, oneOfWords } from "#app/http/endpoint/wire-schema.ts";
import { mustBeOneOf } from "#app/platform/validation-messages.ts";
import { filtersFrom } from "../catalog-query.server.ts";
import { queryFlag } from "./parameters.server.ts";

/** The parameters of lists of titles, under Jikan's names. */

export const searchText = z.string().trim().max(200).optional();
const maxNumbers = 50;

/** Maps one of Jikan's words, in any case, to its meaning here. */
export function wordOf<const Meaning>(meanings: Readonly<Record<string, Meaning>>) {
  const words = Object.keys(meanings);
  const parsed = z.string().transform((text, context) => {
    const word = words.find((one) => one === text.trim().toLowerCase());
    if (word !== undefined) return meanings[word] as Meaning;
    context.addIssue({ code: "custom", message: mustBeOneOf(words) });
    return z.NEVER;
  });
  return describedAs(parsed, oneOfWords(words)).optional();
}

const types = {
  tv: "TV",
  movie: "Movie",
  ova: "OVA",
  special: "Special",
  ona: "ONA",
  music: "Music",
  cm: "CM",
  pv: "PV",
  tv_special: "TV Special",
} as const satisfies Record<string, TitleType>;

const ratings = {
  g: "g",
  pg: "pg",
  pg13: "pg-13",
  r17: "r",
  r: "r+",
  rx: "rx",
} as const satisfies Record<string, RatingCode>;

const statuses = {
  airing: "Currently Airing",
  complete: "Finished Airing",
  upcoming: "Not yet aired",
} as const;

type Column = ColumnOrder["by"];
/** The columns by Jikan's names. Rank is the reverse of the score: a better rank is a higher score. */
const columns: Record<string, { by: Column; isReversed?: true }> = {
  mal_id: { by: "malId" },
  title: { by: "title" },
  start_date: { by: "airedFrom" },
  end_date: { by: "airedTo" },
  episodes: { by: "episodes" },
  score: { by: "score" },
  scored_by: { by: "scoredBy" },
  rank: { by: "score", isReversed: true },
  popularity: { by: "popularity" },
  members: { by: "members" },
  favorites: { by: "favorites" },
};

const score = describedAs(
  z
    .string()
    .trim()
    .regex(/^\d{1,2}(?:\.\d{1,4})?$/, "must be a number from 0 to 10")
    .transform(Number)
    .refine((value) => value <= 10, "must be a number from 0 to 10"),
  { type: "number", minimum: 0, maximum: 10 },
).optional();

const numbers = describedAs(
  z
    .string()
    .regex(/^\s*\d{1,9}\s*(?:,\s*\d{1,9}\s*)*(?:,\s*)?$/, "must be numbers, separated by commas")
    .transform((text) => text.split(",").flatMap((one) => (one.trim() === "" ? [] : Number(one))))
    .refine((list) => list.length <= maxNumbers, `must be at most ${maxNumbers} numbers`),
  { type: "string" },
).optional();

/** PostgreSQL has no year 0. */
const datePattern = /^((?!0000)\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/;

/** The first or the last day of a year, a month or a day. */
const dayOf = (end: "first" | "last") =>
  describedAs(
    z.string().transform((text, context) => {
      const [, year, month, day] = datePattern.exec(text.trim()) ?? [];
      const lastMonth = Number(month ?? 12);
      const lastDay = new Date(Date.UTC(Number(year), lastMonth, 0)).getUTCDate();
      if (year !== undefined && Number(day ?? 1) <= lastDay)
        return end === "first"
          ? `${year}-${month ?? "01"}-${day ?? "01"}`
          : `${year}-${month ?? "12"}-${day ?? String(lastDay)}`;
      context.addIssue({ code: "custom", message: "must be a date: YYYY, YYYY-MM or YYYY-MM-DD" });
      return z.NEVER;
    }),
    { type: "string", pattern: datePattern.source },
  ).optional();

export const typeParam = wordOf(types);
export const ratingParam = wordOf(ratings);
export const unapprovedParam = queryFlag.describe("Also entries that are not approved");
export const sortParam = wordOf({ desc: true, asc: false }).describe("The default is asc");

export const searchParams = {
  q: searchText.describe("Part of any of a title's names"),
  type: typeParam,
  score: score.describe("Exactly this score"),
  min_score: score,
  max_score: score,
  status: wordOf(statuses),
  rating: ratingParam,
  genres: numbers.describe("Numbers of genres, themes and demographics: titles that have all of them"),
  genres_exclude: numbers.describe("Titles that have none of them"),
  order_by: wordOf(columns),
  sort: sortParam,
  letter: searchText.describe("What the name begins with"),
  producers: numbers.describe("Numbers of companies: titles that have one of them"),
  start_date: dayOf("first").describe("Titles that began then or later"),
  end_date: dayOf("last").describe("Titles that ended then or earlier"),
  unapproved: unapprovedParam,
};

type SearchQuery = z.output<z.ZodObject<typeof searchParams>>;
const listOf = <Value>(value: Value | undefined) => (value === undefined ? undefined : [value]);

export const filtersOfSearch = (query: SearchQuery): Filters =>
  filtersFrom({
    search: query.q || undefined,
    types: listOf(query.type),
    minScore: query.score ?? query.min_score,
    // When the highest score is allowed, Jikan also lists titles without a score.
    maxScore: query.score ?? (query.max_score === 10 ? undefined : query.max_score),
    statuses: listOf(query.status),
    ratings: listOf(query.rating),
    tags: query.genres,
    withoutTags: query.genres_exclude,
    companies: query.producers,
    beginning: query.letter || undefined,
    airedSince: query.start_date,
    airedUntil: query.end_date,
    approved: approvedOnly(query.unapproved),
  });

export const approvedOnly = (unapproved: boolean | undefined) => (unapproved ? undefined : true);

/** A search without an order begins with the best match. */
export function orderOfSearch({ q, order_by, sort = false }: SearchQuery): { order?: ColumnOrder } {
  if (order_by === undefined) return q ? {} : { order: { by: "malId", descending: sort } };
  const { by, isReversed = false } = order_by;
  return { order: { by, descending: sort !== isReversed } };
}

type TopFilter = { statuses?: Filters["statuses"]; by: Column; descending: boolean };
const best = { by: "score", descending: true } as const;

export const topFilterParam = wordOf<TopFilter>({
  airing: { statuses: ["Currently Airing"], ...best },
  upcoming: { statuses: ["Not yet aired"], by: "members", descending: true },
  bypopularity: { by: "popularity", descending: false },
  favorite: { by: "favorites", descending: true },
});

type TopQuery = {
  type?: TitleType | undefined;
  filter?: TopFilter | undefined;
  rating?: RatingCode | undefined;
};

export function topQuery({ type, filter, rating }: TopQuery): { filters: Filters; order: ColumnOrder } {
  const { statuses, ...order }: TopFilter = filter ?? best;
  return {
    filters: filtersFrom({ types: listOf(type), statuses, ratings: listOf(rating), approved: true }),
    order,
  };
}

const withoutDay: Filters = { withoutBroadcastDay: true };
/** MyAnimeList's number of the demographic Kids. */
const kidsTag = 15;

const scheduleDays: Readonly<Record<string, Filters>> = {
  ...Object.fromEntries(
    weekdays.map((day): [string, Filters] => [day.toLowerCase(), { broadcastDays: [day] }]),
  ),
  unknown: withoutDay,
  other: withoutDay,
};

/** A day in a path, in any case. */
export const dayParam = describedAs(z.string(), oneOfWords(Object.keys(scheduleDays)));

export function requireScheduleDay(day = ""): Filters {
  const name = day.toLowerCase();
  const filters = Object.hasOwn(scheduleDays, name) ? scheduleDays[name] : undefined;
  if (filters === undefined) throw fail("not_found", "There is no such day");
  return filters;
}

/** The parameters of the schedule of one day. */
export const dayScheduleParams = {
  kids: queryFlag.describe("true: only titles for children; false: none of them"),
  unapproved: unapprovedParam,
};

export const scheduleParams = { filter: wordOf<Filters>(scheduleDays), ...dayScheduleParams };

type ScheduleQuery = {
  filter?: Filters | undefined;
  kids?: boolean | undefined;
  unapproved?: boolean | undefined;
};

export const scheduleListing = ({
  filter,
  kids,
  unapproved,
}: ScheduleQuery): { filters: Filters; order: ColumnOrder } => ({
  filters: filtersFrom({
    ...filter,
    types: ["TV"],
    statuses: ["Currently Airing"],
    tags: kids === true ? [kidsTag] : undefined,
    withoutTags: kids === false ? [kidsTag] : undefined,
    approved: approvedOnly(unapproved),
  }),
  order: { by: "members", descending: true },
});
