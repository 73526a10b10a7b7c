import { and, asc, desc, eq, isNull, notInArray, sql } from "drizzle-orm";
import { db, withTransaction } from "#db/client.server.ts";
import type { scanOutcomes, scanReasons } from "#db/schema/enumerations.ts";
import { scanRequests, scans } from "#db/schema/scanning.ts";
import type { Scan, ScanCounts } from "./scans.ts";

/** Stores which folders are queued for a scan, and the progress of each scan. */

type ScanReason = (typeof scanReasons)[number];
export type ScanRequest = { folder: string; reason: ScanReason };

const keptScans = 20;

/** Queues a folder for a scan. A folder that is already queued keeps its reason. */
export async function requestScan({ folder, reason }: ScanRequest): Promise<void> {
  await db.insert(scanRequests).values({ folder, reason }).onConflictDoNothing();
}

/** The next folder in the queue. If all of MEDIA_DIR is queued, that comes first. */
export async function findScanRequest(): Promise<ScanRequest | null> {
  const [request] = await db
    .select({ folder: scanRequests.folder, reason: scanRequests.reason })
    .from(scanRequests)
    .orderBy(sql`${scanRequests.folder} <> ''`, asc(scanRequests.askedAt))
    .limit(1);
  return request ?? null;
}

/**
 * Starts a scan and removes its request. A request that arrives while the scan runs is kept for another scan, because
 * this one may have passed the folder. Scans that were killed are requested again.
 */
export async function beginScan({ folder, reason }: ScanRequest): Promise<string> {
  return withTransaction(async (transaction) => {
    const interrupted = await transaction
      .update(scans)
      .set({ outcome: "interrupted", endedAt: sql`${scans.seenAt}` })
      .where(isNull(scans.outcome))
      .returning({ folder: scans.folder, reason: scans.reason });
    if (interrupted.length > 0)
      await transaction.insert(scanRequests).values(interrupted).onConflictDoNothing();
    await transaction.delete(scanRequests).where(folder === "" ? sql`true` : eq(scanRequests.folder, folder));
    const [scan] = await transaction.insert(scans).values({ folder, reason }).returning({ id: scans.id });
    if (!scan) throw new Error("the scan was not stored");
    return scan.id;
  });
}

/**
 * Records progress. Returns whether the scan must stop: an operator has stopped it, or another scan has begun because
 * this one lost its lock together with its database connection.
 */
export async function recordScan(id: string, counts: ScanCounts): Promise<boolean> {
  const [scan] = await db
    .update(scans)
    .set({ ...counts, seenAt: new Date() })
    .where(and(eq(scans.id, id), isNull(scans.outcome)))
    .returning({ isToStop: scans.isToStop });
  return scan?.isToStop ?? true;
}

type ScanEnd = {
  outcome: Exclude<(typeof scanOutcomes)[number], "interrupted">;
  message?: string;
  problems?: readonly string[];
};

export async function endScan(id: string, counts: ScanCounts, end: ScanEnd): Promise<void> {
  const now = new Date();
  await db
    .update(scans)
    .set({ ...counts, ...end, endedAt: now, seenAt: now })
    .where(and(eq(scans.id, id), isNull(scans.outcome)));
  const newest = db.select({ id: scans.id }).from(scans).orderBy(desc(scans.startedAt));
  // The last scan of all of MEDIA_DIR is kept, because its time decides when the next one is due.
  const whole = newest.where(eq(scans.folder, "")).limit(1);
  const recentScans = db.select({ id: scans.id }).from(scans).orderBy(desc(scans.startedAt)).limit(keptScans);
  await db.delete(scans).where(and(notInArray(scans.id, recentScans), notInArray(scans.id, whole)));
}

/** Ends the running scan within a second, and empties the queue. */
export async function stopScans(): Promise<void> {
  await db.delete(scanRequests);
  await db.update(scans).set({ isToStop: true }).where(isNull(scans.outcome));
}

export async function listScans(limit: number): Promise<Scan[]> {
  const rows = await db.select().from(scans).orderBy(desc(scans.startedAt)).limit(limit);
  return rows.map((row) => ({ ...row, problems: (row.problems ?? []) as string[] }));
}

/** When the last scan of all of MEDIA_DIR began. `isGood`: it finished, or an operator stopped it. */
export async function findLastWholeScan(): Promise<{ startedAt: Date; isGood: boolean } | null> {
  const [scan] = await db
    .select({ startedAt: scans.startedAt, outcome: scans.outcome })
    .from(scans)
    .where(eq(scans.folder, ""))
    .orderBy(desc(scans.startedAt))
    .limit(1);
  return scan
    ? { startedAt: scan.startedAt, isGood: scan.outcome === "done" || scan.outcome === "stopped" }
    : null;
}
