import { findFreeDiskBytes, minFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { sizeText } from "#app/platform/units.ts";

/** What an operator has to know before the disk is full; null while enough of it is free. */
export async function findDiskWarning(): Promise<string | null> {
  const free = await findFreeDiskBytes();
  if (free >= minFreeDiskBytes) return null;
  return `Only ${sizeText(free)} of the disk of DATA_DIR are free, less than ${sizeText(minFreeDiskBytes)} (MIN_FREE_DISK). The site stores no pictures and no cache files on it until more is free.`;
}
