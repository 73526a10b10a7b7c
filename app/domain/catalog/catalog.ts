import {
  type airingStatuses,
  type animeTypes,
  type genres,
  ratingCodes,
  ratingLabels,
  type relationKinds,
  type seasons,
  type skipKinds,
  type sourceTypes,
  type weekdays,
} from "#db/schema/enumerations.ts";

/** The catalog's words and shapes, for pages and the browser as well. */

export {
  airingStatuses,
  animeTypes,
  genres,
  matureGenres,
  ratingCodes,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  weekdays,
} from "#db/schema/enumerations.ts";

/** What a title's id may be at most: the column is an integer. */
export const largestId = 2 ** 31 - 1;
/** More than any series has. */
export const mostEpisodes = 100_000;

export type AnimeType = (typeof animeTypes)[number];
export type AiringStatus = (typeof airingStatuses)[number];
export type Weekday = (typeof weekdays)[number];
export type Season = (typeof seasons)[number];
export type RatingCode = (typeof ratingCodes)[number];
export type RatingLabel = (typeof ratingLabels)[RatingCode];
export type Genre = (typeof genres)[number];
export type RelationKind = (typeof relationKinds)[number];
export type SourceType = (typeof sourceTypes)[number];
export type SkipKind = (typeof skipKinds)[number];

/**
 * A title as the specification names its fields (2.5). Moments are ISO 8601 in UTC with milliseconds; addresses of
 * ours are root-relative until they are sent.
 */
export type Anime = {
  mal_id: number;
  title: string;
  title_english: string | null;
  title_japanese: string | null;
  title_synonyms: string[];
  type: AnimeType | null;
  source: string | null;
  episodes: number | null;
  /** Worked out from the dates at the time of asking. */
  status: AiringStatus;
  airing: boolean;
  aired_from: string | null;
  aired_to: string | null;
  duration: string | null;
  rating: RatingLabel | null;
  score: number | null;
  scored_by: number | null;
  popularity: number | null;
  members: number | null;
  favorites: number | null;
  synopsis: string | null;
  background: string | null;
  season: Season | null;
  year: number | null;
  broadcast_day: Weekday | null;
  broadcast_time: string | null;
  broadcast_timezone: string | null;
  image_url: string | null;
  image_webp: string | null;
  image_small_webp: string | null;
  image_large_webp: string | null;
  banner_image: string | null;
  youtube_id: string | null;
  trailer_url: string | null;
  trailer_embed_url: string | null;
  trailer_image_url: string | null;
  url: string | null;
  approved: boolean;
  genres: string[];
  studios: string[];
  producers: string[];
  licensors: string[];
  themes: string[];
  demographics: string[];
};

/** `mal_id` is the related title; one that this catalog does not hold has no `anime`. */
export type Relation = {
  relation: RelationKind;
  mal_id: number;
  title: string | null;
  anime: Anime | null;
};

export type AnimeDetails = Anime & { relations: Relation[]; episode_count: number; playable: boolean };

export type Source = { url: string; type: SourceType; label: string | null; language: string | null };
export type Subtitle = { url: string; language: string; label: string | null };
export type Skip = { kind: SkipKind; start: number; end: number };

export type Episode = {
  id: string;
  anime_mal_id: number;
  /** Its number in the series. */
  episode_id: number;
  title: string | null;
  description: string | null;
  date: string | null;
  image_url: string | null;
  /** The first source that is a file or playlist. */
  video_url: string | null;
  /** Seconds. */
  duration: number | null;
  sources: Source[];
  subtitles: Subtitle[];
  skip: Skip[];
};

/** `matched` is the name that was found, which need not be the title. */
export type Suggestion = {
  mal_id: number;
  title: string;
  title_english: string | null;
  title_japanese: string | null;
  matched: string;
  type: AnimeType | null;
  year: number | null;
  image: string | null;
};

export type SimilarAnime = { anime: Anime; reason: string };

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
  types?: AnimeType[];
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
  animes: Anime[];
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

export const ratingLabel = (code: RatingCode): RatingLabel => ratingLabels[code];
export const ratingCodeOf = (label: string): RatingCode | undefined =>
  ratingCodes.find((code) => ratingLabels[code] === label);
