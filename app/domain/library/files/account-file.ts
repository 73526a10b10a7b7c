import {
  fanaticLevels,
  findBirthdayError,
  findUsernameError,
  genders,
  isLanguage,
  isSoundLanguage,
  maxStudioLength,
  maxSubtitleLanguages,
  type Preferences,
  preferredFormats,
  scoreFormats,
  type TitleVerdict,
  titleLanguages,
  titleVerdicts,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { genres, maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { findWord } from "#app/domain/spelling.ts";
import { isSoundChoice, isSubtitleChoice, type TrackChoice } from "../library.ts";
import { accountFormat, readOwnEntries, requireKnownVersion } from "./json-lists.ts";
import {
  clampNumber,
  isJsonObject,
  type JsonObject,
  jsonObjectsIn,
  type ListFile,
  readCalendarDate,
  readMalId,
  readPastTime,
  storableText,
} from "./list-records.ts";

/** The JSON file of a whole account. A member can upload any file, so each value is checked before it is used. */

export type FileSearch = { query: string; searchedAt: string };
export type FileResumePoint = {
  malId: number;
  episode: number;
  position: number;
  duration: number;
  at: string;
};
export type FileView = { malId: number; episode: number; watchedAt: string };

export type FileTrackChoice = TrackChoice & { malId: number; chosenAt: string };

export type FileVerdict = { malId: number; verdict: TitleVerdict; chosenAt: string };

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
  trackChoices: FileTrackChoice[];
  householdTitles: FileVerdict[];
};

/** Null: the document is not an account file. Values that are not valid are left out. */
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
    trackChoices: jsonObjectsIn(document.track_choices).flatMap(readTrackChoice),
    householdTitles: jsonObjectsIn(document.household_titles).flatMap(readVerdict),
  };
}

const maxProfileItems = 10_000;
const maxUrlLength = 2048;

function readProfile(fields: JsonObject): FileProfile {
  const text = (value: unknown, maxLength: number) => storableText(value, maxLength).trim() || null;
  const word = <Word extends string>(words: readonly Word[], value: unknown) =>
    (typeof value === "string" && findWord(words, value)) || null;
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, maxProfileItems) : []);
  const ids = (value: unknown) => list(value).flatMap((id) => readMalId(id) ?? []);
  const name = text(fields.name, 64);
  const lastName = text(fields.last_name, 64);
  const birthday = readCalendarDate(text(fields.birthday, 10));
  return {
    name: name && !findUsernameError(name) ? name : null,
    lastName: lastName && !findUsernameError(lastName, 1) ? lastName : null,
    avatarUrl: text(fields.avatar_url, maxUrlLength),
    bannerImage: text(fields.banner_image, maxUrlLength),
    birthday: birthday && !findBirthdayError(birthday) ? birthday : null,
    gender: word(genders, fields.gender),
    favoriteAnimes: ids(fields.favorite_animes),
    watchedAnimes: ids(fields.watched_animes),
    favoriteStudios: list(fields.favorite_studios).flatMap((studio) => text(studio, maxStudioLength) ?? []),
    favoriteGenres: list(fields.favorite_genres).flatMap((genre) => word(genres, genre) ?? []),
    frequencyOfWatch: word(watchFrequencies, fields.frequency_of_watch),
    fanaticLevel: word(fanaticLevels, fields.fanatic_level),
    preferredFormat: word(preferredFormats, fields.preferred_format),
  };
}

function readPreferences(fields: JsonObject): Partial<Preferences> {
  const { enfasiscolor, parentalControl, trackSearchHistory, listsWatched, timeZone } = fields;
  const titleLanguage = titleLanguages.find((language) => language === fields.titleLanguage);
  const scoreFormat = scoreFormats.find((format) => format === fields.scoreFormat);
  return {
    ...(typeof enfasiscolor === "string" &&
      /^#[0-9a-f]{6}$/i.test(enfasiscolor) && { accentColor: enfasiscolor }),
    ...(typeof parentalControl === "boolean" && { parentalControl }),
    ...(typeof trackSearchHistory === "boolean" && { trackSearchHistory }),
    ...(typeof listsWatched === "boolean" && { listsWatched }),
    ...(typeof timeZone === "string" && isTimeZone(timeZone) && { timeZone }),
    ...readTrackPreferences(fields),
    ...(titleLanguage && { titleLanguage }),
    ...(scoreFormat && { scoreFormat }),
  };
}

function readTrackPreferences({ soundLanguage, subtitleLanguages, plainSubtitles }: JsonObject) {
  const isText = (value: unknown) => typeof value === "string";
  return {
    ...(isText(soundLanguage) && isSoundLanguage(soundLanguage) && { soundLanguage }),
    ...(Array.isArray(subtitleLanguages) && {
      subtitleLanguages: subtitleLanguages.filter(isText).filter(isLanguage).slice(0, maxSubtitleLanguages),
    }),
    ...(typeof plainSubtitles === "boolean" && { plainSubtitles }),
  };
}

function readTrackChoice(fields: JsonObject): FileTrackChoice[] {
  const [malId, chosenAt] = [readMalId(fields.mal_id), readPastTime(fields.chosen_at)];
  const valid = (value: unknown, isValid: (text: string) => boolean) =>
    typeof value === "string" && isValid(value) ? value : null;
  if (malId === null || !chosenAt) return [];
  const sound = valid(fields.sound, isSoundChoice);
  return [{ malId, sound, subtitles: valid(fields.subtitles, isSubtitleChoice), chosenAt }];
}

function readVerdict(fields: JsonObject): FileVerdict[] {
  const [malId, chosenAt] = [readMalId(fields.mal_id), readPastTime(fields.chosen_at)];
  const verdict = titleVerdicts.find((word) => word === fields.verdict);
  return malId !== null && chosenAt && verdict ? [{ malId, verdict, chosenAt }] : [];
}

function readSearch(fields: JsonObject): FileSearch[] {
  const query = storableText(fields.query, 1000).trim();
  const searchedAt = readPastTime(fields.timestamp);
  return query && searchedAt ? [{ query, searchedAt }] : [];
}

const maxEpisodeSeconds = 1_000_000;

function readEpisode(fields: JsonObject): { malId: number; episode: number } | null {
  const [malId, episode] = [readMalId(fields.mal_id), readMalId(fields.ep)];
  return malId !== null && episode !== null && episode <= maxEpisodeNumber ? { malId, episode } : null;
}

function readResumePoint(fields: JsonObject): FileResumePoint[] {
  const [episode, at] = [readEpisode(fields), readPastTime(fields.at)];
  const [position, duration] = [fields.position, fields.duration].map((value) =>
    clampNumber(value, maxEpisodeSeconds),
  );
  return episode && at && position != null && duration != null
    ? [{ ...episode, position, duration, at }]
    : [];
}

function readView(fields: JsonObject): FileView[] {
  const [episode, watchedAt] = [readEpisode(fields), readPastTime(fields.watched_at)];
  return episode && watchedAt ? [{ ...episode, watchedAt }] : [];
}
