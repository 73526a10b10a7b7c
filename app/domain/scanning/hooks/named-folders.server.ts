import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  type FilmRoot,
  folderOf,
  joinRoot,
  listFilmRoots,
  requestScan,
  SilentFolder,
} from "#app/domain/films/films.server.ts";
import { wakeScanner } from "../scan/scan-schedule.server.ts";
import type { NamedFiles } from "./hook-payloads.ts";

/**
 * Other programs often run in containers, where the media folder has another path. Only the end of a reported path is
 * used: the longest tail that exists in a root.
 */

/** `isExact`: every file was found at its path with the reported size. */
type ChangedFolders = { folders: string[]; isExact: boolean };

const maxFolders = 50;
const maxTried = 200;

export async function hearOfFiles({ files, folders }: NamedFiles): Promise<Outcome<ChangedFolders>> {
  const roots = await listFilmRoots();
  if (roots.length === 0) return refuse("not_found", "There is no media folder");
  try {
    const changed = await findFolders(roots, { files, folders });
    const all = changed.folders.length > maxFolders ? [""] : changed.folders;
    // A message whose paths match nothing still means that something changed, so everything is scanned.
    const wanted = all.length === 0 ? [""] : all;
    for (const folder of wanted) await requestScan({ folder, reason: "hook" });
    wakeScanner();
    return done({ folders: wanted, isExact: changed.isExact });
  } catch (error) {
    if (error instanceof SilentFolder)
      return refuse("overloaded", "The media folder does not answer. Try again in a minute.");
    throw error;
  }
}

async function findFolders(
  roots: readonly FilmRoot[],
  { files, folders }: NamedFiles,
): Promise<ChangedFolders> {
  const wanted = new Set<string>();
  let isExact = files.length > 0;
  const findFolder = (names: readonly string[]) => findTail(roots, names, (entry) => entry.isDirectory());
  for (const { path, size } of files.slice(0, maxTried)) {
    const names = namesIn(path);
    const file = await findTail(
      roots,
      names,
      (entry) => entry.isFile() && (size === null || entry.size === size),
    );
    if (file === null) isExact = false;
    // The path can be a folder, or a file that no longer exists.
    const folder =
      file === null ? ((await findFolder(names)) ?? (await findFolder(names.slice(0, -1)))) : folderOf(file);
    if (folder !== null) wanted.add(folder);
  }
  if (!isExact)
    for (const path of folders.slice(0, maxTried)) {
      const folder = await findFolder(namesIn(path));
      if (folder !== null) wanted.add(folder);
    }
  return { folders: [...wanted], isExact: isExact && files.length <= maxTried };
}

const namesIn = (path: string) => path.split(/[\\/]/).filter((name) => name !== "");

type Entry = Awaited<ReturnType<typeof lstat>>;

/**
 * The longest tail of a path that exists in a root and passes `fits`. Tails with hidden names or `..` are skipped.
 */
async function findTail(
  roots: readonly FilmRoot[],
  names: readonly string[],
  fits: (entry: Entry) => boolean,
): Promise<string | null> {
  for (let index = Math.max(0, names.length - 12); index < names.length; index++) {
    const tail = names.slice(index);
    if (tail.some((name) => name.startsWith("."))) continue;
    for (const { number, folder, read } of roots) {
      const entry = await read(() => lstat(join(folder, ...tail)).catch(() => null));
      if (entry !== null && fits(entry)) return joinRoot(number, tail.join("/"));
    }
  }
  return null;
}
