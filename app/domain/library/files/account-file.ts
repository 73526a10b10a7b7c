import {
  type Ceiling,
  ceilings,
  fanaticLevels,
  findBirthdayError,
  findUsernameError,
  genders,
  isLanguage,
  isSoundLanguage,
  maxFavoriteTitles,
  maxProfiles,
  maxStudioLength,
  maxSubtitleLanguages,
  type Preferences,
  preferredFormats,
  scoreFormats,
  type TitleVerdict,
  themes,
  titleLanguages,
  titleVerdicts,
  usernameLength,
  watchFrequencies,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { genres, maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { findWord } from "#app/domain/spelling.ts";
import type { ScratchFile, StoredRows } from "#app/platform/process/stored-rows.ts";
import {
  type DismissalPlace,
  dismissalPlaces,
  isSoundChoice,
  isSubtitleChoice,
  type TrackChoice,
} from "../library.ts";
import { accountFormat, readOwnEntries, requireKnownVersion } from "./json-lists.ts";
import {
  clampNumber,
  isJsonObject,
  type JsonObject,
  jsonObjectsIn,
  readCalendarDate,
  readMalId,
  readPastTime,
  storableText,
} from "./list-records.ts";
import { type StoredList, storeList } from "./store-list.ts";

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

export type FileDismissal = { malId: number; place: DismissalPlace; dismissedAt: string };

export type FileWish = { malId: number; wishedAt: string };

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

/** What one profile has. Its rows are in the scratch file. */
type PersonFile = {
  profile: FileProfile;
  preferences: Partial<Preferences>;
  list: StoredList;
  searches: StoredRows;
  resumePoints: StoredRows;
  views: StoredRows;
  trackChoices: StoredRows;
  dismissals: StoredRows;
  wishes: StoredRows;
};

/** Another profile of the household. Only the owner's file of a child holds more than the name. */
type FileHouseholdProfile = { name: string; ceiling: Ceiling | null; person: PersonFile | null };

type AccountFile = PersonFile & {
  householdTitles: StoredRows;
  household: FileHouseholdProfile[];
};

/** Null: the document is not an account file. Values that are not valid are left out. */
export function readAccount(document: unknown, scratch: ScratchFile): AccountFile | null {
  if (!isJsonObject(document) || document.format !== accountFormat) return null;
  requireKnownVersion(document);
  return {
    ...readPerson(document, usernameLength.min, scratch),
    householdTitles: storeRows(document.household_titles, readVerdict, scratch),
    household: readHousehold(document, scratch),
  };
}

function readPerson(document: JsonObject, minNameLength: number, scratch: ScratchFile): PersonFile {
  return {
    profile: readProfile(isJsonObject(document.profile) ? document.profile : {}, minNameLength),
    preferences: readPreferences(isJsonObject(document.preferences) ? document.preferences : {}),
    list: storeList((list) => readOwnEntries(document.watch_list ?? [], list), scratch),
    searches: storeRows(document.search_history, readSearch, scratch),
    resumePoints: storeRows(document.watch_progress, readResumePoint, scratch),
    views: storeRows(document.watch_history, readView, scratch),
    trackChoices: storeRows(document.track_choices, readTrackChoice, scratch),
    dismissals: storeRows(document.dismissals, readDismissal, scratch),
    wishes: storeRows(document.wishes, readWish, scratch),
  };
}

function storeRows(value: unknown, read: (fields: JsonObject) => object[], scratch: ScratchFile): StoredRows {
  const rows = scratch.writeRows();
  for (const fields of jsonObjectsIn(value)) for (const row of read(fields)) rows.add(row);
  return rows.end();
}

/** More than an account has, so that the report can say which of them did not fit. */
const maxHouseholdProfiles = 4 * maxProfiles;
/** Longer than a name may be, so that the import refuses it and does not cut it. */
const maxNameLength = 2 * usernameLength.max;

/** The rows of profiles that belong to children stand in the same order as the files of the children. */
function readHousehold(document: JsonObject, scratch: ScratchFile): FileHouseholdProfile[] {
  const children = firstOf(jsonObjectsIn(document.children), maxProfiles - 1);
  const nameIn = ({ name }: JsonObject) => storableText(name, maxNameLength).trim();
  const household: FileHouseholdProfile[] = [];
  for (const row of firstOf(jsonObjectsIn(document.profiles), maxHouseholdProfiles)) {
    const name = nameIn(row);
    const ceiling =
      row.ceiling === null || row.ceiling === undefined
        ? null
        : (ceilings.find((one) => one === row.ceiling) ?? "chosen");
    const child = ceiling === null ? undefined : children.next().value;
    household.push(
      ceiling === null || child === undefined
        ? { name, ceiling, person: null }
        : readChild(child, { name, ceiling }, scratch),
    );
  }
  for (const child of children) household.push(readChild(child, null, scratch));
  return household;
}

/** The next item is read from the file when it is asked for, so that one child at a time is in memory. */
function* firstOf<Item>(items: Iterable<Item>, most: number): Generator<Item, undefined> {
  let count = 0;
  for (const item of items) {
    if (count++ === most) return;
    yield item;
  }
}

/** A file that does not say how far the child may go gives it only what the household allows. */
function readChild(
  document: JsonObject,
  row: { name: string; ceiling: Ceiling } | null,
  scratch: ScratchFile,
): FileHouseholdProfile {
  const person = readPerson({ watch_list: [], ...document }, 1, scratch);
  const fields = isJsonObject(document.profile) ? document.profile : {};
  const name = storableText(fields.name, maxNameLength).trim();
  return { name, ceiling: row?.name === name ? row.ceiling : "chosen", person };
}

/** More than a profile has, so that the import can say how many did not fit. */
const maxProfileItems = 2 * maxFavoriteTitles;
const maxUrlLength = 2048;

function readProfile(fields: JsonObject, minNameLength: number): FileProfile {
  const text = (value: unknown, maxLength: number) => storableText(value, maxLength).trim() || null;
  const word = <Word extends string>(words: readonly Word[], value: unknown) =>
    (typeof value === "string" && findWord(words, value)) || null;
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, maxProfileItems) : []);
  const ids = (value: unknown) => list(value).flatMap((id) => readMalId(id) ?? []);
  const name = text(fields.name, 64);
  const lastName = text(fields.last_name, 64);
  const birthday = readCalendarDate(text(fields.birthday, 10));
  return {
    name: name && !findUsernameError(name, minNameLength) ? name : null,
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
  const { enfasiscolor, parentalControl, trackSearchHistory, forgetsWatched, listsWatched, timeZone } =
    fields;
  const titleLanguage = titleLanguages.find((language) => language === fields.titleLanguage);
  const theme = themes.find((word) => word === fields.theme);
  const scoreFormat = scoreFormats.find((format) => format === fields.scoreFormat);
  return {
    ...(typeof enfasiscolor === "string" &&
      /^#[0-9a-f]{6}$/i.test(enfasiscolor) && { accentColor: enfasiscolor }),
    ...(typeof parentalControl === "boolean" && { parentalControl }),
    ...(typeof trackSearchHistory === "boolean" && { trackSearchHistory }),
    ...(typeof forgetsWatched === "boolean" && { forgetsWatched }),
    ...(typeof fields.skipsSegments === "boolean" && { skipsSegments: fields.skipsSegments }),
    ...(typeof fields.playsNext === "boolean" && { playsNext: fields.playsNext }),
    ...(typeof listsWatched === "boolean" && { listsWatched }),
    ...(typeof timeZone === "string" && isTimeZone(timeZone) && { timeZone }),
    ...readTrackPreferences(fields),
    ...(titleLanguage && { titleLanguage }),
    ...(scoreFormat && { scoreFormat }),
    ...(theme && { theme }),
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

function readDismissal(fields: JsonObject): FileDismissal[] {
  const [malId, dismissedAt] = [readMalId(fields.mal_id), readPastTime(fields.dismissed_at)];
  const place = dismissalPlaces.find((word) => word === fields.place);
  return malId !== null && dismissedAt && place ? [{ malId, place, dismissedAt }] : [];
}

/** A wish that was fulfilled elsewhere is none here. */
function readWish(fields: JsonObject): FileWish[] {
  if (fields.fulfilled_at != null) return [];
  const [malId, wishedAt] = [readMalId(fields.mal_id), readPastTime(fields.wished_at)];
  return malId !== null && wishedAt ? [{ malId, wishedAt }] : [];
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
