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

/**
 * The operator's own films: a folder that is only ever read, and that no path leaves. Links are followed as long
 * as they end inside it.
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

/** `path` is what follows `/media/`, still percent-encoded. Null: no such film. */
export async function findMediaFile(path: string, folder = env.MEDIA_DIR): Promise<MediaFile | null> {
  const names = namesIn(path);
  if (folder === undefined || !names) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, ...names));
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep) || isHidden(relative(root, file)))
      return null;
    return await describe(file);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

async function describe(file: string): Promise<MediaFile | null> {
  // Looked at before it is opened: opening a named pipe would wait for its other end.
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
    // A file that is being copied here grows beyond what was announced.
    read: (range) =>
      size === 0
        ? Readable.from([])
        : createReadStream(file, { start: 0, end: size - 1, ...range, highWaterMark: kibibytes(256) }),
  };
}

const absences = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM", "EINVAL"]);
const isAbsence = (error: unknown) =>
  error instanceof Error && "code" in error && absences.has(String(error.code));

const isHidden = (path: string) => path.split(sep).some((name) => name.startsWith("."));

/** Decoded once, name by name; a name that would mean another folder, or is hidden, is no name. */
function namesIn(path: string): string[] | null {
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
