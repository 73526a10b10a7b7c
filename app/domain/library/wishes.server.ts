import { and, eq, type SQL, sql } from "drizzle-orm";
import { isChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { isAnnounced } from "#app/domain/catalog/catalog.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { hasFilmRoots } from "#app/domain/films/films.server.ts";
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
import { episodeSources } from "#db/schema/episodes.ts";
import { watchHistory, watchProgress, wishes } from "#db/schema/library.ts";
import type { FileWish } from "./files/account-file.ts";
import { lockMember } from "./list/list-rows.server.ts";

/** Members' wishes for films of titles that have none. Operators see the number of wishes, never the members. */

/** The limit for one member. */
export const maxOpenWishes = 5;

/** Without a folder of films, no operator could fulfill a wish. */
export const takesWishes = (): boolean => hasFilmRoots() && env.REQUESTS;

const hasFilm = (malId: SQL) =>
  sql`exists (select from ${episodeSources} where ${episodeSources.malId} = ${malId} and ${isPlayableSource(catalogKeeper)})`;
const wishedTitle = sql`${wishes.malId}`;
/** A wish ends when its film arrives, and stays ended if the film disappears again. */
const isOpen = sql`(${wishes.fulfilledAt} is null and not ${hasFilm(wishedTitle)})`;

type Reader = Pick<Transaction, "execute">;

/** `endedAt` is null while the wish is open, and until a sweep has seen the film. */
type OwnWish = { malId: number; wishedAt: Date; endedAt: Date | null };

/** For the limit, pass a viewer who sees all titles: wishes for titles that the member may no longer see count too. */
const listOpenWishes = async (userId: string, viewer: Viewer, on: Reader = db): Promise<OwnWish[]> =>
  (
    await on.execute<WishRow>(sql`
      select ${wishes.malId} as "malId", ${wishes.wishedAt} as "wishedAt", null as "endedAt" from ${wishes} join ${titles} using (mal_id)
      where ${wishes.userId} = ${userId}::uuid and ${visibleTo(viewer)} and ${isOpen}
      order by ${wishes.wishedAt}, ${wishes.malId}`)
  ).map(toOwnWish);

type WishRow = { malId: number; wishedAt: string; endedAt: string | null };

const toOwnWish = ({ malId, wishedAt, endedAt }: WishRow): OwnWish => ({
  malId,
  wishedAt: new Date(wishedAt),
  endedAt: endedAt === null ? null : new Date(endedAt),
});

/** The titles of ended wishes that the member has not begun to watch since. */
const listEndedWishes = async (userId: string, viewer: Viewer) =>
  await db.execute<WishRow & { isHere: boolean }>(sql`
      select ${wishes.malId} as "malId", ${wishes.wishedAt} as "wishedAt", ${wishes.fulfilledAt} as "endedAt",
        ${hasFilm(wishedTitle)} as "isHere" from ${wishes} join ${titles} using (mal_id)
      where ${wishes.userId} = ${userId}::uuid and ${visibleTo(viewer)} and not ${isOpen}
        and not exists (select from ${watchProgress} seen where seen.user_id = ${wishes.userId}
          and seen.mal_id = ${wishes.malId} and seen.at > ${wishes.wishedAt})
        and not exists (select from ${watchHistory} seen where seen.user_id = ${wishes.userId}
          and seen.mal_id = ${wishes.malId} and seen.watched_at > ${wishes.wishedAt})
      order by ${wishes.wishedAt} desc, ${wishes.malId}`);

/** The titles that the member wished for, and that have a film now. */
export const listFulfilledWishes = async (userId: string, viewer: Viewer): Promise<number[]> =>
  (await listEndedWishes(userId, viewer)).flatMap(({ malId, isHere }) => (isHere ? [malId] : []));

/** `gone` are the wishes whose film arrived and disappeared again. */
export async function listOwnWishes(userId: string, viewer: Viewer) {
  const [open, ended] = await Promise.all([listOpenWishes(userId, viewer), listEndedWishes(userId, viewer)]);
  const endedOf = (isHere: boolean) => ended.filter((wish) => wish.isHere === isHere).map(toOwnWish);
  return { open, fulfilled: endedOf(true), gone: endedOf(false) };
}

type Wishing = { isWished: boolean; canWish: boolean };

/** Whether the title is wished for, or can be. Null for viewers who cannot wish, and for titles that take no wishes. */
export async function findWishing(
  user: SessionUser | null,
  malId: number,
  viewer: Viewer,
): Promise<Wishing | null> {
  if (user === null || isChild(user) || !takesWishes()) return null;
  const open = sql`select from ${wishes} where ${wishes.userId} = ${user.id}::uuid and ${isOpen}`;
  const [title] = await preparedDb.execute<Wishable & { isWished: boolean; canWish: boolean }>(sql`
    select ${wishableFields}, exists (${open} and ${wishes.malId} = ${malId}) as "isWished",
      (select count(*) from (${open}) as open) < ${maxOpenWishes} as "canWish"
    from ${titles} where ${titles.malId} = ${malId} and ${visibleTo(viewer)}`);
  if (!title || title.hasFilm || title.isUpcoming) return null;
  return { isWished: title.isWished, canWish: title.canWish };
}

/** The facts that decide whether a title takes wishes: it must have begun and have no film. */
type Wishable = { hasFilm: boolean; isUpcoming: boolean };
const wishableFields = sql`${hasFilm(sql`${titles.malId}`)} as "hasFilm", ${isAnnounced} as "isUpcoming"`;

async function findWishable(malId: number, viewer: Viewer, on: Reader) {
  const [title] = await on.execute<Wishable>(
    sql`select ${wishableFields} from ${titles} where ${titles.malId} = ${malId} and ${visibleTo(viewer)}`,
  );
  return title;
}

/** Keeps an open wish as it is. A wish whose film disappeared again can be made anew. */
export async function makeWish(user: SessionUser, malId: number, viewer: Viewer): Promise<Outcome<null>> {
  if (!takesWishes()) return refuse("not_found", "This site takes no wishes.");
  if (isChild(user)) return refuse("forbidden", "The profile of a child cannot wish for films.");
  return withTransaction(async (transaction) => {
    await lockMember(transaction, user.id);
    const title = await findWishable(malId, viewer, transaction);
    if (!title) return refuse("not_found", "This catalog has no such title");
    if (title.hasFilm)
      return refuse("conflict", "This title has a film here already. Open its page to watch it.");
    if (title.isUpcoming) return refuse("conflict", "This title has not aired yet.");
    const open = await listOpenWishes(user.id, unrestricted, transaction);
    if (open.some((wish) => wish.malId === malId)) return done(null);
    if (open.length >= maxOpenWishes)
      return refuse(
        "conflict",
        `You have ${maxOpenWishes} open wishes, and more are not taken. Take one back, or wait until one is fulfilled.`,
      );
    await transaction
      .insert(wishes)
      .values({ userId: user.id, malId })
      .onConflictDoUpdate({
        target: [wishes.userId, wishes.malId],
        set: { wishedAt: sql`now()`, fulfilledAt: null },
      });
    return done(null);
  });
}

export async function takeWishBack(userId: string, malId: number): Promise<void> {
  await db.delete(wishes).where(and(eq(wishes.userId, userId), eq(wishes.malId, malId)));
}

export async function countOpenWishes(): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int from ${wishes} join ${titles} using (mal_id) where ${visibleTo(unrestricted)} and ${isOpen}`,
  );
  return row?.count ?? 0;
}

type WishedTitle = { malId: number; title: string; wishes: number; firstAt: Date };

/** For operators: the titles of open wishes, the most wished for first. */
export async function listWishedTitles(limit: number): Promise<WishedTitle[]> {
  const rows = await db.execute<Omit<WishedTitle, "firstAt"> & { firstAt: string }>(sql`
    select ${titles.malId} as "malId", ${titles.title} as title, count(*)::int as wishes,
      min(${wishes.wishedAt}) as "firstAt"
    from ${wishes} join ${titles} using (mal_id) where ${visibleTo(unrestricted)} and ${isOpen}
    group by ${titles.malId} order by count(*) desc, min(${wishes.wishedAt}), ${titles.malId} limit ${limit}`);
  return rows.map(({ firstAt, ...row }) => ({ ...row, firstAt: new Date(firstAt) }));
}

/** Adds the wishes of a file, up to the limit, which includes the member's own. A child has no wishes. */
export async function addWishes(
  transaction: Transaction,
  user: SessionUser,
  wished: Rows<FileWish>,
  viewer: Viewer,
): Promise<void> {
  if (wished.count === 0 || isChild(user)) return;
  const imported = await firstRows(wished, maxImported);
  await lockMember(transaction, user.id);
  const open = await listOpenWishes(user.id, unrestricted, transaction);
  await transaction.execute(sql`
    insert into ${wishes} (user_id, mal_id, wished_at)
    select ${user.id}::uuid, "malId", min("wishedAt")
    from jsonb_to_recordset(${JSON.stringify(imported)}::text::jsonb)
      as imported("malId" int, "wishedAt" timestamptz) join ${titles} on ${titles.malId} = "malId"
    where ${visibleTo(viewer)} and not ${hasFilm(sql`"malId"`)}
      and not exists (select from ${wishes} own where own.user_id = ${user.id}::uuid and own.mal_id = "malId")
    group by "malId" order by min("wishedAt") limit ${Math.max(0, maxOpenWishes - open.length)}
    on conflict (user_id, mal_id) do nothing`);
}

/** A member's file has at most the open wishes and the recently fulfilled ones. */
const maxImported = 1000;

/** Runs after each change of the catalog: a film may be gone again before the next sweep. */
export async function endWishes(): Promise<void> {
  // Skips rows that another instance is ending, because two instances that wait for each other would fail.
  await db.execute(sql`
    update ${wishes} set fulfilled_at = now() where fulfilled_at is null and (user_id, mal_id) in (
      select user_id, mal_id from ${wishes} where fulfilled_at is null and ${hasFilm(wishedTitle)}
      for no key update skip locked)`);
}

/** An ended wish is shown to its member for a month. */
export async function deleteOldWishes(): Promise<void> {
  await endWishes();
  await db.execute(sql`delete from ${wishes} where fulfilled_at < now() - interval '30 days'`);
}
