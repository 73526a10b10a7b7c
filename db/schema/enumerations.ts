/**
 * Every closed set of words in the specification. SQL checks, zod, OpenAPI and the pages use these lists. This file
 * imports nothing, so that browser code may import it.
 */

/* Accounts */
export const roles = ["user", "operator"] as const;
export const genders = ["Male", "Female", "Other"] as const;
export const watchFrequencies = ["Daily", "Weekly", "Monthly", "Occasionally", "Rarely"] as const;
export const fanaticLevels = [
  "Casual Viewer",
  "Regular Fan",
  "Dedicated Fan",
  "Otaku",
  "Hardcore Otaku",
] as const;
export const preferredFormats = ["TV", "Movie", "OVA", "ONA", "Special", "No preference"] as const;
/** `browser`: one of the other three, chosen by the languages that the browser sends. */
export const titleLanguageChoices = ["browser", "romaji", "english", "japanese"] as const;
/** The color themes of the pages. `system` follows the browser. */
export const themes = ["dark", "light", "system"] as const;
/** How a member's own scores are shown and typed. The stored score is always out of ten. */
export const scoreFormats = ["whole", "decimal", "stars"] as const;
export const accessTokenScopes = ["read", "write"] as const;
export const mailedTokenKinds = ["reset", "verification"] as const;

/** The limit of a child's profile: an age rating, or only the titles that the household allowed. `r` is R - 17+. */
export const ceilings = ["g", "pg", "pg-13", "r", "chosen"] as const;
export type Ceiling = (typeof ceilings)[number];
/** A household's decision about a title for its children. */
export const titleVerdicts = ["allowed", "blocked"] as const;
export type TitleVerdict = (typeof titleVerdicts)[number];

/** Where a member dismissed a title: from all suggestions, or from the Continue row. */
export const dismissalPlaces = ["suggestions", "continue"] as const;

/* Library: when lists are merged, the later of two list statuses wins. */
export const listStatuses = ["To Watch", "Collection", "Watching", "Completed"] as const;
export type ListStatus = (typeof listStatuses)[number];
/** The states that an entry can have besides its list status. Each state implies a list status. */
export const statusOfState = {
  on_hold: "Watching",
  dropped: "Collection",
  rewatching: "Watching",
} as const satisfies Record<string, ListStatus>;
export const entryStateLabels = {
  on_hold: "On hold",
  dropped: "Dropped",
  rewatching: "Rewatching",
} as const satisfies Record<keyof typeof statusOfState, string>;
export const entryStates = [
  "on_hold",
  "dropped",
  "rewatching",
] as const satisfies readonly (keyof typeof statusOfState)[];

/* The media folder */
/**
 * `waiting`: the film is new and may still grow. `whole`: the film is complete and waits for a scan to judge it.
 * `unmatched`: the catalog does not have its title.
 */
export const filmStates = [
  "waiting",
  "whole",
  "registered",
  "unsure",
  "unmatched",
  "extra",
  "ignored",
] as const;
/** Why a scan did not take a file or folder as a film. */
export const passedOverReasons = [
  "empty",
  "format",
  "disc_image",
  "disc_folder",
  "link_outside",
  "link_broken",
  "name",
] as const;
/** `not_title`: the proposed title is wrong. */
export const filmDecisionKinds = ["title", "ignored", "not_title"] as const;
export const scanReasons = ["start", "schedule", "events", "operator", "hook", "command"] as const;
export const scanOutcomes = ["done", "stopped", "interrupted", "failed"] as const;

/* Catalog */
export const titleTypes = [
  "TV",
  "Movie",
  "OVA",
  "ONA",
  "Special",
  "Music",
  "CM",
  "PV",
  "TV Special",
] as const;
export type TitleType = (typeof titleTypes)[number];
/** The types that air on one day. The others may go on for weeks. */
export const oneDayTypes: readonly TitleType[] = ["Movie", "Music", "CM", "PV", "TV Special"];
export const airingStatuses = ["Finished Airing", "Currently Airing", "Not yet aired"] as const;
export type AiringStatus = (typeof airingStatuses)[number];
export const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;
export type Weekday = (typeof weekdays)[number];
export const seasons = ["Winter", "Spring", "Summer", "Fall"] as const;
export type Season = (typeof seasons)[number];
/** From the mildest to the strictest. The database stores the code. */
export const ratingCodes = ["g", "pg", "pg-13", "r", "r+", "rx"] as const;
export type RatingCode = (typeof ratingCodes)[number];
export const ratingLabels = {
  g: "G - All Ages",
  pg: "PG - Children",
  "pg-13": "PG-13 - Teens 13 or older",
  r: "R - 17+ (violence & profanity)",
  "r+": "R+ - Mild Nudity",
  rx: "Rx - Hentai",
} as const satisfies Record<RatingCode, string>;
/**
 * A genre's index is its bit in `titles.genre_bits`. Append only: reordering would change the meaning of stored bits.
 */
export const genres = [
  "Action",
  "Adventure",
  "Avant Garde",
  "Award Winning",
  "Boys Love",
  "Comedy",
  "Drama",
  "Ecchi",
  "Erotica",
  "Fantasy",
  "Girls Love",
  "Gourmet",
  "Horror",
  "Mystery",
  "Romance",
  "Sci-Fi",
  "Slice of Life",
  "Sports",
  "Supernatural",
  "Suspense",
  "Hentai",
] as const;
export type Genre = (typeof genres)[number];
/** Parental control hides titles with this rating or one of these genres. */
export const matureRating = "rx" satisfies RatingCode;
export const matureGenres = ["Erotica", "Hentai"] as const satisfies readonly Genre[];
export const aliasKinds = ["title", "english", "japanese", "synonym"] as const;
/** The kind describes the related title: `sequel` means that it is the sequel of this title. */
export const relationKinds = [
  "sequel",
  "prequel",
  "alternative_version",
  "alternative_setting",
  "side_story",
  "parent_story",
  "summary",
  "full_story",
  "spin_off",
  "character",
  "other",
] as const;
export type RelationKind = (typeof relationKinds)[number];
/**
 * The same relation, seen from the other title. The inverse of `parent_story` can be a side story or a spin-off. Sources
 * do not say which, so it is a side story.
 */
export const inverseRelations: Readonly<Record<RelationKind, RelationKind>> = {
  sequel: "prequel",
  prequel: "sequel",
  alternative_version: "alternative_version",
  alternative_setting: "alternative_setting",
  side_story: "parent_story",
  parent_story: "side_story",
  summary: "full_story",
  full_story: "summary",
  spin_off: "parent_story",
  character: "character",
  other: "other",
};
/** The part that a title has in its franchise. `main`: the line of sequels that the franchise is about. */
export const franchiseMarks = [
  "main",
  "side_story",
  "special",
  "summary",
  "movie",
  "alternative",
  "spin_off",
] as const;
/**
 * An operator's corrections of a title's franchise. `joined`: the title's franchise and that of the other title are
 * one. `moved`: the title is in the other title's franchise, or in none, and its relations are ignored. `after`: in the
 * story, the title follows the other one, or comes first.
 */
export const franchiseCorrectionKinds = ["joined", "moved", "after"] as const;
export type FranchiseCorrectionKind = (typeof franchiseCorrectionKinds)[number];
/** Other sites that have their own number or name for a title. MyAnimeList's number is the title's id here. */
export const externalSites = [
  "anidb",
  "anilist",
  "anime-planet",
  "animecountdown",
  "anisearch",
  "ann",
  "imdb",
  "kitsu",
  "livechart",
  "notify",
  "simkl",
  "tmdb-movie",
  "tmdb-tv",
  "tvdb",
] as const;
export type ExternalSite = (typeof externalSites)[number];
/** Sites with one entry for each title here. The other sites keep all seasons of a series under one id. */
export const oneToOneSites = [
  "anidb",
  "anilist",
  "anime-planet",
  "animecountdown",
  "anisearch",
  "kitsu",
  "livechart",
  "notify",
  "simkl",
] as const satisfies readonly ExternalSite[];
/**
 * The sources of facts about titles, the most trusted first. `before` contains a title's values from before its first
 * record was written. `starter` only fills in fields that no other source has. `folder` (the files beside the
 * operator's films) fills in fields that even `starter` lacks.
 */
export const titleSources = [
  "operator",
  "file",
  "engawa",
  "jikan",
  "anilist",
  "offline-database",
  "anime-lists",
  "before",
  "starter",
  "folder",
] as const;
/** Why a title's details are requested, the most urgent reason first. */
export const detailReasons = ["opened", "films", "listed", "airing"] as const;
export const characterRoles = ["main", "supporting", "background"] as const;
export type CharacterRole = (typeof characterRoles)[number];
/**
 * The pictures that come with details, in the order in which they are fetched. `portrait`: of a person or character.
 */
export const detailPictureKinds = ["cover", "banner", "portrait", "still"] as const;
/** How a feed's run ended. `interrupted`: the run was cut off, for example when the site stopped. */
export const feedOutcomes = ["imported", "unchanged", "failed", "interrupted"] as const;
/** Kinds of things with a number on MyAnimeList. Genres, themes and demographics share one series of numbers there. */
export const tagKinds = ["genre", "theme", "demographic", "producer"] as const;
export const sourceTypes = ["hls", "mp4", "webm", "file"] as const;
export type SourceType = (typeof sourceTypes)[number];
/** The request headers that an operator can set for a source. */
export const sourceHeaderNames = ["Referer", "Origin", "User-Agent", "Cookie", "Authorization"] as const;
export const skipKinds = ["intro", "outro", "recap", "preview"] as const;
export type SkipKind = (typeof skipKinds)[number];

/* Images */
export const storageKinds = ["disk", "s3", "ipfs"] as const;
export const imageUseKinds = ["upload", "avatar", "banner"] as const;

/* Devices that wait to be signed in. A used code has created a session. */
export const deviceCodeStates = ["pending", "confirmed", "denied", "used"] as const;

/* Events */
export const eventActors = ["member", "operator", "command"] as const;
export const eventKinds = [
  "sign_up",
  "sign_in",
  "sign_in_new_network",
  "sign_ins_failed",
  "password_changed",
  "password_reset",
  "email_changed",
  "reset_link_made",
  "token_made",
  "token_revoked",
  "session_ended",
  "sessions_ended",
  "provider_linked",
  "operator_added",
  "operator_removed",
  "account_disabled",
  "account_enabled",
  "birthday_removed",
  "profile_added",
  "profile_deleted",
  "profile_left",
  "ceiling_changed",
  "device_confirmed",
  "invitation_made",
  "invitation_revoked",
  "pin_changed",
  "pins_failed",
  "account_deleted",
  "account_exported",
  "account_imported",
  "source_headers_changed",
  "hook_made",
  "hook_revoked",
  "catalog_imported",
  "title_edited",
  "local_title_replaced",
  "settings_changed",
  "backup_made",
  "backup_restored",
] as const;

/** The operators' choices on the site, spelled like SIGNUPS and VISITORS. */
export const chosenSignUps = ["closed", "invite", "open"] as const;
export const chosenVisitors = ["yes", "no"] as const;

/** The steps of the page Setup, in their order. */
export const setupSteps = ["videos", "found", "catalog", "people", "watch"] as const;
