import { type FileHandle, open } from "node:fs/promises";
import type { Film } from "#app/domain/films/films.server.ts";
import {
  canReadFilms,
  findFilmFile,
  readFilm,
  readKeyFrames,
  readWatched,
} from "#app/domain/films/films.server.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { extensionOf } from "#app/platform/media-types.ts";

/** Checks whether a newly arrived film is complete: it can be read, up to its last key frame. */

const clusterId = 0x1f43b675;

/** Formats that can be checked. Other files count as complete once their size stays the same. */
const readable = new Set(["mkv", "webm", "mp4", "m4v", "mov"]);

export async function isWholeFilm(film: Film): Promise<boolean> {
  if (!canReadFilms || !readable.has(extensionOf(film.path))) return true;
  const read = await readFilm(film, { isAwaited: false });
  if (!read || read.inspection.obstacle === "no-index" || read.inspection.container === "other") return false;
  const file = await findFilmFile(film.path);
  if (!file || file.size !== read.size) return false;
  const opened = await readWatched(() => open(file.file, "r"));
  try {
    return read.inspection.container === "mp4"
      ? await readWatched(() => hasAllBoxes(opened, file.size))
      : await hasLastCluster(opened, film.id);
  } finally {
    await opened.close();
  }
}

async function hasLastCluster(file: FileHandle, id: string): Promise<boolean> {
  const last = unpackKeyFrames((await readKeyFrames(id)) ?? Buffer.alloc(0)).at(-1);
  if (!last) return false;
  const { buffer, bytesRead } = await readWatched(() => file.read(Buffer.alloc(4), 0, 4, last.at));
  return bytesRead === 4 && buffer.readUInt32BE(0) === clusterId;
}

const maxBoxes = 10_000;

/** ISO/IEC 14496-12, section 4.2: each box states its size. A truncated file ends within a box. */
async function hasAllBoxes(file: FileHandle, size: number): Promise<boolean> {
  let at = 0;
  for (let count = 0; at < size; count++) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at);
    if (bytesRead < 8 || count > maxBoxes) return false;
    const short = buffer.readUInt32BE(0);
    if (short === 0) return true;
    const length = short === 1 && bytesRead === 16 ? Number(buffer.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    at += length;
  }
  return at === size;
}
