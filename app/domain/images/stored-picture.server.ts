import { and, eq, inArray, sql } from "drizzle-orm";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { refusalOfFetch } from "#app/domain/upstream-refusal.server.ts";
import { storedImagePath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { readUpstreamUrl } from "#app/platform/upstream/safe-fetch.server.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { titlePictures } from "#db/schema/edits.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";
import { renderRefusal } from "./proxied-image.server.ts";
import type { RenderedImage } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import { fetchPicture, type PictureRequester, pictureBudget } from "./source-picture.server.ts";
import { cidOf, parseCid } from "./storage/cid.server.ts";
import { listStorages, storageOf } from "./storage/storage.server.ts";
import { deleteIfUnused, deleteUnlessKnown, lockPicture } from "./storage/unused-pictures.server.ts";
import { findQuotaRefusal, lockUploads } from "./storage/upload-quota.server.ts";

/**
 * Stores pictures of members, and those that operators give to titles. Identical bytes are stored once, and deleted
 * when they are no longer used.
 */

type PictureShape = "avatar" | "banner" | "title-picture";
type PictureUse = { userId: string; kind: "upload" | "avatar" | "banner" };

const storedCounter = counter("images_stored_total", "Pictures stored", ["shape"]);

const diskFullRefusal = refuse(
  "disk_full",
  "The disk of this site is nearly full, so pictures cannot be stored now. Please tell the operator of the site.",
);

/** `signal` aborts when no request waits for the picture any more. */
type Sender = PictureRequester & { signal: AbortSignal };

/** Stores a picture that a member sends or names by its URL. Returns the root-relative path. */
export async function createStoredPicture(
  picture: { url: string } | { bytes: Buffer },
  shape: PictureShape,
  use: PictureUse,
  requester: Sender,
): Promise<Outcome<string>> {
  if ("bytes" in picture) return storeBytes(picture.bytes, shape, use, requester);
  if (!(await hasRoom())) return diskFullRefusal;
  const { url } = picture;
  const read = readUpstreamUrl(url.startsWith("/") ? `${requester.origin}${url}` : url);
  if (!read.ok) return refusalOfFetch(read);
  return pictureBudget(requester.client, async (admit) => {
    const source = await fetchPicture(read.url, requester, { admit, signal: requester.signal });
    return source.ok ? storeBytes(source.value.bytes, shape, use, requester) : source;
  });
}

async function storeBytes(
  bytes: Buffer,
  shape: PictureShape,
  use: PictureUse,
  { client, signal }: Pick<Sender, "client" | "signal">,
): Promise<Outcome<string>> {
  if (!(await hasRoom())) return diskFullRefusal;
  const picture = await render({ kind: shape }, bytes, { client, signal });
  if (!picture.ok) return renderRefusal(picture);
  const cid = cidOf(picture.bytes);
  const overQuota = await findQuotaRefusal(db, use.userId, { cid, bytes: picture.bytes.length });
  if (overQuota) return overQuota;
  const refusal = await storeWithRow(cid, picture.bytes, () => recordUse(cid, picture, use));
  if (refusal) {
    await deleteIfUnused(cid);
    return refusal;
  }
  storedCounter.inc({ shape });
  return done(storedImagePath(cid));
}

type CatalogPicture = {
  shape: "title-picture" | "title-banner" | "wide-banner" | "portrait" | "still";
  /** Whose share of the conversions this uses. */
  client: string;
  /**
   * Writes the row that keeps the picture from being deleted as unused. Without it, the caller writes one later, and
   * checks that the picture still exists.
   */
  keep?: (transaction: Transaction, cid: string) => Promise<unknown>;
  signal?: AbortSignal | undefined;
};

/** Stores a picture that belongs to the catalog from the start, and to no member. Returns its CID. */
export async function createCatalogPicture(
  bytes: Buffer,
  { shape, client, keep, signal }: CatalogPicture,
): Promise<Outcome<string>> {
  if (!(await hasRoom())) return diskFullRefusal;
  const picture = await render({ kind: shape }, bytes, { client, signal });
  if (!picture.ok) return renderRefusal(picture);
  const cid = cidOf(picture.bytes);
  await storeWithRow(cid, picture.bytes, () =>
    withTransaction(async (transaction) => {
      await lockPicture(transaction, cid);
      await writeRow(transaction, cid, picture);
      await keep?.(transaction, cid);
    }),
  );
  storedCounter.inc({ shape });
  return done(cid);
}

/**
 * Stores the bytes first and the row second, so that a row never refers to missing bytes. If the row cannot be written,
 * bytes that are new are deleted again: without a row, they would count for no quota.
 */
async function storeWithRow<Written>(
  cid: string,
  bytes: Buffer,
  write: () => Promise<Written>,
): Promise<Written> {
  const storage = storageOf(env.STORAGE);
  const wasStored = (await storage.get(cid)) !== null;
  await storage.put(cid, bytes);
  try {
    const written = await write();
    // The clean-up of unused pictures may have deleted the bytes before the row was written.
    if ((await storage.get(cid)) === null) await storage.put(cid, bytes);
    return written;
  } catch (error) {
    // Bytes without a row can be those of a newer database, which are kept for its return.
    if (!wasStored)
      await deleteUnlessKnown(env.STORAGE, cid).catch((error) =>
        log.warn("the bytes of a picture without a row stay in the storage", { cid, ...errorFields(error) }),
      );
    throw error;
  }
}

const writeRow = (
  transaction: Transaction,
  cid: string,
  { bytes: { length: bytes }, widthPx, heightPx }: RenderedImage,
) =>
  transaction
    .insert(storedImages)
    .values({ cid, contentType: "image/webp", bytes, widthPx, heightPx, storage: env.STORAGE })
    .onConflictDoUpdate({ target: storedImages.cid, set: { storage: env.STORAGE } });

/** MIN_FREE_DISK applies only to the local disk. */
const hasRoom = async () => env.STORAGE !== "disk" || (await hasFreeDisk());

/**
 * Writes a picture's row and its use. Returns a refusal if another upload used up the quota meanwhile; the row then has
 * no use, so `deleteIfUnused` deletes it with its bytes.
 */
async function recordUse(cid: string, picture: RenderedImage, use: PictureUse): Promise<Refusal | null> {
  return withTransaction(async (transaction) => {
    await lockUploads(transaction, use.userId);
    await lockPicture(transaction, cid);
    await writeRow(transaction, cid, picture);
    const refusal = await findQuotaRefusal(transaction, use.userId, { cid, bytes: picture.bytes.length });
    if (refusal) return refusal;
    // A repeated upload restarts the day within which the profile has to use the picture.
    await transaction
      .insert(imageUses)
      .values({ cid, ...use })
      .onConflictDoUpdate({
        target: [imageUses.cid, imageUses.userId, imageUses.kind],
        set: { createdAt: sql`now()` },
      });
    return null;
  });
}

/** The CID in the URL of a stored picture, on this site or on the public storage; null for all other URLs. */
export function findStoredCid(url: string, origin: string): string | null {
  if (!URL.canParse(url, origin)) return null;
  const { href, pathname } = new URL(url, origin);
  const cid = parseCid(pathname.split("/").at(-1) ?? "");
  if (cid === null) return null;
  const path = storedImagePath(cid);
  const isStored = href === new URL(path, origin).href || href === publicPictureUrl(path, origin);
  return isStored ? cid : null;
}

/** The absolute URL of a stored picture: on the public storage if there is one, otherwise on this site. */
export function publicPictureUrl(path: string, origin: string): string {
  const cid = parseCid(path.replace(/^\/ipfs\//, ""));
  return (cid && storageOf(env.STORAGE).publicUrl(cid)) ?? new URL(path, origin).href;
}

type ProfilePicture = {
  kind: "avatar" | "banner";
  /** Null if the profile has none, or one that is not stored here. */
  cid: string | null;
};

/**
 * Records which stored pictures a profile uses, in place of its earlier ones of these kinds. If one of them is not stored
 * here, its kind is returned and nothing changes. The profile's row must be locked, or two changes at once could record
 * one picture and save the other.
 */
export async function replacePictureUses(
  transaction: Transaction,
  userId: string,
  pictures: readonly ProfilePicture[],
): Promise<ProfilePicture["kind"] | null> {
  const uses = pictures.flatMap(({ kind, cid }) => (cid === null ? [] : { cid, userId, kind }));
  const cids = uses.map(({ cid }) => cid);
  // Without the lock, `deleteIfUnused` could delete a picture before its use is stored.
  const stored = await transaction
    .select({ cid: storedImages.cid })
    .from(storedImages)
    .where(inArray(storedImages.cid, cids))
    .for("key share");
  const missing = uses.find((use) => stored.every(({ cid }) => cid !== use.cid));
  if (missing) return missing.kind;
  const kinds = pictures.map(({ kind }) => kind);
  await transaction
    .delete(imageUses)
    .where(and(eq(imageUses.userId, userId), inArray(imageUses.kind, kinds)));
  if (uses.length > 0) await transaction.insert(imageUses).values(uses);
  return null;
}

/** Finds the bytes of a CID and verifies their hash, so that a damaged file is not served. */
export async function findStoredPicture(text: string): Promise<{ cid: string; bytes: Buffer } | null> {
  const cid = parseCid(text);
  if (!cid) return null;
  for (const kind of listStorages()) {
    const bytes = await storageOf(kind).get(cid);
    if (bytes && cidOf(bytes) === cid) return { cid, bytes };
    if (bytes) log.error("the bytes of a stored picture do not match its CID", { cid });
  }
  return null;
}

/** True if no storage has bytes under this CID, not even damaged ones. */
export async function isPictureLost(cid: string): Promise<boolean> {
  for (const kind of listStorages()) if ((await storageOf(kind).get(cid)) !== null) return false;
  return true;
}

/**
 * Keeps a newly stored picture as long as the title exists. Like every upload, it counts towards the operator's quota
 * until `deleteUnusedPictures` forgets the upload after a day.
 */
export const keepPictureOfTitle = (cid: string, malId: number, on: Pick<Transaction, "insert"> = db) =>
  on.insert(titlePictures).values({ cid, malId }).onConflictDoNothing();

/** Compares the bytes with the hash in the CID. */
export const isPictureOf = (cid: string, bytes: Buffer) => cidOf(bytes) === cid;

/** Stores bytes from a backup. Returns false if they do not match their CID. */
export async function restorePictureBytes(cid: string, bytes: Buffer): Promise<boolean> {
  if (!isPictureOf(cid, bytes)) return false;
  await storageOf(env.STORAGE).put(cid, bytes);
  return true;
}
