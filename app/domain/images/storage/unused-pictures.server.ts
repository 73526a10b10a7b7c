import { and, eq, lt, sql } from "drizzle-orm";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { days, minutes } from "#app/platform/units.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import { detailPictures } from "#db/schema/details.ts";
import { titlePictures } from "#db/schema/edits.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";
import { parseCid } from "./cid.server.ts";
import { listStorages, type StorageKind, storageOf } from "./storage.server.ts";

/** Deletes unused stored pictures. It may run while members upload and choose pictures. */

const sweptCounter = counter("images_swept_total", "Stored pictures deleted because nobody uses them");

/** How long an upload may be unused. A client uploads a picture first and makes it the avatar or banner later. */
const uploadLifetimeMs = days(1);
/**
 * How long bytes without a row stay. Until then, an operator who restored an older state of the database can return to
 * the newer one without losing pictures, and a short-lived copy of the database deletes nothing that it does not know.
 */
const withoutRowLifetimeMs = days(30);
const maxPicturesAtOnce = 10_000;
/** A transaction waits here until a remote storage has deleted a picture, which may take two requests of 20 seconds. */
const waitsForStorage = { maxIdleMs: minutes(1) };

/** Does nothing while any instance is deleting unused pictures, which takes hours if the storage is slow. */
export const deleteUnusedPicturesOnce = () =>
  runOnOneInstance("deletion of unused pictures", deleteUnusedPictures);

/**
 * Deletes uploads that no profile used within a day, then unused rows with their bytes, then bytes without a row, which
 * a crash can leave behind. A storage that fails is left alone until the next run, because each picture could hold a
 * connection to the database until the storage's request times out.
 */
export async function deleteUnusedPictures(): Promise<number> {
  const endsBefore = new Date(Date.now() - uploadLifetimeMs);
  await db.delete(imageUses).where(and(eq(imageUses.kind, "upload"), lt(imageUses.createdAt, endsBefore)));
  let deletedCount = 0;
  const failed = new Set<StorageKind>();
  const unused = await db
    .select({ cid: storedImages.cid, storage: storedImages.storage })
    .from(storedImages)
    .where(isUnused)
    // Otherwise a picture that cannot be deleted could stop the same other pictures in every run.
    .orderBy(sql`random()`)
    .limit(maxPicturesAtOnce);
  for (const { cid, storage } of unused) {
    if (failed.has(storage)) continue;
    try {
      deletedCount += await deleteIfUnused(cid);
    } catch (error) {
      if (error instanceof StorageFailed) failed.add(storage);
      log.warn("could not delete an unused picture; the next run tries again", {
        cid,
        storage,
        ...errorFields(error),
      });
    }
  }
  const working = listStorages().filter((kind) => !failed.has(kind));
  deletedCount += await deleteBytesWithoutRow(working, Date.now() - withoutRowLifetimeMs);
  sweptCounter.inc(deletedCount);
  return deletedCount;
}

const isUnused = sql`not exists (select from ${imageUses} where ${imageUses.cid} = ${storedImages.cid})
  and not exists (select from ${titlePictures} where ${titlePictures.cid} = ${storedImages.cid})
  and not exists (select from ${detailPictures} where ${detailPictures.cid} = ${storedImages.cid})`;

/**
 * Locks the row until its bytes are deleted, so that a request that stores the same picture has to wait. The check for
 * uses is a second statement, because a statement that waits for a lock still sees the state before the wait.
 */
export async function deleteIfUnused(cid: string): Promise<number> {
  return withTransaction(async (transaction) => {
    const hasCid = eq(storedImages.cid, cid);
    await lockPicture(transaction, cid);
    await transaction.select({ cid: storedImages.cid }).from(storedImages).where(hasCid).for("update");
    const [deleted] = await transaction
      .delete(storedImages)
      .where(and(hasCid, isUnused))
      .returning({ storage: storedImages.storage });
    if (!deleted) return 0;
    await removeFrom(deleted.storage, cid);
    return 1;
  }, waitsForStorage);
}

class StorageFailed extends Error {}

async function removeFrom(kind: StorageKind, cid: string) {
  try {
    await storageOf(kind).remove(cid);
  } catch (cause) {
    throw new StorageFailed(`the storage ${kind} failed`, { cause });
  }
}

/** Until the transaction ends, no other transaction deletes this picture or writes its row, which may not exist yet. */
export const lockPicture = (transaction: Transaction, cid: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtext('stored picture'), hashtext(${cid}))`);

/** Continues with the next storage if one fails. */
async function deleteBytesWithoutRow(kinds: readonly StorageKind[], beforeMs: number): Promise<number> {
  let deletedCount = 0;
  for (const kind of kinds)
    try {
      for (const cid of await listBytesWithoutRow(kind, beforeMs))
        if (await deleteUnlessKnown(kind, cid)) deletedCount++;
    } catch (error) {
      log.warn("could not look for unused pictures in a storage", { kind, ...errorFields(error) });
    }
  return deletedCount;
}

/**
 * Crashes and restores leave only some bytes without a row. If more than half of a storage has none, the database is
 * probably not the one of this storage, for example a new, empty one. Then nothing is listed, so that all pictures are
 * still there when the right database is back.
 */
async function listBytesWithoutRow(kind: StorageKind, beforeMs: number): Promise<string[]> {
  let stored = 0;
  let withoutRow = 0;
  const listed: string[] = [];
  for await (const name of storageOf(kind).listBefore(beforeMs)) {
    const cid = parseCid(name);
    if (!cid) continue;
    stored++;
    if (await hasRow(db, cid)) continue;
    withoutRow++;
    if (listed.length < maxPicturesAtOnce) listed.push(cid);
  }
  if (withoutRow <= stored / 2) return listed;
  log.warn(
    "most pictures in the storage are unknown to the database, so none of them is deleted; is it the right database?",
    { kind, stored, withoutRow },
  );
  return [];
}

const hasRow = async (database: Pick<Transaction, "$count">, cid: string): Promise<boolean> =>
  (await database.$count(storedImages, eq(storedImages.cid, cid))) > 0;

/** Deletes bytes that have no row. */
export async function deleteUnlessKnown(kind: StorageKind, cid: string): Promise<boolean> {
  return withTransaction(async (transaction) => {
    await lockPicture(transaction, cid);
    const isKnown = await hasRow(transaction, cid);
    if (!isKnown) await storageOf(kind).remove(cid);
    return !isKnown;
  }, waitsForStorage);
}
