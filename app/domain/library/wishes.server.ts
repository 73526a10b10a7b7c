import { and, eq, type SQL, sql } from "drizzle-orm";
import { isChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { currentStatus, isAnnounced } from "#app/domain/catalog/catalog.server.ts";
import { noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { hasFilmRoots } from "#app/domain/films/films.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import {
  catalogKeeper,
  isPlayableSource,
  unrestricted,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { firstRows, type Rows } from "#app/platform/process/stored-rows.ts";
import { db, preparedDb, type Transaction, withTransaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { episodeWishes, watchHistory, watchProgress, wishes } from "#db/schema/library.ts";
import type { FileWish } from "./files/account-file.ts";
import { lockExistingTitles, lockMember } from "./list/list-rows.server.ts";

/**
 * Members' wishes for films of titles that have none, and for single episodes of titles that have others. Operators see
 * the number of wishes, never the members.
 */

/** Stands for the episode in a wish for the whole title, which the first film of the title fulfills. */
const wholeTitle = 0;

/** `episode` is null in a wish for the title. */
export type WishTarget = { malId: number; episode: number | null };

/** The limit for one member. */
export const maxOpenWishes = 5;

/** Without a folder of films, no operator could fulfill a wish. */
export const takesWishes = (): boolean => hasFilmRoots() && env.REQUESTS;

/** Both kinds of wishes under the name of the table `wishes`, so that queries can use that table's columns for both. */
export const allWishes = sql`(
  select user_id, mal_id, ${wholeTitle}::int as episode, wished_at, fulfilled_at from ${wishes}
  union all select user_id, mal_id, episode, wished_at, fulfilled_at from ${episodeWishes}) as wishes`;

const hasFilm = (malId: SQL, episode: SQL) =>
  sql`exists (select from ${episodeSources} where ${episodeSources.malId} = ${malId}
    and ${episode} in (${wholeTitle}, ${episodeSources.episode}) and ${isPlayableSource(catalogKeeper)})`;
const hasWishedFilm = hasFilm(sql`${wishes.malId}`, sql`wishes.episode`);
/** A wish ends when its film arrives, and stays ended if the film disappears again. */
const isOpen = sql`(${wishes.fulfilledAt} is null and not ${hasWishedFilm})`;
const wishedEpisode = sql`nullif(wishes.episode, ${wholeTitle})`;

type Reader = Pick<Transaction, "execute">;

/** `endedAt` is null while the wish is open, and until a sweep has seen the film. */
type OwnWish = WishTarget & { wishedAt: Date; endedAt: Date | null };

/** To check the limit, pass `unrestricted`: wishes for titles that the member may no longer see count too. */
const listOpenWishes = async (userId: string, viewer: Viewer, on: Reader = db): Promise<OwnWish[]> =>
  (
    await on.execute<WishRow>(sql`
      select ${wishes.malId} as "malId", ${wishedEpisode} as episode, ${wishes.wishedAt} as "wishedAt", null as "endedAt"
      from ${allWishes} join ${titles} using (mal_id)
      where ${wishes.userId} = ${userId}::uuid and ${visibleTo(viewer)} and ${isOpen}
      order by ${wishes.wishedAt}, ${wishes.malId}, wishes.episode`)
  ).map(toOwnWish);

type WishRow = WishTarget & { wishedAt: string; endedAt: string | null };

const toOwnWish = ({ malId, episode, wishedAt, endedAt }: WishRow): OwnWish => ({
  malId,
  episode,
  wishedAt: new Date(wishedAt),
  endedAt: endedAt === null ? null : new Date(endedAt),
});

/** The ended wishes whose title, or episode, the member has not begun to watch since. */
const listEndedWishes = async (userId: string, viewer: Viewer) =>
  await db.execute<WishRow & { isHere: boolean }>(sql`
      select ${wishes.malId} as "malId", ${wishedEpisode} as episode, ${wishes.wishedAt} as "wishedAt",
        ${wishes.fulfilledAt} as "endedAt", ${hasWishedFilm} as "isHere" from ${allWishes} join ${titles} using (mal_id)
      where ${wishes.userId} = ${userId}::uuid and ${visibleTo(viewer)} and not ${isOpen}
        and not exists (select from ${watchProgress} seen where seen.user_id = ${wishes.userId}
          and seen.mal_id = ${wishes.malId} and wishes.episode in (${wholeTitle}, seen.episode)
          and seen.at > ${wishes.wishedAt})
        and not exists (select from ${watchHistory} seen where seen.user_id = ${wishes.userId}
          and seen.mal_id = ${wishes.malId} and wishes.episode in (${wholeTitle}, seen.episode)
          and seen.watched_at > ${wishes.wishedAt})
      order by ${wishes.wishedAt} desc, ${wishes.malId}, wishes.episode`);

/** The member's wishes that can be watched now. */
export const listFulfilledWishes = async (userId: string, viewer: Viewer): Promise<WishTarget[]> =>
  (await listEndedWishes(userId, viewer)).filter(({ isHere }) => isHere);

/** `gone` are the wishes whose film arrived and disappeared again. */
export async function listOwnWishes(userId: string, viewer: Viewer) {
  const [open, ended] = await Promise.all([listOpenWishes(userId, viewer), listEndedWishes(userId, viewer)]);
  const endedOf = (isHere: boolean) => ended.filter((wish) => wish.isHere === isHere).map(toOwnWish);
  return { open, fulfilled: endedOf(true), gone: endedOf(false) };
}

export type WishState = Pick<WishTarget, "episode"> & { isWished: boolean; canWish: boolean };

/**
 * Whether the user has wished for the title or episode, and whether they can. Null if the user cannot make wishes, or
 * if the title or episode takes none.
 */
export async function findWishing(
  user: SessionUser | null,
  { malId, episode }: WishTarget,
  viewer: Viewer,
): Promise<WishState | null> {
  if (user === null || isChild(user) || !takesWishes()) return null;
  const wished = sql`${wishes.malId} = ${malId} and wishes.episode = ${episode ?? wholeTitle}`;
  const open = sql`select from ${allWishes} where ${wishes.userId} = ${user.id}::uuid and ${isOpen}`;
  const [title] = await preparedDb.execute<Wishable & { isWished: boolean; canWish: boolean }>(sql`
    select ${wishableFields(episode)}, exists (${open} and ${wished}) as "isWished",
      (select count(*) from (${open}) as open) < ${maxOpenWishes} as "canWish"
    from ${titles} where ${titles.malId} = ${malId} and ${visibleTo(viewer)}`);
  if (!title?.exists || title.hasFilm || title.isUpcoming) return null;
  return { isWished: title.isWished, canWish: title.canWish, episode };
}

/** The facts that decide whether a title or episode takes wishes: it must have aired and have no film. */
type Wishable = { exists: boolean; hasFilm: boolean; isUpcoming: boolean };

const wishableFields = (episode: number | null) =>
  episode === null
    ? sql`true as exists, ${hasFilm(sql`${titles.malId}`, sql`${wholeTitle}::int`)} as "hasFilm", ${isAnnounced} as "isUpcoming"`
    : sql`${isEpisodeOfTitle(sql`${episode}::int`)} as exists, ${hasFilm(sql`${titles.malId}`, sql`${episode}::int`)} as "hasFilm",
        ${isEpisodeUpcoming(episode)} as "isUpcoming"`;

/** If the number of episodes is unknown, the one after the last known episode may exist. */
const isEpisodeOfTitle = (episode: SQL): SQL => sql`coalesce(${episode} <= greatest(${titles.episodes},
  (select max(${episodes.number}) from ${episodes} where ${episodes.malId} = ${titles.malId})
    + (${titles.episodes} is null)::int), false)`;

/** An episode without a date is expected a week after the one before it. */
const isEpisodeUpcoming = (episode: number): SQL => sql`(${currentStatus} <> 'Finished Airing' and coalesce(
  (select ${episodes.airedAt} from ${episodes} where ${episodes.malId} = ${titles.malId} and ${episodes.number} = ${episode}),
  ${titles.airsFrom} + (${episode}::int - 1) * interval '7 days') > now()) is true`;

/** Does nothing if the wish is open already. A wish whose film disappeared again can be made again. */
export async function makeWish(
  user: SessionUser,
  { malId: namedId, episode }: WishTarget,
  viewer: Viewer,
): Promise<Outcome<null>> {
  if (!takesWishes()) return refuse("not_found", "This site takes no wishes.");
  if (isChild(user)) return refuse("forbidden", "The profile of a child cannot wish for videos.");
  const malId = await currentIdOf(namedId);
  return withTransaction(async (transaction) => {
    await lockMember(transaction, user.id);
    const [wishable] = await transaction.execute<Wishable>(
      sql`select ${wishableFields(episode)} from ${titles} where ${titles.malId} = ${malId} and ${visibleTo(viewer)}`,
    );
    if (!wishable) return noSuchTitle;
    if (!wishable.exists) return refuse("not_found", "The title has no such episode");
    const noun = episode === null ? "title" : "episode";
    if (wishable.hasFilm)
      return refuse("conflict", `This ${noun} can be watched here already. Open its page to watch it.`);
    if (wishable.isUpcoming) return refuse("conflict", `This ${noun} has not aired yet.`);
    const open = await listOpenWishes(user.id, unrestricted, transaction);
    if (open.some((wish) => wish.malId === malId && wish.episode === episode)) return done(null);
    if (open.length >= maxOpenWishes)
      return refuse(
        "conflict",
        `You have ${maxOpenWishes} open wishes, and more are not taken. Take one back, or wait until one is fulfilled.`,
      );
    await saveWish(transaction, user.id, { malId, episode });
    return done(null);
  });
}

async function saveWish(transaction: Transaction, userId: string, { malId, episode }: WishTarget) {
  const set = { wishedAt: sql`now()`, fulfilledAt: null };
  if (episode === null)
    await transaction
      .insert(wishes)
      .values({ userId, malId })
      .onConflictDoUpdate({ target: [wishes.userId, wishes.malId], set });
  else
    await transaction
      .insert(episodeWishes)
      .values({ userId, malId, episode })
      .onConflictDoUpdate({
        target: [episodeWishes.userId, episodeWishes.malId, episodeWishes.episode],
        set,
      });
}

export async function takeWishBack(userId: string, { malId: namedId, episode }: WishTarget): Promise<void> {
  const malId = await currentIdOf(namedId);
  const table = episode === null ? wishes : episodeWishes;
  await db
    .delete(table)
    .where(
      and(
        eq(table.userId, userId),
        eq(table.malId, malId),
        episode === null ? undefined : eq(episodeWishes.episode, episode),
      ),
    );
}

export async function countOpenWishes(): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int from ${allWishes} join ${titles} using (mal_id) where ${visibleTo(unrestricted)} and ${isOpen}`,
  );
  return row?.count ?? 0;
}

type WishedTitle = WishTarget & { title: string; wishes: number; firstAt: Date };

/** For operators: the titles and episodes of open wishes, the most wished for first. */
export async function listWishedTitles(limit: number): Promise<WishedTitle[]> {
  const rows = await db.execute<Omit<WishedTitle, "firstAt"> & { firstAt: string }>(sql`
    select ${titles.malId} as "malId", ${titles.title} as title, ${wishedEpisode} as episode, count(*)::int as wishes,
      min(${wishes.wishedAt}) as "firstAt"
    from ${allWishes} join ${titles} using (mal_id) where ${visibleTo(unrestricted)} and ${isOpen}
    group by ${titles.malId}, wishes.episode
    order by count(*) desc, min(${wishes.wishedAt}), ${titles.malId}, wishes.episode limit ${limit}`);
  return rows.map(({ firstAt, ...row }) => ({ ...row, firstAt: new Date(firstAt) }));
}

/** Adds the wishes of a file until the member has `maxOpenWishes`. A child has no wishes. */
export async function addWishes(
  transaction: Transaction,
  user: SessionUser,
  wished: Rows<FileWish>,
  viewer: Viewer,
): Promise<void> {
  if (wished.count === 0 || isChild(user)) return;
  const imported = await firstRows(wished, maxImported);
  await lockMember(transaction, user.id);
  await lockExistingTitles(transaction, malIdsOf(imported));
  const open = await listOpenWishes(user.id, unrestricted, transaction);
  await transaction.execute(sql`
    with wished as (
      select ${user.id}::uuid as user_id, "malId" as mal_id, wished_episode as episode, min("wishedAt") as wished_at
      from jsonb_to_recordset(${JSON.stringify(imported)}::text::jsonb)
          as imported("malId" int, episode int, "wishedAt" timestamptz)
        cross join lateral (select coalesce(imported.episode, ${wholeTitle}) as wished_episode) as of_title
        join ${titles} on ${titles.malId} = "malId"
      where ${visibleTo(viewer)} and not ${hasFilm(sql`"malId"`, sql`wished_episode`)}
        and (wished_episode = ${wholeTitle} or ${isEpisodeOfTitle(sql`wished_episode`)})
        and not exists (select from ${allWishes} where ${wishes.userId} = ${user.id}::uuid
          and ${wishes.malId} = "malId" and wishes.episode = wished_episode)
      group by "malId", wished_episode order by min("wishedAt") limit ${Math.max(0, maxOpenWishes - open.length)}
    ),
    of_episodes as (
      insert into ${episodeWishes} (user_id, mal_id, episode, wished_at)
      select user_id, mal_id, episode, wished_at from wished where episode <> ${wholeTitle}
      on conflict (user_id, mal_id, episode) do nothing
    )
    insert into ${wishes} (user_id, mal_id, wished_at)
    select user_id, mal_id, wished_at from wished where episode = ${wholeTitle}
    on conflict (user_id, mal_id) do nothing`);
}

/** A member's file has at most the open wishes and the recently fulfilled ones. */
const maxImported = 1000;

/**
 * Marks wishes whose film has arrived. Runs after each change of the catalog, because a film may soon be gone again.
 */
export async function endWishes(): Promise<void> {
  // Skips rows that another instance is ending, because two instances that wait for each other would fail.
  await db.execute(sql`
    update ${wishes} set fulfilled_at = now() where fulfilled_at is null and (user_id, mal_id) in (
      select user_id, mal_id from ${wishes}
      where fulfilled_at is null and ${hasFilm(sql`${wishes.malId}`, sql`${wholeTitle}::int`)}
      for no key update skip locked)`);
  await db.execute(sql`
    update ${episodeWishes} set fulfilled_at = now() where fulfilled_at is null and (user_id, mal_id, episode) in (
      select user_id, mal_id, episode from ${episodeWishes}
      where fulfilled_at is null and ${hasFilm(sql`${episodeWishes.malId}`, sql`${episodeWishes.episode}`)}
      for no key update skip locked)`);
}

/** An ended wish is shown to its member for a month. */
export async function deleteOldWishes(): Promise<void> {
  await endWishes();
  for (const table of [wishes, episodeWishes])
    await db.execute(sql`delete from ${table} where fulfilled_at < now() - interval '30 days'`);
}
