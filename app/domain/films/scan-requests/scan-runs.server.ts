import { and, asc, desc, eq, isNull, notInArray, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { scanOutcomes, scanReasons } from "#db/schema/enumerations.ts";
import { scanRequests, scans } from "#db/schema/scanning.ts";
import type { Scan, ScanCounts } from "./scans.ts";

/** Stores which folders wait for a scan, and how far each scan came. */

type ScanReason = (typeof scanReasons)[number];
export type ScanRequest = { folder: string; reason: ScanReason };

const keptScans = 20;

/** A folder that waits already keeps its reason. */
export async function requestScan({ folder, reason }: ScanRequest): Promise<void> {
  await db.insert(scanRequests).values({ folder, reason }).onConflictDoNothing();
}

/** The next folder that waits, which is all of MEDIA_DIR if that waits. */
export async function findScanRequest(): Promise<ScanRequest | null> {
  const [request] = await db
    .select({ folder: scanRequests.folder, reason: scanRequests.reason })
    .from(scanRequests)
    .orderBy(sql`${scanRequests.folder} <> ''`, asc(scanRequests.askedAt))
    .limit(1);
  return request ?? null;
}

/**
 * A request that comes while the scan runs is for another one, because the scan may have passed the folder. What a scan did not
 * finish that was killed is asked for again.
 */
export async function beginScan({ folder, reason }: ScanRequest): Promise<string> {
  const interrupted = await db
    .update(scans)
    .set({ outcome: "interrupted", endedAt: sql`${scans.seenAt}` })
    .where(isNull(scans.outcome))
    .returning({ folder: scans.folder, reason: scans.reason });
  for (const one of interrupted) await requestScan(one);
  await db.delete(scanRequests).where(folder === "" ? sql`true` : eq(scanRequests.folder, folder));
  const [scan] = await db.insert(scans).values({ folder, reason }).returning({ id: scans.id });
  if (!scan) throw new Error("the scan was not stored");
  return scan.id;
}

/**
 * Returns whether the scan has to end: an operator has stopped it, or another one has begun since, because this one has lost
 * its lock with its connection.
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
  // Its time decides when the next one is due.
  const whole = newest.where(eq(scans.folder, "")).limit(1);
  const kept = db.select({ id: scans.id }).from(scans).orderBy(desc(scans.startedAt)).limit(keptScans);
  await db.delete(scans).where(and(notInArray(scans.id, kept), notInArray(scans.id, whole)));
}

/** What runs ends within a second, and what waits is not begun. */
export async function stopScans(): Promise<void> {
  await db.delete(scanRequests);
  await db.update(scans).set({ isToStop: true }).where(isNull(scans.outcome));
}

export async function listScans(most: number): Promise<Scan[]> {
  const rows = await db.select().from(scans).orderBy(desc(scans.startedAt)).limit(most);
  return rows.map((row) => ({ ...row, problems: (row.problems ?? []) as string[] }));
}

/** When the last scan of all of MEDIA_DIR began, and whether it came to its end. */
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
