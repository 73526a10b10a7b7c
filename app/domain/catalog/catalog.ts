import type {
  airingStatuses,
  genres,
  ratingCodes,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  titleTypes,
  weekdays,
} from "#db/schema/enumerations.ts";
import type { Title } from "./catalog-rows.server.ts";
import type { ExternalId } from "./external-ids/external-ids.ts";

/** The catalog's enumerations and types. Code for the browser may import this file. */

export {
  airingStatuses,
  externalSites,
  genres,
  matureGenres,
  matureRating,
  ratingCodes,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  titleTypes,
  weekdays,
} from "#db/schema/enumerations.ts";
export type { Episode, SkipSegment, Title } from "./catalog-rows.server.ts";
export { minutesIn } from "./episode-length.ts";
export type { ExternalId } from "./external-ids/external-ids.ts";
export {
  type ExternalSite,
  externalIdOf,
  externalIdOfUrl,
  formatExternalId,
  parseExternalId,
} from "./external-ids/external-ids.ts";
export { readNames } from "./name-list.ts";
export { wordKey } from "./normalise.ts";
export { firstOwnNumber, type Tag, type TagKind } from "./tags/tag-facts.ts";

/** The column is a PostgreSQL `integer`. */
export const maxMalId = 2 ** 31 - 1;
/** MyAnimeList gives no number as high as these. They are for titles of this installation alone. */
export const firstOwnMalId = 900_000_000;
/** Titles that an operator made, or a folder of films. Only members see them. */
export const firstLocalMalId = 900_100_000;
/** A file can bring a higher number. The next local title does not count from there, as PostgreSQL has no room behind it. */
export const lastLocalMalId = 1_999_999_999;
export const maxEpisodeNumber = 100_000;

export type TitleType = (typeof titleTypes)[number];
export type AiringStatus = (typeof airingStatuses)[number];
export type Weekday = (typeof weekdays)[number];
export type Season = (typeof seasons)[number];
export type RatingCode = (typeof ratingCodes)[number];
export type Genre = (typeof genres)[number];
export type RelationKind = (typeof relationKinds)[number];
export type SourceType = (typeof sourceTypes)[number];
export type SkipKind = (typeof skipKinds)[number];

/** `malId` is the related title; `title` is null when the catalog does not have that title. */
export type Relation = {
  relation: RelationKind;
  malId: number;
  name: string | null;
  title: Title | null;
};

export type TitleDetails = Title & {
  relations: Relation[];
  externalIds: ExternalId[];
  episodeCount: number;
  playable: boolean;
};

/** `matched` is the name that matched the query. It can be a synonym or a translation. */
export type TitleSuggestion = { title: Title; matched: string };

export const orders = [
  "score",
  "score_asc",
  "title",
  "title_asc",
  "popularity",
  "newest",
  "relevance",
] as const;
export type Order = (typeof orders)[number];

/** An order by one column, with unknown values last. */
export type ColumnOrder = { by: SortColumn; descending: boolean };
type SortColumn =
  | "malId"
  | "title"
  | "airedFrom"
  | "airedTo"
  | "episodes"
  | "score"
  | "scoredBy"
  | "popularity"
  | "members"
  | "favorites";

/** A title must match every filter. It matches a filter when it has any of that filter's values. */
export type Filters = NamedFilters & NumberedFilters & PageFilters;

/** The filters of pages and of `/api`, which know genres and companies by name. */
export type NamedFilters = {
  genres?: Genre[];
  /** The title must have every genre in `genres` instead of any. */
  allGenres?: boolean;
  withoutGenres?: Genre[];
  types?: TitleType[];
  studios?: string[];
  minScore?: number;
  statuses?: AiringStatus[];
  years?: number[];
  ratings?: RatingCode[];
  seasons?: Season[];
  broadcastDays?: Weekday[];
  hasBanner?: boolean;
  playable?: boolean;
  /** Ids on other sites. An id without a season stands for all seasons. */
  externalIds?: ExternalId[];
  search?: string;
  /** Titles to leave out, such as those that are on the viewer's list. */
  withoutIds?: number[];
};

/** The further filters of clients that know genres and companies by number. */
type NumberedFilters = {
  maxScore?: number;
  /** Numbers of genres, themes and demographics. The title must have all of `tags` and none of `withoutTags`. */
  tags?: number[];
  withoutTags?: number[];
  /** Numbers of companies: the title has one of them as studio, producer or licensor. */
  companies?: number[];
  /** What the name begins with. */
  beginning?: string;
  /** The first and the last day, YYYY-MM-DD. A title without the date does not pass. */
  airedSince?: string;
  airedUntil?: string;
  approved?: boolean;
  withoutBroadcastDay?: boolean;
  /** With `years` and `seasons`: also television series that began before this day and were still on air then. */
  continuedOn?: string;
};

/** The further filters of the pages. A title without the fact does not pass. */
type PageFilters = {
  /** What the titles were made after, without regard to case. */
  madeAfter?: string[];
  /** The length of an episode or of a film. */
  minMinutes?: number;
  maxMinutes?: number;
};

export type Listing = {
  titles: Title[];
  total: number;
  page: number;
  lastPage: number;
  perPage: number;
  /** Set when parental control hides titles that the filters ask for. */
  notice?: string;
  /** Set when no name contains the typed text: the most similar name. */
  closest?: string;
  /** After a search: the name that matched, by title id. */
  matched?: ReadonlyMap<number, string>;
};

/** For JavaScript and PostgreSQL, without regard to case. */
export const fileUrlPattern = "^(?:media:|/+media/)";
const fileUrl = new RegExp(fileUrlPattern, "i");

/** Whether the URL of a source, of subtitles or of a picture names a file in MEDIA_DIR. */
export const namesFile = (url: string): boolean => fileUrl.test(url);
