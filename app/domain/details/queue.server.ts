import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { isOnAirAt } from "#app/domain/catalog/catalog.server.ts";
import { firstMalIdOfEngawa } from "#app/domain/catalog/catalog.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { days, hours } from "#app/platform/units.ts";
import { intArray, textArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titleIds, titles } from "#db/schema/catalog.ts";
import { detailPictures, detailState, episodeStills, titleDetails } from "#db/schema/details.ts";
import { detailReasons } from "#db/schema/enumerations.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { episodeWishes, watchList, wishes } from "#db/schema/library.ts";
import { after, type QueueClock } from "./clock.ts";
import { hasPictureRoom } from "./pictures.server.ts";
import { aniList } from "./sources/anilist.server.ts";
import { askedOn, readDetailState } from "./turns.server.ts";

/**
 * The queue of titles whose details are asked for: those that somebody opened, that have films here, that are on a
 * list, or that are on air. Never the whole catalog, because AniList's terms forbid collecting it.
 */

export const maxTitlesPerDay = 1000;
/** Opening a title keeps it in the queue this long. After that, it is renewed only for another reason. */
const openedLifetimeMs = days(180);
const renewedAfterMs = days(182);
const renewedWhileAiringMs = days(7);

/** Demonstration titles and titles that operators made exist only here, so their numbers are never sent anywhere. */
const isKnownElsewhere = sql`mal_id < ${firstMalIdOfEngawa}`;

/**
 * Adds the titles that need details now. Titles that no longer need them lose their reason, so they are not asked for.
 */
export async function refreshReasons(clock: QueueClock): Promise<void> {
  const now = clock.now().toISOString();
  const openedAfter = after(clock, -openedLifetimeMs).toISOString();
  const order = sql`array_position(${textArray(detailReasons)}, reason)`;
  await db.execute(sql`
    with reasons (mal_id, reason) as (
      select mal_id, 'opened' from ${titleDetails} where opened_at > ${openedAfter}::timestamptz
      union all select distinct mal_id, 'films' from ${episodeSources}
      union all select distinct mal_id, 'listed' from ${watchList}
      union all select distinct mal_id, 'listed' from ${wishes}
      union all select distinct mal_id, 'listed' from ${episodeWishes}
      union all select mal_id, 'airing' from ${titles}
        where ${isOnAirAt(sql`${now}::timestamptz`)}
    ),
    best as (
      select distinct on (mal_id) mal_id, reason from reasons join ${titles} using (mal_id)
      where ${isKnownElsewhere} and hidden_at is null order by mal_id, ${order}
    ),
    gone as (
      update ${titleDetails} own set reason = null
      where reason is not null and not exists (select from best where best.mal_id = own.mal_id)
    )
    insert into ${titleDetails} as own (mal_id, reason, due_at)
      select mal_id, reason, ${now}::timestamptz from best order by mal_id
    on conflict (mal_id) do update set reason = excluded.reason where own.reason is distinct from excluded.reason`);
  await queueStills(db, clock);
}

/** Pictures of a renewed title that were given up are tried again. */
export const orTryAgain = sql`on conflict (url) do update
  set due_at = excluded.due_at, failures = 0, problem = null
  where ${detailPictures.cid} is null and ${detailPictures.dueAt} is null`;

/** Pictures of episodes are fetched only for titles with films. `renewed`: only these titles, which have new details. */
export const queueStills = (
  on: typeof db | Transaction,
  clock: QueueClock,
  renewed: readonly number[] | null = null,
) =>
  on.execute(sql`
    insert into ${detailPictures} (url, kind, due_at)
    select distinct url, 'still', ${clock.now().toISOString()}::timestamptz from ${episodeStills}
    where mal_id in (select mal_id from ${episodeSources})
      ${renewed ? sql`and mal_id = any (${intArray(renewed)}) ${orTryAgain}` : sql`on conflict do nothing`}`);

/** Records that somebody opened the title's page, so that its details come first. Returns whether they are due. */
export async function recordOpened(malId: number, clock: QueueClock): Promise<boolean> {
  const now = clock.now();
  const [row] = await db.execute<{ isDue: boolean }>(sql`
    insert into ${titleDetails} (mal_id, reason, opened_at, due_at)
      select mal_id, 'opened', ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz from ${titles}
      where mal_id = ${malId} and ${isKnownElsewhere} and hidden_at is null
    on conflict (mal_id) do update set reason = excluded.reason, opened_at = excluded.opened_at
    returning due_at <= opened_at as "isDue"`);
  return row?.isDue ?? false;
}

/** Adds titles that a member has put on the list. Returns whether the details of one of them are due. */
export async function recordListed(malIds: readonly number[], clock: QueueClock): Promise<boolean> {
  const now = clock.now().toISOString();
  const rows = await db.execute<{ isDue: boolean }>(sql`
    insert into ${titleDetails} as own (mal_id, reason, due_at)
      select mal_id, 'listed', ${now}::timestamptz from ${titles}
      where mal_id = any (${intArray(malIds)}) and ${isKnownElsewhere} and hidden_at is null order by mal_id
    on conflict (mal_id) do update set reason = excluded.reason where own.reason is null or own.reason = 'airing'
    returning due_at <= ${now}::timestamptz as "isDue"`);
  return rows.some(({ isDue }) => isDue);
}

/** Asks for a title's details again, for an operator, even if they are known. Returns false for a local title. */
export async function askAgain(malId: number, clock: QueueClock): Promise<boolean> {
  await recordOpened(malId, clock);
  const rows = await db
    .update(titleDetails)
    .set({ dueAt: new Date(0), failures: 0, problem: null, isNumberUnknown: false })
    .where(eq(titleDetails.malId, malId))
    .returning({ malId: titleDetails.malId });
  return rows.length > 0;
}

type AskedTitle = { malId: number; number: number };
export type Batch = { by: "source" | "mal"; titles: readonly AskedTitle[] };

/**
 * Chooses the most urgent titles, as many as fit into one request and into the daily limit. One request names titles
 * either by the source's numbers or by MyAnimeList's. Null if none is due or the limit is reached.
 */
export async function takeBatch(clock: QueueClock, maxTitles: number): Promise<Batch | null> {
  const now = clock.now();
  const day = now.toISOString().slice(0, 10);
  const room = maxTitlesPerDay - askedOn(day, await readDetailState());
  if (room <= 0) return null;
  const rows = await db
    .select({
      malId: titleDetails.malId,
      number: sql<number | null>`case when ${titleDetails.isNumberUnknown} then null
        else min(${titleIds.externalId}) filter (where ${titleIds.externalId} ~ '^[1-9][0-9]{0,8}$') end::int`,
    })
    .from(titleDetails)
    .leftJoin(titleIds, and(eq(titleIds.malId, titleDetails.malId), eq(titleIds.site, aniList.site)))
    .where(and(sql`${titleDetails.reason} is not null`, lte(titleDetails.dueAt, now)))
    .groupBy(titleDetails.malId)
    .orderBy(
      sql`array_position(${textArray(detailReasons)}, ${titleDetails.reason})`,
      titleDetails.dueAt,
      titleDetails.malId,
    )
    .limit(4 * aniList.titlesPerRequest);
  const [first] = rows;
  if (!first) return null;
  const by = first.number === null ? "mal" : "source";
  const chosen = rows
    .filter(({ number }) => (number === null) === (by === "mal"))
    .slice(0, Math.min(maxTitles, aniList.titlesPerRequest, room))
    .map(({ malId, number }) => ({ malId, number: number ?? malId }));
  return { by, titles: chosen };
}

/** Counts the titles towards the daily limit before the request is sent, so that a crash cannot exceed the limit. */
export async function recordAsked(batch: Batch, clock: QueueClock): Promise<void> {
  const now = clock.now();
  const day = now.toISOString().slice(0, 10);
  const count = batch.titles.length;
  await db
    .insert(detailState)
    .values({ day, askedToday: count })
    .onConflictDoUpdate({
      target: detailState.only,
      set: {
        day,
        askedToday: sql`case when ${detailState.day} = ${day} then ${detailState.askedToday} else 0 end + ${count}`,
      },
    });
  await db
    .update(titleDetails)
    .set({ askedAt: now })
    .where(inArray(titleDetails.malId, malIdsOf(batch.titles)));
}

/**
 * When to ask again after a good answer. For a title on air that is an hour after its next episode, but a day from now
 * at the earliest and a week at the latest.
 */
export function dueAfterAnswer(clock: QueueClock, isOver: boolean, nextAirsAt: Date | null): Date {
  if (isOver) return after(clock, renewedAfterMs);
  const week = after(clock, renewedWhileAiringMs).getTime();
  const episode = nextAirsAt === null ? week : nextAirsAt.getTime() + hours(1);
  return new Date(Math.max(after(clock, days(1)).getTime(), Math.min(week, episode)));
}

/** Records that the source does not know these titles under the numbers that they were asked for with. */
export async function recordUnknown({ by, titles: missing }: Batch, clock: QueueClock): Promise<void> {
  if (missing.length === 0) return;
  const ofMissing = inArray(titleDetails.malId, malIdsOf(missing));
  // The source may have merged the title with another, so its number is gone. MyAnimeList's number is tried next.
  if (by === "source") await db.update(titleDetails).set({ isNumberUnknown: true }).where(ofMissing);
  else
    await db
      .update(titleDetails)
      .set({
        problem: "AniList does not know this title",
        failures: 0,
        dueAt: after(clock, renewedAfterMs),
      })
      .where(ofMissing);
}

const firstRetryMs = hours(1);
const maxRetryMs = days(1);

/** Records that these titles failed. They are retried later, with a longer wait after each failure. */
export async function recordTitleFailure(
  malIds: readonly number[],
  message: string,
  clock: QueueClock,
): Promise<void> {
  if (malIds.length === 0) return;
  const now = clock.now().toISOString();
  await db
    .update(titleDetails)
    .set({
      failures: sql`${titleDetails.failures} + 1`,
      problem: message,
      dueAt: sql`${now}::timestamptz + interval '1 millisecond'
        * least(${maxRetryMs}::float8, ${firstRetryMs} * 4 ^ least(${titleDetails.failures}, 10))`,
    })
    .where(inArray(titleDetails.malId, [...malIds]));
}

/**
 * True if a picture is due and there is room for it, or if a title is due and the source may be asked within
 * `maxWaitMs`.
 */
export async function isAnythingDue(clock: QueueClock, maxWaitMs: number): Promise<boolean> {
  const now = clock.now().toISOString();
  const [row] = await db.execute<{ isPicture: boolean; isTitle: boolean }>(sql`
    select exists (select from ${detailPictures} where due_at <= ${now}::timestamptz) as "isPicture",
      exists (select from ${titleDetails} where reason is not null and due_at <= ${now}::timestamptz)
        and not exists (select from ${detailState} where next_at > ${after(clock, maxWaitMs).toISOString()}::timestamptz
          or (day = ${now.slice(0, 10)} and asked_today >= ${maxTitlesPerDay}))
      as "isTitle"`);
  if (!row) return false;
  return row.isTitle || (row.isPicture && (await hasPictureRoom()));
}
