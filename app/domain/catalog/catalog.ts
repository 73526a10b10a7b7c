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

/** The catalog's enumerations and types. Code for the browser may import this file. */

export {
  airingStatuses,
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

/** What a title's id may be at most: the column is an integer. */
export const maxMalId = 2 ** 31 - 1;
/** More than any series has. */
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

/** `malId` is the related title; `title` is null where this catalog does not hold it. */
export type Relation = {
  relation: RelationKind;
  malId: number;
  name: string | null;
  title: Title | null;
};

export type TitleDetails = Title & { relations: Relation[]; episodeCount: number; playable: boolean };

/** `matched` is the name that was found, which need not be the title. */
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

/** What a listing can be narrowed by. Within one filter any of the values counts, and all filters together. */
export type Filters = {
  genres?: Genre[];
  /** Ask for every genre of the list instead of any. */
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
  search?: string;
  /** Leave these out: what a viewer has on the list already. */
  withoutIds?: number[];
};

export type Listing = {
  titles: Title[];
  total: number;
  page: number;
  lastPage: number;
  perPage: number;
  /** Something the filters ask for is hidden by parental control. */
  notice?: string;
  /** No name matched as typed: the closest that did. */
  closest?: string;
  /** After a search: the name by which each title was found, by id. */
  matched?: ReadonlyMap<number, string>;
};
