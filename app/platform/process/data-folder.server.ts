import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorFields, log } from "../log.server.ts";
import { kibibytes } from "../units.ts";
import { explainFileError } from "./cannot-start.server.ts";

/** Creates the data folder if it is missing. Throws a CannotStart if the folder cannot hold files. */
export function createDataFolder(path: string): void {
  try {
    createFolder(path);
    accessSync(path, constants.W_OK);
    // Root passes the check above on every file system. But /proc and similar ones refuse new files, and a full disk
    // refuses their bytes.
    const checked = mkdtempSync(join(path, ".check-"));
    try {
      writeFileSync(join(checked, "file"), Buffer.alloc(kibibytes(16)), { flush: true });
    } finally {
      rmSync(checked, { recursive: true, force: true });
    }
  } catch (error) {
    throw explainFileError(error, "DATA_DIR", path);
  }
}

/** These folders contain members' data or parts of films, which other users of the machine must not read. */
const privateFolders = ["backups", "feeds", "film-cache", "image-cache", "images"];

/** Earlier versions made these folders readable by everybody. New folders are created with this mode. */
export function closePrivateFolders(dataDir: string): void {
  for (const name of privateFolders) {
    const path = join(dataDir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || (stats.mode & 0o077) === 0) continue;
    try {
      chmodSync(path, 0o700);
    } catch (error) {
      log.warn(
        `other users of this machine can read ${path}, and its mode cannot be changed`,
        errorFields(error),
      );
    }
  }
}

/** Node's `recursive` never returns for a path below /proc, because mkdir reports ENOENT although the parent exists. */
function createFolder(path: string) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
