import { close, createReadStream, existsSync, fstat, open as openFile, read as readBytes } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { ByteRange } from "#app/platform/byte-range.ts";
import { errorCodeOf } from "#app/platform/error-code.ts";
import {
  extensionOf,
  pictureTypes,
  playableTypes,
  playlistTypes,
  unknownType,
} from "#app/platform/media-types.ts";
import { decodePercent } from "#app/platform/percent-decoding.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { kibibytes, seconds } from "#app/platform/units.ts";
import { SilentFolder } from "./answering-folder.server.ts";
import { isDemonstrationFilm } from "./film-address.ts";
import { filmExtensions } from "./film-folder.server.ts";
import { folderOf } from "./folders.ts";
import { isHiddenFilm, listWithheld } from "./hidden-films.server.ts";
import { type FilmRoot, findRealPlace, isServedName, type RealPlace } from "./roots.server.ts";

/**
 * Opens the operator's films in the roots. The roots are only read, and no path can leave them: a symbolic link is
 * followed only if its target is in a root.
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
const soundNamesInFolder = new LRUCache<string, { mtimeMs: number; names: string[] }>({ max: 500 });

/** Extensions of the files beside a film that hold more of its sound. */
const soundExtensions: readonly string[] = ["mka", "m4a"];

const types = new Map([...playableTypes, ...playlistTypes, ...pictureTypes]);

/** A root that was chosen on the site serves only these kinds of files. */
const servedFromChosen: ReadonlySet<string> = new Set([
  ...filmExtensions,
  ...types.keys(),
  ...soundExtensions,
  ...["ttf", "otf", "ttc", "woff", "woff2"],
]);

export const silentFolderRefusal: Refusal = {
  ...refuse("overloaded", "The media folder does not answer. Try again in a minute."),
  waitMs: seconds(30),
};

/** `path` is the part after `/media/`, still percent-encoded. A film that is hidden from everybody is not found. */
export async function findMediaFile(path: string): Promise<Outcome<MediaFile>> {
  const decoded = decodeNames(path);
  return decoded === null ? noSuchFilmRefusal : openServedFile(decoded);
}

/** Opens a file that is sent to viewers. `path` is the path in the database. */
export const openServedFile = (path: string): Promise<Outcome<MediaFile>> => openPlace(path, isServedFrom);

const isServedFrom = ({ root, holder, path }: RealPlace): boolean =>
  root.isChosen || holder.isChosen ? servedFromChosen.has(extensionOf(path)) : true;

/**
 * Opens a file that a playlist names. Its real path must be below the real folder of the playlist, because a link out of
 * that folder can lead to the film of a title that the viewer may not see. Both paths are as the database has them.
 */
export const openPartOf = (playlist: string, path: string): Promise<Outcome<MediaFile>> =>
  answering(async () => {
    const folder = await findPlace(folderOf(playlist));
    if (folder === null) return null;
    return findServed(path, (place) => isServedFrom(place) && place.path.startsWith(folder.path + sep));
  });

/** Opens a file that only the site reads, such as notes beside films. `path` is the path in the database. */
export const openMediaFile = (path: string): Promise<Outcome<MediaFile>> => openPlace(path, () => true);

export const noSuchFilmRefusal = refuse("not_found", "No such film");

const openPlace = (path: string, mayOpen: (place: RealPlace) => boolean): Promise<Outcome<MediaFile>> =>
  answering(() => findServed(path, mayOpen));

const findServed = (path: string, mayOpen: (place: RealPlace) => boolean): Promise<MediaFile | null> =>
  findFile(path, async (place) => (mayOpen(place) ? describe(place) : null));

async function answering(find: () => Promise<MediaFile | null>): Promise<Outcome<MediaFile>> {
  try {
    const file = await find();
    return file ? done(file) : noSuchFilmRefusal;
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
  const place = await findPlace(path);
  if (!place) return false;
  const { files, folders } = await listWithheld(viewer);
  return files.has(place.path) || (withFolders && folders.some((folder) => place.path.startsWith(folder)));
}

/** `id` identifies the file on its disk, even if the path later leads to another file. */
export type FilmFile = { file: string; id: string; size: number; modifiedMs: number };

/** The folder of static files that come with the site and are served at `/`. */
const ownFolder = ["build/client", "public"].map(ownFilePath).find(existsSync);

/** Finds a film's file and its version. `path` is the path in the database. Null if the file is missing or hidden. */
export async function findFilmFile(path: string): Promise<FilmFile | null> {
  if (!isDemonstrationFilm(path)) return findFile(path, ({ path: file }) => describeFilm(file));
  const names = path.split("/").slice(1);
  if (ownFolder === undefined || !names.every(isServedName)) return null;
  return realpath(join(ownFolder, ...names))
    .then(describeFilm)
    .catch(orNull);
}

async function describeFilm(file: string): Promise<FilmFile | null> {
  const entry = await lstat(file);
  const { size, mtimeMs } = entry;
  return entry.isFile() ? { file, id: fileId(entry), size, modifiedMs: Math.trunc(mtimeMs) } : null;
}

const fileId = ({ dev, ino }: { dev: number; ino: number }) => `${dev}:${ino}`;

/** The names of the sound files in a film's folder, sorted. */
export async function listSoundNamesBeside(path: string): Promise<string[]> {
  const place = await findPlace(folderOf(path));
  if (place === null) return [];
  const { path: folder, holder } = place;
  try {
    const { mtimeMs } = await holder.read(() => stat(folder));
    const known = soundNamesInFolder.get(folder);
    if (known?.mtimeMs === mtimeMs) return known.names;
    const names = (await holder.read(() => readdir(folder)))
      .filter((name) => isServedName(name) && soundExtensions.includes(extensionOf(name)))
      .sort();
    // A folder that has just changed is not cached: a second change in the same clock tick would go unnoticed.
    if (Date.now() - mtimeMs > seconds(2)) soundNamesInFolder.set(folder, { mtimeMs, names });
    return names;
  } catch (error) {
    return orNull(error) ?? [];
  }
}

async function findFile<Found>(
  path: string,
  describeFile: (place: RealPlace) => Promise<Found | null>,
): Promise<Found | null> {
  const place = await findPlace(path);
  // Outside the watched reads, because the database may be slow while the disk is not.
  if (!place || (await isHiddenFilm(place.path))) return null;
  return place.holder.read(() => describeFile(place)).catch(orNull);
}

const findPlace = (path: string): Promise<RealPlace | null> => findRealPlace(path).catch(orNull);

async function describe({ path: file, holder }: RealPlace): Promise<MediaFile | null> {
  // Check the kind before opening: opening a named pipe blocks until somebody opens its other end.
  const entry = await lstat(file);
  if (!entry.isFile()) return null;
  const handle = await open(file, "r");
  await handle.close();
  const { size, mtime, mtimeMs } = entry;
  const fs = onlySameFile(fileId(entry), holder);
  return {
    size,
    type: types.get(extensionOf(file)) ?? unknownType,
    tag: `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`,
    modified: mtime.toUTCString(),
    // Stop at `size`: a file that is still being copied grows beyond the Content-Length already sent.
    read: (range, pieceBytes = kibibytes(64)) =>
      size === 0
        ? Readable.from([])
        : createReadStream(file, { start: 0, end: size - 1, ...range, highWaterMark: pieceBytes, fs }),
  };
}

/** Thrown when a path leads to another file than the one that was checked. */
class ReplacedFile extends Error {
  override name = "ReplacedFile";
  code = "ENOENT";
}

/**
 * Opens a file only if it is the one that was checked. Since then a folder in its path may have become a link out of
 * the roots.
 */
function onlySameFile(id: string, { readPiece }: FilmRoot) {
  const inTurn = <Found extends unknown[]>(
    callback: (...found: Found) => void,
    begin: (end: (...found: Found) => void) => void,
  ) =>
    void readPiece(
      () =>
        new Promise<void>((ended) =>
          begin((...found) => {
            ended();
            callback(...found);
          }),
        ),
    );
  return {
    close,
    read(
      descriptor: number,
      bytes: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, count: number, bytes: Buffer) => void,
    ) {
      inTurn(callback, (end) => readBytes(descriptor, bytes, offset, length, position, end));
    },
    open(path: string, flags: string, mode: number, callback: (error: Error | null, fd?: number) => void) {
      inTurn(callback, (end) =>
        openFile(path, flags, mode, (error, descriptor) => {
          if (error) return end(error);
          fstat(descriptor, (failure, entry) => {
            if (!failure && fileId(entry) === id) return end(null, descriptor);
            close(descriptor, () => end(failure ?? new ReplacedFile("another file took its place")));
          });
        }),
      );
    },
  };
}

const missingFileCodes = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM", "EINVAL"]);

/** For a file that cannot be found or read. Everything else is an error. */
function orNull(error: unknown): null {
  if (missingFileCodes.has(errorCodeOf(error))) return null;
  throw error;
}

/**
 * Decodes each name of the path once. Returns null if a name is hidden, or after decoding is `..` or holds a slash:
 * such a path could leave the folder, or lead to another root.
 */
function decodeNames(path: string): string | null {
  const names: string[] = [];
  for (const encoded of path.split("/")) {
    const name = decodePercent(encoded);
    if (name === null || !isServedName(name)) return null;
    names.push(name);
  }
  return names.join("/");
}
