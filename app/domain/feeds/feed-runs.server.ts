import { and, desc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { env } from "#app/platform/process/env.server.ts";
import type { FeedSetting } from "#app/platform/process/feed-settings.ts";
import { hours, minutes } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { feedRuns, feeds } from "#db/schema/feeds.ts";
import type { FeedReport, FeedRun } from "./feeds.ts";
import type { Validators } from "./fetch-feed.server.ts";

/** The feeds of the configuration with what is stored of them: when the next run is due and what the last ones gave. */

export type Feed = FeedSetting & { name: string };
/** How a run ended. */
export type RunEnd =
  | { outcome: "imported"; validators: Validators; report: FeedReport }
  | { outcome: "unchanged" }
  | { outcome: "failed"; message: string; waitMs: number; report?: FeedReport };

/** `runs` are the last ones, the newest first. */
export type ListedFeed = Feed & { nextAt: Date; failures: number; runs: FeedRun[] };

const nameOf = ({ kind, address }: FeedSetting) => `${kind} ${address}`;
export const configuredFeeds: readonly Feed[] = env.CATALOG_FEEDS.map((feed) => ({
  ...feed,
  name: nameOf(feed),
}));

const keptRuns = 10;

/** After a failure the next run comes sooner than the interval, and later each time. */
const retryDelay = ({ intervalMs }: Feed, failures: number) =>
  Math.min(intervalMs, hours(6), minutes(4 ** Math.min(failures - 1, 8)));

/** A feed that was added to the configuration is due at once. */
const createRows = (names: readonly Feed[]) =>
  db
    .insert(feeds)
    .values(names.map(({ name }) => ({ name, nextAt: new Date() })))
    .onConflictDoNothing();

export async function listFeeds(): Promise<ListedFeed[]> {
  if (configuredFeeds.length === 0) return [];
  const names = configuredFeeds.map(({ name }) => name);
  const [rows, runs] = await Promise.all([
    db.select().from(feeds).where(inArray(feeds.name, names)),
    db.select().from(feedRuns).where(inArray(feedRuns.feed, names)).orderBy(desc(feedRuns.startedAt)),
  ]);
  return configuredFeeds.map((feed) => {
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

export async function listDueFeeds(): Promise<Feed[]> {
  const listed = await listFeeds();
  return configuredFeeds.filter(({ name }) =>
    listed.some((feed) => feed.name === name && feed.nextAt.getTime() <= Date.now()),
  );
}

export async function makeAllDue(): Promise<void> {
  for (const { name } of configuredFeeds) await makeDue(name);
}

/** Makes a feed due now. Returns false if it is not configured. */
export async function makeDue(name: string): Promise<boolean> {
  const feed = configuredFeeds.find((one) => one.name === name);
  if (!feed) return false;
  await createRows([feed]);
  await db.update(feeds).set({ nextAt: new Date() }).where(eq(feeds.name, name));
  return true;
}

/**
 * Begins a run and says what is known of the feed. It counts as failed until it ends, so that a file that ends the process
 * is not read again at once. Call it only with the feed's lock.
 */
export async function beginRun(feed: Feed): Promise<{ id: string; known: Validators }> {
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
    return { id: run.id, known: { etag: row?.etag ?? null, lastModified: row?.lastModified ?? null } };
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
        ...{ outcome: end.outcome, endedAt: now, seenAt: now },
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
    const kept = transaction
      .select({ id: feedRuns.id })
      .from(feedRuns)
      .where(eq(feedRuns.feed, feed.name))
      .orderBy(desc(feedRuns.startedAt))
      .limit(keptRuns);
    await transaction
      .delete(feedRuns)
      .where(and(eq(feedRuns.feed, feed.name), notInArray(feedRuns.id, kept)));
  });
}
