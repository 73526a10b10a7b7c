import { statfs } from "node:fs/promises";
import { errorFields, log } from "../log.server.ts";
import { gauge } from "../metrics.server.ts";
import { mebibytes, seconds } from "../units.ts";
import { env } from "./env.server.ts";

/**
 * The free space of the disk that holds DATA_DIR. Below MIN_FREE_DISK the site stops optional writes, so that the
 * database can still write.
 */

/**
 * Querying the file system for each picture would occupy the thread pool. MIN_FREE_DISK is much more than one second's
 * writes.
 */
const validForMs = seconds(1);

let latest: { at: number; bytes: Promise<number> } | undefined;

/** Infinite if the system does not report it. Then only a failed write shows that the disk is full. */
export async function getFreeDiskBytes(): Promise<number> {
  const at = performance.now();
  if (!latest || at - latest.at > validForMs) latest = { at, bytes: askSystem() };
  return latest.bytes;
}

async function askSystem() {
  try {
    const { bavail, bsize } = await statfs(env.DATA_DIR);
    return bavail * bsize;
  } catch (error) {
    log.warnOnce("free-disk", "cannot read how much disk is free", errorFields(error));
    return Number.POSITIVE_INFINITY;
  }
}

export const minFreeDiskBytes = mebibytes(env.MIN_FREE_DISK);

/** Whether MIN_FREE_DISK is free. */
export async function hasFreeDisk(): Promise<boolean> {
  const isEnough = (await getFreeDiskBytes()) >= minFreeDiskBytes;
  if (!isEnough)
    log.warnOnce(
      "disk-floor",
      "less disk is free than MIN_FREE_DISK: pictures and cache files are not stored",
    );
  return isEnough;
}

gauge("disk_free_bytes", "Free bytes of the disk that holds DATA_DIR", getFreeDiskBytes);
gauge(
  "disk_free_min_bytes",
  "MIN_FREE_DISK: below it no pictures and cache files are stored",
  () => minFreeDiskBytes,
);
