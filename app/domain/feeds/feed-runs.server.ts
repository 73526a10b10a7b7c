import { and, desc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { hours, minutes } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { feedPages, feedRuns, feeds } from "#db/schema/feeds.ts";
import { type Feed, listChosenFeeds } from "./chosen-feeds.server.ts";
import type { FeedReport, FeedRun } from "./feeds.ts";
import type { Validators } from "./fetch-feed.server.ts";

/** Stores when and where the next run of each feed starts, and the reports of the last runs. */

/** The result of a run. */
export type RunEnd =
  | { outcome: "imported"; validators: Validators; report: FeedReport }
  | { outcome: "unchanged" }
  | { outcome: "failed"; message: string; waitMs: number; report?: FeedReport };

/** `runs` has the most recent runs, the newest first. */
export type ListedFeed = Feed & { nextAt: Date; failures: number; runs: FeedRun[] };

const maxRuns = 10;

/** After a failure, the next run is earlier than the usual interval. The delay grows with each failure in a row. */
const retryDelay = ({ intervalMs }: Feed, failures: number) =>
  Math.min(intervalMs, hours(6), minutes(4 ** Math.min(failures - 1, 8)));

/** A new feed is due at once. */
const createRows = (names: readonly Feed[]) =>
  db
    .insert(feeds)
    .values(names.map(({ name }) => ({ name, nextAt: new Date() })))
    .onConflictDoNothing();

export async function listFeeds(): Promise<ListedFeed[]> {
  const chosen = await listChosenFeeds();
  if (chosen.length === 0) return [];
  const names = chosen.map(({ name }) => name);
  const [rows, runs] = await Promise.all([
    db.select().from(feeds).where(inArray(feeds.name, names)),
    db.select().from(feedRuns).where(inArray(feedRuns.feed, names)).orderBy(desc(feedRuns.startedAt)),
  ]);
  return chosen.map((feed) => {
    const row = rows.find(({ name }) => name === feed.name);
    return {
      ...feed,
      nextAt: row?.nextAt ?? new Date(),
      failures: row?.failures ?? 0,
      runs: runs
        .filter((run) => run.feed === feed.name)
        .map(({ id: _id, feed: _feed, ...run }) => ({ ...run, report: run.report as FeedReport | null })),
    };
  });
}

export const listDueFeeds = async (): Promise<Feed[]> =>
  (await listFeeds()).filter(({ nextAt }) => nextAt.getTime() <= Date.now());

export async function makeAllDue(): Promise<void> {
  for (const { name } of await listChosenFeeds()) await makeDue(name);
}

/** Makes a feed due now. Returns false if it is not configured. */
export async function makeDue(name: string): Promise<boolean> {
  const feed = (await listChosenFeeds()).find((one) => one.name === name);
  if (!feed) return false;
  await createRows([feed]);
  await db.update(feeds).set({ nextAt: new Date() }).where(eq(feeds.name, name));
  return true;
}

/**
 * Starts a run and returns its id, the validators of the imported file and the stored position. The run counts as
 * failed until it ends, so that a file that crashes the process is not read again at once. The caller must hold the
 * feed's lock.
 */
export async function beginRun(
  feed: Feed,
): Promise<{ id: string; known: Validators; position: string | null }> {
  await createRows([feed]);
  return withTransaction(async (transaction) => {
    const now = new Date();
    const [row] = await transaction.select().from(feeds).where(eq(feeds.name, feed.name)).for("update");
    const failures = (row?.failures ?? 0) + 1;
    await transaction
      .update(feeds)
      .set({ failures, nextAt: new Date(now.getTime() + retryDelay(feed, failures)) })
      .where(eq(feeds.name, feed.name));
    await transaction
      .update(feedRuns)
      .set({ outcome: "interrupted", endedAt: sql`${feedRuns.seenAt}` })
      .where(and(eq(feedRuns.feed, feed.name), isNull(feedRuns.outcome)));
    const [run] = await transaction
      .insert(feedRuns)
      .values({ feed: feed.name, startedAt: now, seenAt: now })
      .returning({ id: feedRuns.id });
    if (!run) throw new Error("the run was not stored");
    const { etag = null, lastModified = null, position = null } = row ?? {};
    return { id: run.id, known: { etag, lastModified }, position };
  });
}

export const recordProgress = (id: string, progress: { bytes?: number; records?: number }) =>
  db
    .update(feedRuns)
    .set({ ...progress, seenAt: new Date() })
    .where(eq(feedRuns.id, id));

export async function endRun(feed: Feed, id: string, end: RunEnd): Promise<void> {
  const now = new Date();
  const isGood = end.outcome !== "failed";
  const waitMs = isGood ? feed.intervalMs : end.waitMs;
  const notBefore = new Date(now.getTime() + waitMs).toISOString();
  await withTransaction(async (transaction) => {
    await transaction
      .update(feedRuns)
      .set({
        outcome: end.outcome,
        endedAt: now,
        seenAt: now,
        ...("message" in end && { message: end.message }),
        ...("report" in end && { report: end.report }),
      })
      .where(eq(feedRuns.id, id));
    await transaction
      .update(feeds)
      .set({
        nextAt: sql`greatest(${feeds.nextAt}, ${notBefore}::timestamptz)`,
        ...(isGood && { failures: 0 }),
        ...(end.outcome === "imported" && end.validators),
      })
      .where(eq(feeds.name, feed.name));
    const newestIds = transaction
      .select({ id: feedRuns.id })
      .from(feedRuns)
      .where(eq(feedRuns.feed, feed.name))
      .orderBy(desc(feedRuns.startedAt))
      .limit(maxRuns);
    await transaction
      .delete(feedRuns)
      .where(and(eq(feedRuns.feed, feed.name), notInArray(feedRuns.id, newestIds)));
  });
}

/** Stores where the next run continues if this one is interrupted. */
export const recordPosition = ({ name }: Feed, position: string) =>
  db.update(feeds).set({ position }).where(eq(feeds.name, name));

/** Stores the ids of the catalogs that the feed's catalog is built from. */
export const recordCatalogs = ({ name }: Feed, catalogs: readonly string[]) =>
  db
    .update(feeds)
    .set({ catalogs: [...catalogs] })
    .where(eq(feeds.name, name));

/** The catalogs that this one follows, directly or through others. */
export async function listFollowedCatalogs(): Promise<string[]> {
  const names = (await listChosenFeeds()).map(({ name }) => name);
  const rows = await db.select({ catalogs: feeds.catalogs }).from(feeds).where(inArray(feeds.name, names));
  return [...new Set(rows.flatMap(({ catalogs }) => catalogs))];
}

/** Null if the page is not imported. */
export async function findPage({ name }: Feed, page: number) {
  const [row] = await db
    .select({ etag: feedPages.etag, isLast: feedPages.isLast })
    .from(feedPages)
    .where(and(eq(feedPages.feed, name), eq(feedPages.page, page)));
  return row ?? null;
}

/** Stores that a page is imported, and that the next run continues after it. */
export async function recordPage(
  feed: Feed,
  { page, etag, isLast }: { page: number; etag: string | null; isLast: boolean },
): Promise<void> {
  await withTransaction(async (transaction) => {
    const isThisPage = and(eq(feedPages.feed, feed.name), eq(feedPages.page, page));
    await transaction.delete(feedPages).where(isThisPage);
    if (etag !== null) await transaction.insert(feedPages).values({ feed: feed.name, page, etag, isLast });
    await transaction
      .update(feeds)
      .set({ position: isLast ? null : String(page + 1) })
      .where(eq(feeds.name, feed.name));
  });
}
