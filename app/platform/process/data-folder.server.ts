import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kibibytes } from "../units.ts";
import { explainFileError } from "./cannot-start.server.ts";

/** Creates the data folder if it is missing. Throws a CannotStart if the folder cannot hold files. */
export function createDataFolder(path: string, what = "DATA_DIR"): void {
  try {
    createFolder(path);
    accessSync(path, constants.W_OK);
    // Root passes the check above on every file system. /proc and others still refuse new files, and a full one their bytes.
    const checked = mkdtempSync(join(path, ".check-"));
    try {
      writeFileSync(join(checked, "file"), Buffer.alloc(kibibytes(16)), { flush: true });
    } finally {
      rmSync(checked, { recursive: true, force: true });
    }
  } catch (error) {
    throw explainFileError(error, what, path);
  }
}

/** Node's own `recursive` never returns for a path below /proc, because mkdir says ENOENT although the parent exists. */
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
