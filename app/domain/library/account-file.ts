import {
  birthdayFault,
  fanaticLevels,
  genders,
  type Preferences,
  preferredFormats,
  titleLanguages,
  usernameFault,
  watchFrequencies,
} from "../accounts/accounts.ts";
import { genres, mostEpisodes } from "../catalog/catalog.ts";
import { findWord } from "../spelling.ts";
import { isTimeZone } from "../visitor/visitor.ts";
import { calendarDate, type ListFile, pastMoment, readId, storableText, within } from "./list-file.ts";
import { accountFormat, isPlain, type Plain, plainList, readOwn, requireKnownVersion } from "./list-json.ts";

/** A whole account as one JSON file: what stands in it, and what of a file somebody sends can be believed. */

export type FiledSearch = { query: string; searchedAt: string };
export type FiledPlace = { malId: number; episode: number; position: number; duration: number; at: string };
export type FiledView = { malId: number; episode: number; watchedAt: string };

export type FiledProfile = {
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
  profile: FiledProfile;
  preferences: Partial<Preferences>;
  list: ListFile;
  searches: FiledSearch[];
  places: FiledPlace[];
  views: FiledView[];
};

/** Null: it is no account's file. What in it makes no sense is left out. */
export function readAccount(document: unknown): AccountFile | null {
  if (!isPlain(document) || document.format !== accountFormat) return null;
  requireKnownVersion(document);
  return {
    profile: readProfile(isPlain(document.profile) ? document.profile : {}),
    preferences: readPreferences(isPlain(document.preferences) ? document.preferences : {}),
    list: readOwn(document.watch_list ?? []),
    searches: plainList(document.search_history).flatMap(readSearch),
    places: plainList(document.watch_progress).flatMap(readPlace),
    views: plainList(document.watch_history).flatMap(readView),
  };
}

const mostListed = 10_000;
const longestAddress = 2048;

function readProfile(filed: Plain): FiledProfile {
  const text = (value: unknown, longest: number) => storableText(value, longest).trim() || null;
  const word = <Word extends string>(words: readonly Word[], value: unknown) =>
    (typeof value === "string" && findWord(words, value)) || null;
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, mostListed) : []);
  const ids = (value: unknown) => list(value).flatMap((id) => readId(id) ?? []);
  const name = text(filed.name, 64);
  const lastName = text(filed.last_name, 64);
  const birthday = calendarDate(text(filed.birthday, 10));
  return {
    name: name && !usernameFault(name) ? name : null,
    lastName: lastName && !usernameFault(lastName, 1) ? lastName : null,
    avatarUrl: text(filed.avatar_url, longestAddress),
    bannerImage: text(filed.banner_image, longestAddress),
    birthday: birthday && !birthdayFault(birthday) ? birthday : null,
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

function readPreferences(filed: Plain): Partial<Preferences> {
  const { enfasiscolor, parentalControl, trackSearchHistory, timeZone } = filed;
  const titleLanguage = titleLanguages.find((language) => language === filed.titleLanguage);
  return {
    ...(typeof enfasiscolor === "string" && /^#[0-9a-f]{6}$/i.test(enfasiscolor) && { enfasiscolor }),
    ...(typeof parentalControl === "boolean" && { parentalControl }),
    ...(typeof trackSearchHistory === "boolean" && { trackSearchHistory }),
    ...(typeof timeZone === "string" && isTimeZone(timeZone) && { timeZone }),
    ...(titleLanguage && { titleLanguage }),
  };
}

function readSearch(filed: Plain): FiledSearch[] {
  const query = storableText(filed.query, 1000).trim();
  const searchedAt = pastMoment(filed.timestamp);
  return query && searchedAt ? [{ query, searchedAt }] : [];
}

const longestEpisode = 1_000_000;

function readEpisode(filed: Plain): { malId: number; episode: number } | null {
  const [malId, episode] = [readId(filed.mal_id), readId(filed.ep)];
  return malId !== null && episode !== null && episode <= mostEpisodes ? { malId, episode } : null;
}

function readPlace(filed: Plain): FiledPlace[] {
  const [episode, at] = [readEpisode(filed), pastMoment(filed.at)];
  const [position, duration] = [filed.position, filed.duration].map((value) => within(value, longestEpisode));
  return episode && at && position != null && duration != null
    ? [{ ...episode, position, duration, at }]
    : [];
}

function readView(filed: Plain): FiledView[] {
  const [episode, watchedAt] = [readEpisode(filed), pastMoment(filed.watched_at)];
  return episode && watchedAt ? [{ ...episode, watchedAt }] : [];
}
