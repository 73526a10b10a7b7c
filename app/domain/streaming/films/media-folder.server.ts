import { createReadStream } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "#app/platform/byte-range.ts";
import {
  extensionOf,
  pictureTypes,
  playableTypes,
  playlistTypes,
  unknownType,
} from "#app/platform/media-types.ts";
import { env } from "#app/platform/process/env.server.ts";
import { kibibytes } from "#app/platform/units.ts";
import { isHiddenFilm } from "./hidden-films.server.ts";

/**
 * Serves the operator's films from MEDIA_DIR. The folder is only read, and no path can leave it: a symbolic link is
 * followed only if its target is inside the folder.
 */

export type MediaFile = {
  size: number;
  type: string;
  tag: string;
  modified: string;
  /** Opens the file; the stream must be read or destroyed. */
  read(range: ByteRange | null): Readable;
};

const types = new Map([...playableTypes, ...playlistTypes, ...pictureTypes]);

/** `path` is the part after `/media/`, still percent-encoded. Returns null if there is no such film, or it is hidden from everybody. */
export async function findMediaFile(path: string, folder = env.MEDIA_DIR): Promise<MediaFile | null> {
  const names = decodeNames(path);
  if (folder === undefined || !names) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, ...names));
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep) || isHidden(relative(root, file)))
      return null;
    return (await isHiddenFilm(file, root)) ? null : await describe(file);
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
    read: (range) =>
      size === 0
        ? Readable.from([])
        : createReadStream(file, { start: 0, end: size - 1, ...range, highWaterMark: kibibytes(256) }),
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
    if (name === "" || name.startsWith(".") || /[/\\\0]/.test(name)) return null;
    names.push(name);
  }
  return names;
}
