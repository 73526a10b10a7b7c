import {
  type Ceiling,
  ceilings,
  findBirthdayError,
  findUsernameError,
  isLanguage,
  isSoundLanguage,
  mapPreferences,
  maxProfiles,
  type Preferences,
  type TitleVerdict,
  titleVerdicts,
  usernameLength,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { genres, maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { maxPictureUrlLength } from "#app/domain/images/images.ts";
import {
  type MemberFields,
  mapMemberFields,
  maxFavoriteTitles,
  maxStudioLength,
} from "#app/domain/profile/profile.ts";
import { findWord } from "#app/domain/spelling.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import type { JsonObject } from "#app/platform/foreign-json.ts";
import type { ScratchFile, StoredRows, WithRows } from "#app/platform/process/stored-rows.ts";
import { snakeCase } from "#app/platform/snake-case.ts";
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
  isJsonArray,
  isJsonObject,
  jsonObjectsIn,
  maxTitleLength,
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

export type FileWish = { malId: number; episode: number | null; wishedAt: string };

export type FileVerdict = { malId: number; verdict: TitleVerdict; chosenAt: string };

export type FileLocalTitle = { malId: number; title: string };

export type FileProfile = Omit<MemberFields, "name"> & { name: string | null };

/** The data of one profile. Its rows are in the scratch file. */
type PersonFile = {
  profile: FileProfile;
  preferences: Partial<Preferences>;
  list: StoredList;
  searches: StoredRows<FileSearch>;
  resumePoints: StoredRows<FileResumePoint>;
  views: StoredRows<FileView>;
  trackChoices: StoredRows<FileTrackChoice>;
  dismissals: StoredRows<FileDismissal>;
  wishes: StoredRows<FileWish>;
  /** The names of the local titles in the other fields. Files of earlier versions have none. */
  localTitles: StoredRows<FileLocalTitle>;
};
export type UploadedPerson = WithRows<PersonFile>;

/** Another profile of the household. Grown-ups have only a name; the owner's file contains the data of children. */
type FileHouseholdProfile = { name: string; ceiling: Ceiling | null; person: PersonFile | null };
export type UploadedProfile = WithRows<FileHouseholdProfile>;

type AccountFile = PersonFile & {
  householdTitles: StoredRows<FileVerdict>;
  household: FileHouseholdProfile[];
};
export type UploadedAccount = WithRows<AccountFile>;

/** Null if the document is not an account file. Invalid values are left out. */
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
    localTitles: storeRows(document.local_titles, readLocalTitle, scratch),
  };
}

function storeRows<Row>(
  value: unknown,
  read: (fields: JsonObject) => Row[],
  scratch: ScratchFile,
): StoredRows<Row> {
  const rows = scratch.writeRows<Row>();
  for (const fields of jsonObjectsIn(value)) for (const row of read(fields)) rows.add(row);
  return rows.end();
}

/** Larger than the limit of an account, so that the report can name the profiles that did not fit. */
const maxHouseholdProfiles = 4 * maxProfiles;
/** Longer than the limit of a name, so that the import refuses a long name instead of cutting it. */
const maxNameLength = 2 * usernameLength.max;

const nameIn = ({ name }: JsonObject) => storableText(name, maxNameLength).trim();

/** The rows of children's profiles are in the same order as the children's files. */
function readHousehold(document: JsonObject, scratch: ScratchFile): FileHouseholdProfile[] {
  const children = firstOf(jsonObjectsIn(document.children), maxProfiles - 1);
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

/** The first `most` items. Reads each from the file only on request, so that one child at a time is in memory. */
function* firstOf<Item>(items: Iterable<Item>, most: number): Generator<Item, undefined> {
  let count = 0;
  for (const item of items) {
    if (count++ === most) return;
    yield item;
  }
}

/** A child without a row of its name gets the ceiling that shows only titles chosen by the household. */
function readChild(
  document: JsonObject,
  row: { name: string; ceiling: Ceiling } | null,
  scratch: ScratchFile,
): FileHouseholdProfile {
  const person = readPerson(document, 1, scratch);
  const name = nameIn(isJsonObject(document.profile) ? document.profile : {});
  return { name, ceiling: row?.name === name ? row.ceiling : "chosen", person };
}

/** Larger than the limit of a profile, so that the import can report how many items did not fit. */
const maxProfileItems = 2 * maxFavoriteTitles;

function readProfile(fields: JsonObject, minNameLength: number): FileProfile {
  const text = (value: unknown, maxLength: number) => storableText(value, maxLength).trim() || null;
  const word = <Word extends string>(words: readonly Word[], value: unknown) =>
    typeof value === "string" ? findWord(words, value) : null;
  const list = (value: unknown): unknown[] =>
    isJsonArray(value) ? [...firstOf(value, maxProfileItems)] : [];
  const nameOrNull = (value: unknown, minLength: number) => {
    const name = text(value, 64);
    return name && !findUsernameError(name, minLength) ? name : null;
  };
  const birthdayOrNull = (value: unknown) => {
    const birthday = readCalendarDate(text(value, 10));
    return birthday && !findBirthdayError(birthday) ? birthday : null;
  };
  const rawValue = (name: keyof MemberFields) => fields[snakeCase(name)];
  return mapMemberFields({
    name: (_, name) => nameOrNull(rawValue(name), minNameLength),
    lastName: (_, name) => nameOrNull(rawValue(name), 1),
    picture: (_, name) => text(rawValue(name), maxPictureUrlLength),
    birthday: (_, name) => birthdayOrNull(rawValue(name)),
    word: ({ words }, name) => word(words, rawValue(name)),
    titles: (_, name) => list(rawValue(name)).flatMap((id) => readMalId(id) ?? []),
    studios: (_, name) => list(rawValue(name)).flatMap((studio) => text(studio, maxStudioLength) ?? []),
    genres: (_, name) => list(rawValue(name)).flatMap((genre) => word(genres, genre) ?? []),
    // The table of kinds has one type for all word fields. The cast restores each field's own words.
  }) as FileProfile;
}

function readPreferences({ enfasiscolor, ...named }: JsonObject): Partial<Preferences> {
  const fields: JsonObject = { ...named, accentColor: enfasiscolor };
  const textOf = (name: keyof Preferences, isValid: (text: string) => boolean) => {
    const value = fields[name];
    return typeof value === "string" && isValid(value) ? value : undefined;
  };
  const languagesIn = (value: unknown, maxLanguages: number) =>
    isJsonArray(value)
      ? [...firstOf(value, maxProfileItems)]
          .filter((one): one is string => typeof one === "string" && isLanguage(one))
          .slice(0, maxLanguages)
      : undefined;
  const read = mapPreferences({
    color: (_, name) => textOf(name, (text) => /^#[0-9a-f]{6}$/i.test(text)),
    word: ({ words }, name) => words.find((one) => one === fields[name]),
    switch: (_, name) => [true, false].find((one) => one === fields[name]),
    zone: (_, name) => textOf(name, isTimeZone),
    sound: (_, name) => textOf(name, isSoundLanguage),
    languages: ({ maxLanguages }, name) => languagesIn(fields[name], maxLanguages),
  });
  const entries = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Preferences>;
}

function readTrackChoice(fields: JsonObject): FileTrackChoice[] {
  const malId = readMalId(fields.mal_id);
  const chosenAt = readPastTime(fields.chosen_at);
  if (malId === null || !chosenAt) return [];
  const validText = (value: unknown, isValid: (text: string) => boolean) =>
    typeof value === "string" && isValid(value) ? value : null;
  return [
    {
      malId,
      sound: validText(fields.sound, isSoundChoice),
      subtitles: validText(fields.subtitles, isSubtitleChoice),
      chosenAt,
    },
  ];
}

function readDismissal(fields: JsonObject): FileDismissal[] {
  const malId = readMalId(fields.mal_id);
  const dismissedAt = readPastTime(fields.dismissed_at);
  const place = dismissalPlaces.find((word) => word === fields.place);
  return malId !== null && dismissedAt && place ? [{ malId, place, dismissedAt }] : [];
}

/** A wish that was fulfilled on the other installation is not imported. */
function readWish(fields: JsonObject): FileWish[] {
  if (fields.fulfilled_at != null) return [];
  const malId = readMalId(fields.mal_id);
  const wishedAt = readPastTime(fields.wished_at);
  if (malId === null || !wishedAt) return [];
  // Files of earlier versions, and wishes for titles, have no episode.
  if (fields.ep == null) return [{ malId, episode: null, wishedAt }];
  const episode = readEpisode(fields);
  return episode ? [{ ...episode, wishedAt }] : [];
}

function readVerdict(fields: JsonObject): FileVerdict[] {
  const malId = readMalId(fields.mal_id);
  const chosenAt = readPastTime(fields.chosen_at);
  const verdict = titleVerdicts.find((word) => word === fields.verdict);
  return malId !== null && chosenAt && verdict ? [{ malId, verdict, chosenAt }] : [];
}

function readLocalTitle(fields: JsonObject): FileLocalTitle[] {
  const malId = readMalId(fields.mal_id);
  const title = storableText(fields.title, maxTitleLength);
  return malId !== null && malId >= firstLocalMalId && title !== "" ? [{ malId, title }] : [];
}

function readSearch(fields: JsonObject): FileSearch[] {
  const query = storableText(fields.query, 1000).trim();
  const searchedAt = readPastTime(fields.timestamp);
  return query && searchedAt ? [{ query, searchedAt }] : [];
}

const maxEpisodeSeconds = 1_000_000;

function readEpisode(fields: JsonObject): { malId: number; episode: number } | null {
  const malId = readMalId(fields.mal_id);
  const episode = readMalId(fields.ep);
  return malId !== null && episode !== null && episode <= maxEpisodeNumber ? { malId, episode } : null;
}

function readResumePoint(fields: JsonObject): FileResumePoint[] {
  const episode = readEpisode(fields);
  const at = readPastTime(fields.at);
  const position = clampNumber(fields.position, maxEpisodeSeconds);
  const duration = clampNumber(fields.duration, maxEpisodeSeconds);
  return episode && at && position !== null && duration !== null
    ? [{ ...episode, position, duration, at }]
    : [];
}

function readView(fields: JsonObject): FileView[] {
  const episode = readEpisode(fields);
  const watchedAt = readPastTime(fields.watched_at);
  return episode && watchedAt ? [{ ...episode, watchedAt }] : [];
}
