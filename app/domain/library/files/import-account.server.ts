import { sql } from "drizzle-orm";
import {
  getProfile,
  type Profile,
  type ProfileChange,
  savePreferences,
  updateProfile,
} from "#app/domain/accounts/accounts.server.ts";
import { defaultPreferences, type Preferences, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { searchHistory, watchHistory, watchProgress } from "#db/schema/library.ts";
import { deleteOldSearches } from "../history/search-history.server.ts";
import type { AccountFile, FileProfile, FileResumePoint, FileSearch, FileView } from "./account-file.ts";
import { importInto, type ListImportReport } from "./import-list.server.ts";

/** Adds an account's file to an account. What is there stays; e-mail, credentials, role and id are not looked at. */

type AccountImportReport = {
  watchList: ListImportReport;
  searches: number;
  resumePoints: number;
  views: number;
};

/** `storedPicture`: how we keep an address of a picture, or null when we cannot. */
type Options = { storedPicture: (address: string) => string | null };

export async function importAccount(
  user: SessionUser,
  file: AccountFile,
  { storedPicture }: Options,
): Promise<Outcome<AccountImportReport>> {
  const report = await importLibrary(user.id, file);
  const profile = await getProfile(user.id);
  if (!profile.ok) return profile;
  const filed = { ...file.profile };
  for (const picture of ["avatarUrl", "bannerImage"] as const)
    filed[picture] = filed[picture] && storedPicture(filed[picture]);
  const change = fillProfile(profile.value, filed);
  const saved = await updateProfile(user.id, change);
  // A picture may have been stored elsewhere; the rest is welcome without it.
  const rest = { ...change, avatarUrl: undefined, bannerImage: undefined };
  const profiled = saved.ok ? saved : await updateProfile(user.id, rest);
  if (!profiled.ok) return profiled;
  const preferred = await savePreferences(user.id, fillPreferences(user.preferences, file.preferences));
  return preferred.ok ? done(report) : preferred;
}

/** In the order in which a report of progress takes the same rows. */
const importLibrary = (
  userId: string,
  { list, searches, resumePoints, views }: AccountFile,
): Promise<AccountImportReport> =>
  withTransaction(async (transaction) => ({
    watchList: await importInto(transaction, userId, list, { replaceScores: false }),
    views: await addViews(transaction, userId, views),
    resumePoints: await addResumePoints(transaction, userId, resumePoints),
    searches: await addSearches(transaction, userId, searches),
  }));

/** What the account does not say yet; lists are joined. A name that is still the account's own is none yet. */
function fillProfile(own: Profile, filed: FileProfile): ProfileChange {
  const joined = <Value>(one: readonly Value[], other: readonly Value[]) => [...new Set([...one, ...other])];
  return {
    name: own.name === own.username ? (filed.name ?? undefined) : undefined,
    lastName: own.lastName ?? filed.lastName,
    avatarUrl: own.avatarUrl === null ? (filed.avatarUrl ?? undefined) : undefined,
    bannerImage: own.bannerImage === null ? (filed.bannerImage ?? undefined) : undefined,
    birthday: own.birthday ?? filed.birthday,
    gender: own.gender ?? filed.gender,
    favoriteAnimes: joined(own.favoriteAnimes, filed.favoriteAnimes),
    watchedAnimes: joined(own.watchedAnimes, filed.watchedAnimes),
    favoriteStudios: joined(own.favoriteStudios, filed.favoriteStudios),
    favoriteGenres: joined(own.favoriteGenres, filed.favoriteGenres),
    frequencyOfWatch: own.frequencyOfWatch ?? filed.frequencyOfWatch,
    fanaticLevel: own.fanaticLevel ?? filed.fanaticLevel,
    preferredFormat: own.preferredFormat ?? filed.preferredFormat,
  };
}

/** Those that still stand as they did at first. */
const fillPreferences = (own: Preferences, filed: Partial<Preferences>): Partial<Preferences> =>
  Object.fromEntries(
    Object.entries(filed).filter(
      ([name]) => own[name as keyof Preferences] === defaultPreferences[name as keyof Preferences],
    ),
  );

const recordsOf = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::text::jsonb`;

const addSearches = async (transaction: Transaction, userId: string, searches: readonly FileSearch[]) => {
  const added = await transaction.execute(sql`
    insert into ${searchHistory} (user_id, query, searched_at)
    select distinct users.id, query, "searchedAt"
    from jsonb_to_recordset(${recordsOf(searches)}) as filed(query text, "searchedAt" timestamptz(3)),
      ${users} where users.id = ${userId}::uuid and track_search_history and not exists (
        select from ${searchHistory} as own
        where own.user_id = ${userId}::uuid and own.query = filed.query and own.searched_at = "searchedAt")
    returning id`);
  await deleteOldSearches(userId, transaction);
  return added.length;
};

/** The latest of each episode; a statement takes so many rows that it ends well within its limit of time. */
async function inPortions<Row extends object>(
  rows: readonly Row[],
  write: (portion: readonly Row[]) => Promise<{ length: number }>,
): Promise<number> {
  const portion = 10_000;
  let written = 0;
  for (let at = 0; at < rows.length; at += portion)
    written += (await write(rows.slice(at, at + portion))).length;
  return written;
}

const addViews = (transaction: Transaction, userId: string, views: readonly FileView[]) =>
  inPortions(views, (portion) =>
    transaction.execute(sql`
      insert into ${watchHistory} as own (user_id, mal_id, episode, watched_at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, "watchedAt"
      from jsonb_to_recordset(${recordsOf(portion)}) as filed("malId" int, episode int, "watchedAt" timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, episode, "watchedAt" desc
      on conflict (user_id, mal_id, episode) do update
        set watched_at = excluded.watched_at where excluded.watched_at > own.watched_at
      returning 1`),
  );

const addResumePoints = (transaction: Transaction, userId: string, places: readonly FileResumePoint[]) =>
  inPortions(places, (portion) =>
    transaction.execute(sql`
      insert into ${watchProgress} as own (user_id, mal_id, episode, position, duration, at)
      select distinct on (mal_id, episode) ${userId}::uuid, mal_id, episode, position, filed.duration, at
      from jsonb_to_recordset(${recordsOf(portion)})
        as filed("malId" int, episode int, position float8, duration float8, at timestamptz)
        join ${titles} on mal_id = "malId"
      order by mal_id, episode, at desc, position desc, filed.duration desc
      on conflict (user_id, mal_id, episode) do update
        set position = excluded.position, duration = excluded.duration, at = excluded.at
        where (excluded.at, excluded.position, excluded.duration) > (own.at, own.position, own.duration)
      returning 1`),
  );
