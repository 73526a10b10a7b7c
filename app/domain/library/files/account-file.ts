import {
  fanaticLevels,
  findBirthdayError,
  findUsernameError,
  genders,
  type Preferences,
  preferredFormats,
  titleLanguages,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { genres, maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { findWord } from "#app/domain/spelling.ts";
import {
  accountFormat,
  isJsonObject,
  type JsonObject,
  jsonObjectsIn,
  readOwnEntries,
  requireKnownVersion,
} from "./json-lists.ts";
import {
  clampNumber,
  type ListFile,
  readCalendarDate,
  readMalId,
  readPastTime,
  storableText,
} from "./list-records.ts";

/** A whole account as one JSON file: what stands in it, and what of a file somebody sends can be believed. */

export type FileSearch = { query: string; searchedAt: string };
export type FileResumePoint = {
  malId: number;
  episode: number;
  position: number;
  duration: number;
  at: string;
};
export type FileView = { malId: number; episode: number; watchedAt: string };

export type FileProfile = {
  name: string | null;
  lastName: string | null;
  avatarUrl: string | null;
  bannerImage: string | null;
  birthday: string | null;
  gender: (typeof genders)[number] | null;
  favoriteAnimes: number[];
  watchedAnimes: number[];
  favoriteStudios: string[];
  favoriteGenres: string[];
  frequencyOfWatch: (typeof watchFrequencies)[number] | null;
  fanaticLevel: (typeof fanaticLevels)[number] | null;
  preferredFormat: (typeof preferredFormats)[number] | null;
};

export type AccountFile = {
  profile: FileProfile;
  preferences: Partial<Preferences>;
  list: ListFile;
  searches: FileSearch[];
  resumePoints: FileResumePoint[];
  views: FileView[];
};

/** Null: it is no account's file. What in it makes no sense is left out. */
export function readAccount(document: unknown): AccountFile | null {
  if (!isJsonObject(document) || document.format !== accountFormat) return null;
  requireKnownVersion(document);
  return {
    profile: readProfile(isJsonObject(document.profile) ? document.profile : {}),
    preferences: readPreferences(isJsonObject(document.preferences) ? document.preferences : {}),
    list: readOwnEntries(document.watch_list ?? []),
    searches: jsonObjectsIn(document.search_history).flatMap(readSearch),
    resumePoints: jsonObjectsIn(document.watch_progress).flatMap(readResumePoint),
    views: jsonObjectsIn(document.watch_history).flatMap(readView),
  };
}

const maxProfileItems = 10_000;
const maxUrlLength = 2048;

function readProfile(filed: JsonObject): FileProfile {
  const text = (value: unknown, longest: number) => storableText(value, longest).trim() || null;
  const word = <Word extends string>(words: readonly Word[], value: unknown) =>
    (typeof value === "string" && findWord(words, value)) || null;
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, maxProfileItems) : []);
  const ids = (value: unknown) => list(value).flatMap((id) => readMalId(id) ?? []);
  const name = text(filed.name, 64);
  const lastName = text(filed.last_name, 64);
  const birthday = readCalendarDate(text(filed.birthday, 10));
  return {
    name: name && !findUsernameError(name) ? name : null,
    lastName: lastName && !findUsernameError(lastName, 1) ? lastName : null,
    avatarUrl: text(filed.avatar_url, maxUrlLength),
    bannerImage: text(filed.banner_image, maxUrlLength),
    birthday: birthday && !findBirthdayError(birthday) ? birthday : null,
    gender: word(genders, filed.gender),
    favoriteAnimes: ids(filed.favorite_animes),
    watchedAnimes: ids(filed.watched_animes),
    favoriteStudios: list(filed.favorite_studios).flatMap((studio) => text(studio, 200) ?? []),
    favoriteGenres: list(filed.favorite_genres).flatMap((genre) => word(genres, genre) ?? []),
    frequencyOfWatch: word(watchFrequencies, filed.frequency_of_watch),
    fanaticLevel: word(fanaticLevels, filed.fanatic_level),
    preferredFormat: word(preferredFormats, filed.preferred_format),
  };
}

function readPreferences(filed: JsonObject): Partial<Preferences> {
  const { enfasiscolor, parentalControl, trackSearchHistory, timeZone } = filed;
  const titleLanguage = titleLanguages.find((language) => language === filed.titleLanguage);
  return {
    ...(typeof enfasiscolor === "string" &&
      /^#[0-9a-f]{6}$/i.test(enfasiscolor) && { accentColor: enfasiscolor }),
    ...(typeof parentalControl === "boolean" && { parentalControl }),
    ...(typeof trackSearchHistory === "boolean" && { trackSearchHistory }),
    ...(typeof timeZone === "string" && isTimeZone(timeZone) && { timeZone }),
    ...(titleLanguage && { titleLanguage }),
  };
}

function readSearch(filed: JsonObject): FileSearch[] {
  const query = storableText(filed.query, 1000).trim();
  const searchedAt = readPastTime(filed.timestamp);
  return query && searchedAt ? [{ query, searchedAt }] : [];
}

const maxEpisodeSeconds = 1_000_000;

function readEpisode(filed: JsonObject): { malId: number; episode: number } | null {
  const [malId, episode] = [readMalId(filed.mal_id), readMalId(filed.ep)];
  return malId !== null && episode !== null && episode <= maxEpisodeNumber ? { malId, episode } : null;
}

function readResumePoint(filed: JsonObject): FileResumePoint[] {
  const [episode, at] = [readEpisode(filed), readPastTime(filed.at)];
  const [position, duration] = [filed.position, filed.duration].map((value) =>
    clampNumber(value, maxEpisodeSeconds),
  );
  return episode && at && position != null && duration != null
    ? [{ ...episode, position, duration, at }]
    : [];
}

function readView(filed: JsonObject): FileView[] {
  const [episode, watchedAt] = [readEpisode(filed), readPastTime(filed.watched_at)];
  return episode && watchedAt ? [{ ...episode, watchedAt }] : [];
}
