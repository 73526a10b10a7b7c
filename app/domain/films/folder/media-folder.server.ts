import { createReadStream, existsSync } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { ByteRange } from "#app/platform/byte-range.ts";
import {
  extensionOf,
  pictureTypes,
  playableTypes,
  playlistTypes,
  unknownType,
} from "#app/platform/media-types.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { kibibytes, seconds } from "#app/platform/units.ts";
import { SilentFolder, watchFolder } from "./answering-folder.server.ts";
import { isOwnFilm } from "./film-address.ts";
import { orderFilm } from "./film-workers.server.ts";
import { isHiddenFilm, listWithheld } from "./hidden-films.server.ts";

/**
 * Serves the operator's films from MEDIA_DIR. The folder is only read, and no path can leave it: a symbolic link is
 * followed only if its target is inside the folder.
 */

export type MediaFile = {
  size: number;
  type: string;
  tag: string;
  modified: string;
  /** Opens the file; the stream must be read or destroyed. The stream holds one piece in memory at a time. */
  read(range: ByteRange | null, pieceBytes?: number): Readable;
};

/** Cache of the names of sound files in each folder, valid until the folder changes. */
const foldersRead = new LRUCache<string, { mtimeMs: number; names: string[] }>({ max: 500 });

const types = new Map([...playableTypes, ...playlistTypes, ...pictureTypes]);

const watched = watchFolder({
  probe: async () =>
    void (await orderFilm({ kind: "probe", file: env.MEDIA_DIR ?? "" }, { client: "probe" })),
});

/** Runs a read of MEDIA_DIR and gives up when the folder does not answer. */
export const readWatched = watched.read;

export const silentFolderRefusal: Refusal = {
  ...refuse("overloaded", "The folder of the films does not answer. Try again in a minute."),
  waitMs: seconds(30),
};

/** `path` is the part after `/media/`, still percent-encoded. A film that is hidden from everybody is not found. */
export const findMediaFile = (path: string): Promise<Outcome<MediaFile>> => openFile(decodeNames(path));

/** `path` is as the database has it: relative to MEDIA_DIR, with forward slashes. */
export function openMediaFile(path: string): Promise<Outcome<MediaFile>> {
  const names = path.split("/");
  return openFile(names.every(isServedName) ? names : null);
}

async function openFile(names: readonly string[] | null): Promise<Outcome<MediaFile>> {
  try {
    const found = names && (await findFile(names, env.MEDIA_DIR, describe));
    return found ? done(found) : refuse("not_found", "No such film");
  } catch (error) {
    if (error instanceof SilentFolder) return silentFolderRefusal;
    throw error;
  }
}

/**
 * Whether a file, judged by its real path, belongs to a title that the viewer may not see. `path` is as the database
 * has it. `withFolders`: files beside the playlist of such a title count too.
 */
export async function isWithheldFile(
  path: string,
  viewer: Viewer,
  { withFolders }: { withFolders: boolean },
): Promise<boolean> {
  const names = path.split("/");
  const found = names.every(isServedName) ? await findRealFile(names, env.MEDIA_DIR) : null;
  if (!found) return false;
  const { files, folders } = await listWithheld(found.root, viewer);
  return files.has(found.file) || (withFolders && folders.some((folder) => found.file.startsWith(folder)));
}

export type FilmFile = { file: string; size: number; modifiedMs: number };

/** The folder of static files that come with the site and are served at `/`. */
const ownFolder = ["build/client", "public"].map(ownFilePath).find(existsSync);

/** Finds a film's file and its version. `path` is as the database has it. Null: the file is missing or hidden. */
export async function findFilmFile(path: string): Promise<FilmFile | null> {
  const isOwn = isOwnFilm(path);
  const names = path.split("/").slice(isOwn ? 1 : 0);
  if (!names.every(isServedName)) return null;
  return findFile(names, isOwn ? ownFolder : env.MEDIA_DIR, async (file) => {
    const entry = await lstat(file);
    return entry.isFile() ? { file, size: entry.size, modifiedMs: Math.trunc(entry.mtimeMs) } : null;
  });
}

/** The names in a film's folder that `isWanted` accepts, sorted. */
export async function listNamesBeside(path: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = path.split("/").slice(0, -1);
  if (env.MEDIA_DIR === undefined || !names.every(isServedName)) return [];
  const folder = join(env.MEDIA_DIR, ...names);
  try {
    const { mtimeMs } = await watched.read(() => stat(folder));
    const known = foldersRead.get(folder);
    if (known?.mtimeMs === mtimeMs) return known.names;
    const found = (await watched.read(() => readdir(folder)))
      .filter((name) => isServedName(name) && isWanted(name))
      .sort();
    // A folder that has just changed is not cached: a second change in the same clock tick would go unnoticed.
    if (Date.now() - mtimeMs > seconds(2)) foldersRead.set(folder, { mtimeMs, names: found });
    return found;
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

async function findFile<Found>(
  names: readonly string[],
  folder: string | undefined,
  describeFile: (file: string) => Promise<Found | null>,
): Promise<Found | null> {
  const found = await findRealFile(names, folder);
  try {
    // Outside of the watched reads, because the database may be slow while the folder is not.
    if (!found || (await isHiddenFilm(found.file, found.root))) return null;
    return await watched.read(() => describeFile(found.file));
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

async function findRealFile(names: readonly string[], folder: string | undefined) {
  if (folder === undefined) return null;
  try {
    const root = await watched.read(() => realpath(folder));
    const file = await watched.read(() => realpath(join(root, ...names)));
    const isInside = file.startsWith(root.endsWith(sep) ? root : root + sep);
    return isInside && !isHidden(relative(root, file)) ? { file, root } : null;
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

async function describe(file: string): Promise<MediaFile | null> {
  // Check the kind before opening: opening a named pipe blocks until somebody opens its other end.
  const entry = await lstat(file);
  if (!entry.isFile()) return null;
  const handle = await open(file, "r");
  await handle.close();
  const { size, mtime, mtimeMs } = entry;
  return {
    size,
    type: types.get(extensionOf(file)) ?? unknownType,
    tag: `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`,
    modified: mtime.toUTCString(),
    // Stop at `size`: a file that is still being copied grows beyond the Content-Length already sent.
    read: (range, pieceBytes = kibibytes(64)) =>
      size === 0
        ? Readable.from([])
        : createReadStream(file, { start: 0, end: size - 1, ...range, highWaterMark: pieceBytes }),
  };
}

const missingFileCodes = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM", "EINVAL"]);
const isMissingFile = (error: unknown) =>
  error instanceof Error && "code" in error && missingFileCodes.has(String(error.code));

const isHidden = (path: string) => path.split(sep).some((name) => name.startsWith("."));

/**
 * Decodes each name of the path once. Returns null if a name is hidden, or after decoding is `..` or holds a slash:
 * such a path could leave the folder.
 */
function decodeNames(path: string): string[] | null {
  const names: string[] = [];
  for (const encoded of path.split("/")) {
    let name: string;
    try {
      name = decodeURIComponent(encoded);
    } catch {
      return null;
    }
    if (!isServedName(name)) return null;
    names.push(name);
  }
  return names;
}

const isServedName = (name: string) => name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
