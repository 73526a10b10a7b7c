import { sql } from "drizzle-orm";
import {
  getProfile,
  markTitlesChosen,
  type Profile,
  type ProfileChange,
  savePreferences,
  updateProfile,
} from "#app/domain/accounts/accounts.server.ts";
import {
  defaultPreferences,
  isOwner,
  type Preferences,
  type SessionUser,
} from "#app/domain/accounts/accounts.ts";
import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import type { Issue } from "#app/domain/errors.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import {
  searchHistory,
  trackChoices as storedTrackChoices,
  householdTitles as storedVerdicts,
  watchHistory,
  watchProgress,
} from "#db/schema/library.ts";
import { deleteOldSearches } from "../history/search-history.server.ts";
import type {
  AccountFile,
  FileProfile,
  FileResumePoint,
  FileSearch,
  FileTrackChoice,
  FileVerdict,
  FileView,
} from "./account-file.ts";
import { importInto, type ListImportReport } from "./import-list.server.ts";

/**
 * Adds the contents of an account file to an account. Values that the account has stay. The email, credentials, role and
 * id in the file are ignored, so that a file cannot change who may sign in or what they may do.
 */

type LibraryReport = {
  watchList: ListImportReport;
  searches: number;
  resumePoints: number;
  views: number;
  trackChoices: number;
  householdTitles: number;
};
/** A value of the file that was not saved. `field` is its name in the file. */
type SkippedValue = { field: string; why: string };
type AccountImportReport = LibraryReport & { skipped: SkippedValue[] };

/** `storedPicture` returns a picture's URL as the profile stores it, or null when the URL is not acceptable. */
type Options = { viewer: Viewer; storedPicture: (url: string) => string | null };

/** Does not refuse, because the library is stored first: a refusal would lose its report and the id of its undo. */
export async function importAccount(
  user: SessionUser,
  file: AccountFile,
  { viewer, storedPicture }: Options,
): Promise<AccountImportReport> {
  const library = await importLibrary(user, viewer, file);
  const imported = { ...file.profile };
  for (const picture of ["avatarUrl", "bannerImage"] as const)
    imported[picture] = imported[picture] && storedPicture(imported[picture]);
  const skipped = [
    ...(await importProfile(user.id, imported)),
    ...(await importPreferences(user, file.preferences)),
  ];
  return { ...library, skipped };
}

/** The fields of a profile that can be refused, by their names in the file. */
const refusableFields = new Map<string, keyof ProfileChange>([
  ["name", "name"],
  ["last_name", "lastName"],
  ["birthday", "birthday"],
  ["avatar_url", "avatarUrl"],
  ["banner_image", "bannerImage"],
]);

/** Leaves out each value that is refused, such as a picture that only another installation has, and saves the rest. */
async function importProfile(userId: string, imported: FileProfile): Promise<SkippedValue[]> {
  const profile = await getProfile(userId);
  if (!profile.ok) return [notSaved("profile")];
  const change = fillProfile(profile.value, imported);
  const refusedIn = (issues: readonly Issue[] = []) =>
    issues.flatMap(({ path, message }) => {
      const field = refusableFields.get(path);
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

/** A file never switches parental control off: "on" is also the choice of a member who keeps the default. */
async function importPreferences(
  { id, preferences: own }: SessionUser,
  { parentalControl, ...imported }: Partial<Preferences>,
): Promise<SkippedValue[]> {
  const saved = await savePreferences(id, fillPreferences(own, imported));
  return [
    ...(saved.ok ? [] : [notSaved("preferences")]),
    ...(own.parentalControl && parentalControl === false
      ? [{ field: "parentalControl", why: "stays on; only the member can turn it off, in the settings" }]
      : []),
  ];
}

/** Writes the tables in the same order as `reportProgress`, or the two could deadlock. */
const importLibrary = (
  user: SessionUser,
  viewer: Viewer,
  { list, searches, resumePoints, views, trackChoices, householdTitles }: AccountFile,
): Promise<LibraryReport> =>
  withTransaction(async (transaction) => ({
    watchList: await importInto(transaction, user.id, list, {
      replaceScores: false,
      viewer,
    }),
    views: await addViews(transaction, user.id, views),
    resumePoints: await addResumePoints(transaction, user.id, resumePoints),
    trackChoices: await addTrackChoices(transaction, user.id, trackChoices),
    searches: await addSearches(transaction, user.id, searches),
    householdTitles: isOwner(user) ? await addVerdicts(transaction, user.id, householdTitles) : 0,
  }));

/** Fills in missing fields and joins lists. A name that equals the username was never set, so it counts as missing. */
function fillProfile(own: Profile, imported: FileProfile): ProfileChange {
  const joined = <Value>(one: readonly Value[], other: readonly Value[]) => [...new Set([...one, ...other])];
  return {
    name: own.name === own.username ? (imported.name ?? undefined) : undefined,
    lastName: own.lastName ?? imported.lastName,
    avatarUrl: own.avatarUrl === null ? (imported.avatarUrl ?? undefined) : undefined,
    bannerImage: own.bannerImage === null ? (imported.bannerImage ?? undefined) : undefined,
    birthday: own.birthday ?? imported.birthday,
    gender: own.gender ?? imported.gender,
    favoriteAnimes: joined(own.favoriteAnimes, imported.favoriteAnimes),
    watchedAnimes: joined(own.watchedAnimes, imported.watchedAnimes),
    favoriteStudios: joined(own.favoriteStudios, imported.favoriteStudios),
    favoriteGenres: joined(own.favoriteGenres, imported.favoriteGenres),
    frequencyOfWatch: own.frequencyOfWatch ?? imported.frequencyOfWatch,
    fanaticLevel: own.fanaticLevel ?? imported.fanaticLevel,
    preferredFormat: own.preferredFormat ?? imported.preferredFormat,
  };
}

/** Only preferences that still have their default are replaced. */
const fillPreferences = (own: Preferences, imported: Partial<Preferences>): Partial<Preferences> =>
  Object.fromEntries(
    Object.entries(imported).filter(
      // Compares as text, because a list of languages is a new array each time.
      ([name]) => `${own[name as keyof Preferences]}` === `${defaultPreferences[name as keyof Preferences]}`,
    ),
  );

const recordsOf = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::text::jsonb`;

const addSearches = async (transaction: Transaction, userId: string, searches: readonly FileSearch[]) => {
  const added = await transaction.execute(sql`
    insert into ${searchHistory} (user_id, query, searched_at)
    select distinct users.id, query, "searchedAt"
    from jsonb_to_recordset(${recordsOf(searches)}) as imported(query text, "searchedAt" timestamptz(3)),
      ${users} where users.id = ${userId}::uuid and track_search_history and not exists (
        select from ${searchHistory} as own
        where own.user_id = ${userId}::uuid and own.query = imported.query and own.searched_at = "searchedAt")
    returning id`);
  await deleteOldSearches(userId, transaction);
  return added.length;
};

/** Writes rows in batches, so that no statement reaches the database's statement timeout. */
async function inBatches<Row extends object>(
  rows: readonly Row[],
  write: (batch: readonly Row[]) => Promise<{ length: number }>,
): Promise<number> {
  const batchSize = 10_000;
  let written = 0;
  for (let at = 0; at < rows.length; at += batchSize)
    written += (await write(rows.slice(at, at + batchSize))).length;
  return written;
}

const addViews = (transaction: Transaction, userId: string, views: readonly FileView[]) =>
  inBatches(views, (batch) =>
    transaction.execute(sql`
      insert into ${watchHistory} as own (user_id, mal_id, episode, watched_at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, "watchedAt"
      from jsonb_to_recordset(${recordsOf(batch)}) as imported("malId" int, episode int, "watchedAt" timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, episode, "watchedAt" desc
      on conflict (user_id, mal_id, episode) do update
        set watched_at = excluded.watched_at where excluded.watched_at > own.watched_at
      returning 1`),
  );

const addResumePoints = (
  transaction: Transaction,
  userId: string,
  resumePoints: readonly FileResumePoint[],
) =>
  inBatches(resumePoints, (batch) =>
    transaction.execute(sql`
      insert into ${watchProgress} as own (user_id, mal_id, episode, position, duration, at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, position, imported.duration, at
      from jsonb_to_recordset(${recordsOf(batch)})
        as imported("malId" int, episode int, position float8, duration float8, at timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, episode, at desc, position desc, imported.duration desc
      on conflict (user_id, mal_id, episode) do update
        set position = excluded.position, duration = excluded.duration, at = excluded.at
        where (excluded.at, excluded.position, excluded.duration) > (own.at, own.position, own.duration)
      returning 1`),
  );

const addTrackChoices = (transaction: Transaction, userId: string, choices: readonly FileTrackChoice[]) =>
  inBatches(choices, (batch) =>
    transaction.execute(sql`
      insert into ${storedTrackChoices} (user_id, mal_id, sound, subtitles, chosen_at)
      select distinct on (mal_id) ${userId}::uuid, mal_id, sound, subtitles, "chosenAt"
      from jsonb_to_recordset(${recordsOf(batch)})
        as imported("malId" int, sound text, subtitles text, "chosenAt" timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, "chosenAt" desc
      on conflict (user_id, mal_id) do nothing
      returning 1`),
  );

/** Only the owner of a household decides for its children. A title that the household has judged stays as it is. */
const addVerdicts = (transaction: Transaction, userId: string, verdicts: readonly FileVerdict[]) =>
  inBatches(verdicts, async (batch) => {
    const added = await transaction.execute(sql`
      insert into ${storedVerdicts} (user_id, mal_id, verdict, chosen_at)
      select distinct on (mal_id) ${userId}::uuid, mal_id, verdict, "chosenAt"
      from jsonb_to_recordset(${recordsOf(batch)})
        as imported("malId" int, verdict text, "chosenAt" timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, verdict desc
      on conflict (user_id, mal_id) do nothing
      returning 1`);
    await markTitlesChosen(transaction, userId);
    return added;
  });
