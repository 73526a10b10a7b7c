import { refuse } from "#app/domain/errors.ts";
import type { ExternalId } from "#app/domain/external-ids/external-ids.ts";
import type { PageFacts } from "#app/platform/numbered-pages.ts";
import type {
  AiringStatus,
  Genre,
  RatingCode,
  RelationKind,
  Season,
  TitleType,
  Weekday,
} from "#db/schema/enumerations.ts";
import type { Title } from "./catalog-rows.server.ts";

export type {
  AiringStatus,
  Genre,
  RatingCode,
  RelationKind,
  Season,
  SkipKind,
  SourceType,
  TitleType,
  Weekday,
} from "#db/schema/enumerations.ts";

/** The door of the catalog for code that also runs in browsers: enumerations and types. */

export {
  airingStatuses,
  genres,
  matureGenres,
  oneDayTypes,
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
export { displayTitle, episodeLabelOf, episodeNameOf, isSingle, type TitleNames } from "./shown-names.ts";
export { firstOwnNumber, kindsOfTagLists, type Tag } from "./tags/tag-facts.ts";

/** Also the answer for a title whose existence the viewer must not learn. */
export const noSuchTitle = refuse("not_found", "This catalog has no such title");
export const noSuchEpisode = refuse("not_found", "This catalog has no such episode");

/** The column is a PostgreSQL `integer`. */
export const maxMalId = 2 ** 31 - 1;
/**
 * MyAnimeList's ids are far lower. From here to `firstLocalMalId` are titles that come with Engawa, such as the
 * demonstration (`demonstrationId`); local titles follow.
 */
export const firstMalIdOfEngawa = 900_000_000;
export const maxEpisodeNumber = 100_000;

/** `malId` is the related title; `title` is null if the catalog does not have it. */
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

/** Sorts by one column, with unknown values last. */
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

/** The filters of pages and of `/api`, which refer to genres and companies by name. */
type NamedFilters = {
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
  /** Titles to exclude, such as those on the viewer's list. */
  withoutIds?: number[];
};

/** Additional filters for clients that refer to genres and companies by number. */
type NumberedFilters = {
  maxScore?: number;
  /** Numbers of genres, themes and demographics. A title must have all of `tags` and none of `withoutTags`. */
  tags?: number[];
  withoutTags?: number[];
  /** Company numbers. A title matches if one of them is its studio, producer or licensor. */
  companies?: number[];
  /** The beginning of the title's name. */
  beginning?: string;
  /** The first and the last day, YYYY-MM-DD. A title without a date does not match. */
  airedSince?: string;
  airedUntil?: string;
  approved?: boolean;
  withoutBroadcastDay?: boolean;
  /** With `seasons`: also matches titles without a season that begin in one of them, as most movies do. */
  seasonsByFirstDay?: boolean;
  /** With `years` and `seasons`: also matches television series that began before this day and were still on air. */
  continuedOn?: string;
};

/** Additional filters of the pages. A title that lacks the value does not match. */
type PageFilters = {
  /** The source material, such as manga or novel, case-insensitive. */
  sourceMaterials?: string[];
  /** The length in minutes of an episode or a movie. */
  minMinutes?: number;
  maxMinutes?: number;
};

export type Listing = PageFacts & {
  titles: Title[];
  /** Set if parental control hides titles that match the filters. */
  notice?: string;
  /**
   * Set if no name contains the typed text. `closest` is the name that was probably meant, or null if no name is
   * similar enough.
   */
  guess?: { closest: string | null };
  /** After a search, the name that matched: title id to name. */
  matched?: ReadonlyMap<number, string>;
};

/** A pattern with the same meaning in JavaScript and PostgreSQL. Both use it case-insensitively. */
export const fileUrlPattern = "^(?:media:|/+media/)";
const fileUrl = new RegExp(fileUrlPattern, "i");

/** True if the URL of a source, subtitle or picture refers to a file in MEDIA_DIR. */
export const namesFile = (url: string): boolean => fileUrl.test(url);
