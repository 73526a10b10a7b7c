import { readFile, stat } from "node:fs/promises";
import { seconds } from "../../units.ts";

const checkEveryMs = seconds(3);

/**
 * Parses a system file, and parses it again after it changes. Only the first call waits for the disk, because a folder
 * that does not answer must not block look-ups. A missing file counts as empty.
 */
export function createWatchedFile<Parsed>(path: string, parse: (text: string) => Parsed) {
  let parsed = parse("");
  let version = "";
  let checkedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let isRead = false;

  async function check() {
    checkedAt = performance.now();
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const currentVersion = `${mtimeMs} ${size} ${ino}`;
      if (currentVersion === version) return;
      parsed = parse(await readFile(path, "utf8"));
      version = currentVersion;
    } catch {
      parsed = parse("");
      version = "";
    } finally {
      isRead = true;
      reading = undefined;
    }
  }

  return async (): Promise<Parsed> => {
    if (performance.now() - checkedAt >= checkEveryMs) reading ??= check();
    if (!isRead) await reading;
    return parsed;
  };
}
