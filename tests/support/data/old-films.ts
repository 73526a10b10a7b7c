import { mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes and moves files in a folder of films. */

/** Writes a file that is an hour old, because a scan skips a film that changed a moment ago. */
export function writeOldFilm(folder: string, path: string, content: string | Buffer = `the film ${path}`) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const at = Date.now() / 1000 - 3600;
  utimesSync(file, at, at);
}

export function moveFilm(folder: string, from: string, to: string) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
}
