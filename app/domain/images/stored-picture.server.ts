import { and, eq, sql } from "drizzle-orm";
import { done, type Outcome } from "#app/domain/errors.ts";
import { refusalOfFetch } from "#app/domain/upstream-refusal.server.ts";
import { storedImagePath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours } from "#app/platform/units.ts";
import { readUpstreamUrl } from "#app/platform/upstream/safe-fetch.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";
import { renderRefusal } from "./proxied-image.server.ts";
import { render } from "./renderer.server.ts";
import { fetchPicture, type PictureRequester, pictureBudget } from "./source-picture.server.ts";
import { cidOf, parseCid } from "./storage/cid.server.ts";
import { listStorages, storageOf } from "./storage/storage.server.ts";

/** Pictures that members gave: stored once each, kept while anybody uses them. */

type PictureShape = "avatar" | "banner";
type PictureUse = { userId: string; kind: "upload" | PictureShape };

const storedCounter = counter("images_stored_total", "Pictures taken into storage", ["shape"]);
const sweptCounter = counter("images_swept_total", "Stored pictures removed because nobody uses them");

/** The root-relative path of the picture once it is safe: bytes first, then the row that speaks of them. */
export async function createStoredPicture(
  bytes: Buffer,
  shape: PictureShape,
  use: PictureUse,
): Promise<Outcome<string>> {
  const picture = await render({ kind: shape }, bytes);
  if (!picture.ok) return renderRefusal(picture.failure);
  const cid = cidOf(picture.bytes);
  const storage = storageOf(env.STORAGE);
  await storage.put(cid, picture.bytes);
  const { widthPx, heightPx } = picture;
  await withTransaction(async (transaction) => {
    const row = {
      cid,
      contentType: "image/webp",
      bytes: picture.bytes.length,
      widthPx,
      heightPx,
      storage: env.STORAGE,
    };
    // Written, not skipped, when it exists: the row is locked until our use of it is there as well.
    await transaction
      .insert(storedImages)
      .values(row)
      .onConflictDoUpdate({ target: storedImages.cid, set: { storage: env.STORAGE } });
    await transaction
      .insert(imageUses)
      .values({ cid, ...use })
      .onConflictDoNothing();
  });
  // The sweep may have taken the bytes between their writing and the row's.
  if ((await storage.get(cid)) === null) await storage.put(cid, picture.bytes);
  storedCounter.inc({ shape });
  return done(storedImagePath(cid));
}

/** The same for a picture elsewhere on the web. */
export async function createStoredPictureFromUrl(
  address: string,
  shape: PictureShape,
  use: PictureUse,
  asker: PictureRequester,
): Promise<Outcome<string>> {
  const read = readUpstreamUrl(address.startsWith("/") ? `${asker.origin}${address}` : address);
  if (!read.ok) return refusalOfFetch(read);
  return pictureBudget(async (admit) => {
    const source = await fetchPicture(read.url, asker, admit);
    return source.ok ? createStoredPicture(source.value.bytes, shape, use) : source;
  });
}

/** The CID in an address of one of our stored pictures, ours or that of the place that serves it; else null. */
export function findStoredCid(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null;
  const cid = parseCid(new URL(address, origin).pathname.split("/").at(-1) ?? "");
  return cid &&
    [new URL(storedImagePath(cid), origin).href, publicPictureUrl(storedImagePath(cid), origin)].includes(
      new URL(address, origin).href,
    )
    ? cid
    : null;
}

/** The address to tell others: where the picture is served in public, or our own. */
export function publicPictureUrl(path: string, origin: string): string {
  const cid = parseCid(path.replace(/^\/ipfs\//, ""));
  return (cid && storageOf(env.STORAGE).publicUrl(cid)) ?? new URL(path, origin).href;
}

/** One avatar and one banner a user: using another gives the one before free. False: no such picture is stored. */
export async function claimStoredPicture(cid: string, { userId, kind }: PictureUse): Promise<boolean> {
  return withTransaction(async (transaction) => {
    const [found] = await transaction
      .select({ cid: storedImages.cid })
      .from(storedImages)
      .where(eq(storedImages.cid, cid))
      .for("update");
    if (!found) return false;
    if (kind !== "upload")
      await transaction.delete(imageUses).where(and(eq(imageUses.userId, userId), eq(imageUses.kind, kind)));
    await transaction.insert(imageUses).values({ cid, userId, kind }).onConflictDoNothing();
    return true;
  });
}

/** The user shows none of ours there any more. */
export async function releaseStoredPicture({ userId, kind }: PictureUse): Promise<void> {
  await db.delete(imageUses).where(and(eq(imageUses.userId, userId), eq(imageUses.kind, kind)));
}

/** The bytes under a CID, checked against it. */
export async function findStoredPicture(text: string): Promise<{ cid: string; bytes: Buffer } | null> {
  const cid = parseCid(text);
  if (!cid) return null;
  for (const kind of listStorages()) {
    const bytes = await storageOf(kind).get(cid);
    if (bytes && cidOf(bytes) === cid) return { cid, bytes };
    if (bytes) log.error("a stored picture is not what its name says", { cid });
  }
  return null;
}

/** Puts back bytes that a backup held; false when they are not what their name says. */
export async function restorePictureBytes(cid: string, bytes: Buffer): Promise<boolean> {
  if (cidOf(bytes) !== cid) return false;
  await storageOf(env.STORAGE).put(cid, bytes);
  return true;
}

/** Removes what nobody uses: rows with their bytes, then bytes without a row, which a crash leaves behind. */
export async function deleteUnusedPictures(unclaimedFor = hours(1)): Promise<number> {
  let removed = 0;
  const unused = await db.select({ cid: storedImages.cid }).from(storedImages).where(isUnused).limit(10_000);
  for (const { cid } of unused)
    removed += await deleteIfUnused(cid).catch((error) => {
      // One place that is out of reach keeps no other from being swept.
      log.warn("an unused picture could not be removed", { cid, ...errorFields(error) });
      return 0;
    });
  const storage = storageOf(env.STORAGE);
  for await (const cid of storage.listBefore(Date.now() - unclaimedFor)) {
    const [known] = await db
      .select({ cid: storedImages.cid })
      .from(storedImages)
      .where(eq(storedImages.cid, cid));
    if (known) continue;
    await storage.remove(cid);
    removed++;
  }
  sweptCounter.inc(removed);
  return removed;
}

const isUnused = sql`not exists (select from ${imageUses} where ${imageUses.cid} = ${storedImages.cid})`;

/**
 * The row is locked until its bytes are gone, so that whoever stores the same picture now comes after us. Whether
 * it is unused is asked once the lock is held: a statement that waited for one still sees what was before.
 */
async function deleteIfUnused(cid: string): Promise<number> {
  return withTransaction(async (transaction) => {
    const isThis = eq(storedImages.cid, cid);
    await transaction.select({ cid: storedImages.cid }).from(storedImages).where(isThis).for("update");
    const [gone] = await transaction
      .delete(storedImages)
      .where(and(isThis, isUnused))
      .returning({ storage: storedImages.storage });
    if (!gone) return 0;
    await storageOf(gone.storage).remove(cid);
    return 1;
  });
}

/** Once a while, for as long as the process runs; a failure waits for the next time. */
export function scheduleUnusedPictureDeletion(every = hours(6)) {
  const sweep = () =>
    deleteUnusedPictures().catch((error) => log.warn("stored pictures were not swept", errorFields(error)));
  setInterval(sweep, every).unref();
}
