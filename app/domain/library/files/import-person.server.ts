import type { FileHandle } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { editPreferences } from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { mayHaveEpisode } from "#app/domain/catalog/catalog.server.ts";
import { done, type Issue } from "#app/domain/errors.ts";
import {
  editProfile,
  getProfile,
  type Profile,
  type ProfileChange,
  updateProfile,
} from "#app/domain/profile/profile.server.ts";
import {
  mapMemberFields,
  maxFavoriteStudios,
  maxFavoriteTitles,
  memberFieldNames,
} from "#app/domain/profile/profile.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { filterRows, type Rows } from "#app/platform/process/stored-rows.ts";
import { snakeCase } from "#app/platform/snake-case.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import {
  searchHistory,
  dismissals as storedDismissals,
  trackChoices as storedTrackChoices,
  watchHistory,
  watchProgress,
} from "#db/schema/library.ts";
import { deleteOldSearches } from "../history/search-history.server.ts";
import {
  deleteOldest,
  maxDeletedAtOnce,
  maxWatchedEpisodes,
  recordsWatching,
} from "../history/watch-history.server.ts";
import { keepLaterPoint, keepLaterView } from "../history/watch-progress.server.ts";
import { addWishes } from "../wishes.server.ts";
import type {
  FileDismissal,
  FileProfile,
  FileResumePoint,
  FileSearch,
  FileTrackChoice,
  FileView,
  UploadedPerson,
} from "./account-file.ts";
import { importInto, type ListImportReport, noteImportedTitles } from "./import-list.server.ts";
import { compareNames } from "./named-local-titles.server.ts";
import { inPieces, inPiecesOfTitles, personRecordsOf } from "./pieces-of-file.server.ts";

/**
 * Adds the data of one profile in an account file to a profile. Existing values stay. The email, credentials, role and
 * id in the file are ignored, so that a file cannot change who may sign in or what they may do.
 */

/** A value of the file that was not saved. `field` is its name in the file. */
export type SkippedValue = { field: string; why: string };
export type PersonImportReport = {
  watchList: ListImportReport;
  searches: number;
  /** How many resume points and views were written. `skipped` says how many of the oldest were removed afterwards. */
  resumePoints: number;
  views: number;
  trackChoices: number;
  skipped: SkippedValue[];
};

export type PersonImportOptions = {
  viewer: Viewer;
  /** The file to which the report about the list is appended. */
  scratch: FileHandle;
  /** Returns a picture's URL as the profile stores it, or null if the URL is not acceptable. */
  storedPicture: (url: string) => string | null;
  /** A new profile begins with the owner's time zone and language, which the child has not chosen. */
  isNewProfile?: boolean;
};

/**
 * Never returns a refusal. The library is already stored, and a refusal would lose its report and the id of its undo.
 */
export async function importPerson(
  user: SessionUser,
  file: UploadedPerson,
  { viewer, storedPicture, scratch, isNewProfile = false }: PersonImportOptions,
): Promise<PersonImportReport> {
  const isSame = await compareNames(file.localTitles);
  const isMeant = (malId: number) => isSame.get(malId) !== false;
  const library = await importLibrary(user, file, { viewer, scratch }, isMeant);
  await noteImportedTitles(library.watchList);
  const imported = { ...file.profile };
  for (const name of ["favoriteAnimes", "watchedAnimes"] as const)
    imported[name] = imported[name].filter(isMeant);
  for (const picture of ["avatarUrl", "bannerImage"] as const)
    imported[picture] = imported[picture] && storedPicture(imported[picture]);
  const skipped = [
    ...(user.preferences.forgetsWatched ? notRemembered(file) : []),
    ...library.skipped,
    ...([...isSame.values()].includes(false) ? [otherTitles] : []),
    ...(await importProfile(user.id, imported)),
    ...(await importTastes(user.id, imported)),
    ...(await importPreferences(user.id, file.preferences, isNewProfile)),
  ];
  return { ...library, skipped };
}

const otherTitles = {
  field: "local_titles",
  why: "some left out: the titles with their numbers have other names here",
};

/** The rows that the inserts leave out if the profile's watching is not recorded. */
const notRemembered = ({ views, resumePoints, trackChoices }: UploadedPerson): SkippedValue[] =>
  Object.entries({ watch_history: views, watch_progress: resumePoints, track_choices: trackChoices })
    .filter(([, { count }]) => count > 0)
    .map(([field]) => ({ field, why: "you chose not to have remembered what you watch" }));

const fieldsByPath = new Map(memberFieldNames.map((name) => [snakeCase(name), name]));

/** Leaves out each value that is refused, such as a picture that only another installation has, and saves the rest. */
async function importProfile(userId: string, imported: FileProfile): Promise<SkippedValue[]> {
  const profile = await getProfile(userId);
  if (!profile.ok) return [notSaved("profile")];
  const change = fillProfile(profile.value, imported);
  const refusedIn = (issues: readonly Issue[] = []) =>
    issues.flatMap(({ path, message }) => {
      const field = fieldsByPath.get(path);
      return field === undefined || change[field] === undefined ? [] : [{ path, message, field }];
    });
  const skipped: SkippedValue[] = [];
  for (;;) {
    const saved = await updateProfile(userId, change);
    if (saved.ok) return skipped;
    const refused = refusedIn(saved.issues);
    if (refused.length === 0) return [...skipped, notSaved("profile")];
    for (const { path, message, field } of refused) {
      change[field] = undefined;
      skipped.push({ field: path, why: message });
    }
  }
}

const notSaved = (field: string): SkippedValue => ({ field, why: "could not be saved" });

/** Appends the titles, studios and genres of a file to the profile's own. Returns which lists did not fit completely. */
async function importTastes(userId: string, imported: FileProfile): Promise<SkippedValue[]> {
  const skipped: SkippedValue[] = [];
  const join = <Value>(field: string, own: readonly Value[], more: readonly Value[], max: number) => {
    const all = [...new Set([...own, ...more])];
    // A list that already exceeds the limit stays as it is.
    const most = Math.max(max, own.length);
    if (all.length > most) skipped.push({ field, why: leftOutText(all.length - most, max) });
    return all.slice(0, most);
  };
  const { favoriteAnimes, watchedAnimes, favoriteStudios, favoriteGenres } = imported;
  const saved = await editProfile(userId, (own) =>
    done({
      favoriteAnimes: join("favorite_animes", own.favoriteAnimes, favoriteAnimes, maxFavoriteTitles),
      watchedAnimes: join("watched_animes", own.watchedAnimes, watchedAnimes, maxFavoriteTitles),
      favoriteStudios: join("favorite_studios", own.favoriteStudios, favoriteStudios, maxFavoriteStudios),
      favoriteGenres: join("favorite_genres", own.favoriteGenres, favoriteGenres, Infinity),
    }),
  );
  return saved.ok ? skipped : [notSaved("favorite_animes")];
}

const leftOutText = (left: number, max: number) =>
  `${left.toLocaleString("en")} of them did not fit: a profile has at most ${max.toLocaleString("en")}`;

/**
 * A file never switches parental control off, because "on" may also be the member's choice, even though it is the
 * default. It never stops the recording of what the member watches either: the member would notice only when the
 * history is missing.
 */
async function importPreferences(
  userId: string,
  { parentalControl, forgetsWatched, ...imported }: Partial<Preferences>,
  isNewProfile: boolean,
): Promise<SkippedValue[]> {
  const skipped: SkippedValue[] = [];
  const saved = await editPreferences(userId, (stored) => {
    const own = isNewProfile ? defaultPreferences : stored;
    if (own.parentalControl && parentalControl === false)
      skipped.push({
        field: "parentalControl",
        why: "stays on; only the member can turn it off, in the settings",
      });
    if (forgetsWatched === true && !own.forgetsWatched)
      skipped.push({
        field: "forgetsWatched",
        why: "stays off; only the member can turn it on, in the settings",
      });
    return fillPreferences(own, imported);
  });
  return saved.ok ? skipped : [notSaved("preferences"), ...skipped];
}

/** Writes the tables in the same order as `reportProgress`, or the two could deadlock. */
const importLibrary = (
  user: SessionUser,
  { list, searches, resumePoints, views, trackChoices, dismissals, wishes }: UploadedPerson,
  { viewer, scratch }: Pick<PersonImportOptions, "viewer" | "scratch">,
  isMeant: (malId: number) => boolean,
): Promise<PersonImportReport> =>
  withTransaction(async (transaction) => {
    const meant = <Row extends { malId: number }>(rows: Rows<Row>) =>
      filterRows(rows, ({ malId }) => isMeant(malId));
    const watchList = await importInto(transaction, user.id, list, { replaceScores: false, viewer, scratch });
    const addedViews = await addViews(transaction, user.id, meant(views));
    const addedPoints = await addResumePoints(transaction, user.id, meant(resumePoints));
    const report = {
      watchList,
      views: addedViews.added,
      resumePoints: addedPoints.added,
      skipped: [
        ...oldestRemoved("watch_history", addedViews.deleted),
        ...oldestRemoved("watch_progress", addedPoints.deleted),
      ],
      trackChoices: await addTrackChoices(transaction, user.id, meant(trackChoices)),
      searches: await addSearches(transaction, user.id, searches),
    };
    await addDismissals(transaction, user.id, meant(dismissals));
    await addWishes(transaction, user, meant(wishes), viewer);
    return report;
  });

/** Fills in missing fields. A name that equals the username was never set, so it counts as missing. */
const fillProfile = (own: Profile, imported: FileProfile): ProfileChange => {
  // `importTastes` adds these lists to the profile's own.
  const byImportTastes = () => undefined;
  return mapMemberFields({
    name: (_, name) => (own[name] === own.username ? (imported[name] ?? undefined) : undefined),
    lastName: (_, name) => own[name] ?? imported[name],
    picture: (_, name) => (own[name] === null ? (imported[name] ?? undefined) : undefined),
    birthday: (_, name) => own[name] ?? imported[name],
    word: (_, name) => own[name] ?? imported[name],
    titles: byImportTastes,
    studios: byImportTastes,
    genres: byImportTastes,
    // The table of kinds has one type for all word fields. The cast restores each field's own words.
  }) as ProfileChange;
};

/** Only preferences that still have their default are replaced. */
const fillPreferences = (own: Preferences, imported: Partial<Preferences>): Partial<Preferences> =>
  Object.fromEntries(
    Object.entries(imported).filter(
      // Compares as text, because a list of languages is a new array each time.
      ([name]) => `${own[name as keyof Preferences]}` === `${defaultPreferences[name as keyof Preferences]}`,
    ),
  );

/** Deletes the oldest after each piece, so that a long file cannot fill the database before it is deleted again. */
const addSearches = (transaction: Transaction, userId: string, searches: Rows<FileSearch>) =>
  inPieces(searches, async (piece) => {
    const added = await transaction.execute(sql`
      insert into ${searchHistory} (user_id, query, searched_at)
      select distinct users.id, query, "searchedAt"
      from jsonb_to_recordset(${personRecordsOf(piece)}) as imported(query text, "searchedAt" timestamptz(3)),
        ${users} where users.id = ${userId}::uuid and track_search_history and not exists (
          select from ${searchHistory} as own
          where own.user_id = ${userId}::uuid and own.query = imported.query and own.searched_at = "searchedAt")
      returning id`);
    await deleteOldSearches(userId, transaction);
    return added;
  });

/** The removed rows can be the file's or those that the profile had before. */
function oldestRemoved(field: string, removed: number): SkippedValue[] {
  if (removed === 0) return [];
  const max = maxWatchedEpisodes.toLocaleString("en");
  return [
    {
      field,
      why: `${removed.toLocaleString("en")} of the oldest removed: a profile keeps the newest ${max}`,
    },
  ];
}

/** Adds rows of watched episodes, and deletes the oldest before one statement would have to delete too many. */
async function addWatched<Row extends { malId: number }>(
  transaction: Transaction,
  userId: string,
  { table, rows }: { table: typeof watchHistory | typeof watchProgress; rows: Rows<Row> },
  insert: (piece: readonly Row[]) => Promise<{ length: number }>,
) {
  let deleted = 0;
  let addedSince = 0;
  const added = await inPiecesOfTitles(transaction, rows, async (piece) => {
    if (addedSince + piece.length > maxDeletedAtOnce) {
      deleted += await deleteOldest(table, userId, transaction);
      addedSince = 0;
    }
    const inserted = await insert(piece);
    addedSince += inserted.length;
    return inserted;
  });
  deleted += await deleteOldest(table, userId, transaction);
  return { added, deleted };
}

const addViews = (transaction: Transaction, userId: string, views: Rows<FileView>) =>
  addWatched(transaction, userId, { table: watchHistory, rows: views }, (piece) =>
    transaction.execute(sql`
      insert into ${watchHistory} as own (user_id, mal_id, episode, watched_at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, "watchedAt"
      from jsonb_to_recordset(${personRecordsOf(piece)}) as imported("malId" int, episode int, "watchedAt" timestamptz)
        join ${titles} on mal_id = "malId"
      where ${recordsWatching(userId)} and ${mayHaveEpisode(sql`imported.episode`)}
      order by mal_id, episode, "watchedAt" desc
      on conflict (user_id, mal_id, episode) do update ${keepLaterView}
      returning 1`),
  );

const addResumePoints = (transaction: Transaction, userId: string, resumePoints: Rows<FileResumePoint>) =>
  addWatched(transaction, userId, { table: watchProgress, rows: resumePoints }, (piece) =>
    transaction.execute(sql`
      insert into ${watchProgress} as own (user_id, mal_id, episode, position, duration, at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, position, imported.duration, at
      from jsonb_to_recordset(${personRecordsOf(piece)})
        as imported("malId" int, episode int, position float8, duration float8, at timestamptz)
        join ${titles} on mal_id = "malId"
      where ${recordsWatching(userId)} and ${mayHaveEpisode(sql`imported.episode`)}
      order by mal_id, episode, at desc, position desc, imported.duration desc
      on conflict (user_id, mal_id, episode) do update ${keepLaterPoint}
      returning 1`),
  );

const addTrackChoices = (transaction: Transaction, userId: string, choices: Rows<FileTrackChoice>) =>
  inPiecesOfTitles(transaction, choices, (piece) =>
    transaction.execute(sql`
      insert into ${storedTrackChoices} (user_id, mal_id, sound, subtitles, chosen_at)
      select distinct on (mal_id) ${userId}::uuid, mal_id, sound, subtitles, "chosenAt"
      from jsonb_to_recordset(${personRecordsOf(piece)})
        as imported("malId" int, sound text, subtitles text, "chosenAt" timestamptz)
        join ${titles} on mal_id = "malId"
      where ${recordsWatching(userId)}
      order by mal_id, "chosenAt" desc
      on conflict (user_id, mal_id) do nothing
      returning 1`),
  );

const addDismissals = (transaction: Transaction, userId: string, dismissals: Rows<FileDismissal>) =>
  inPiecesOfTitles(transaction, dismissals, (piece) =>
    transaction.execute(sql`
      insert into ${storedDismissals} (user_id, mal_id, place, dismissed_at)
      select distinct on (mal_id, place) ${userId}::uuid, mal_id, place, "dismissedAt"
      from jsonb_to_recordset(${personRecordsOf(piece)}) as imported("malId" int, place text, "dismissedAt" timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, place, "dismissedAt" desc
      on conflict (user_id, mal_id, place) do nothing
      returning 1`),
  );
