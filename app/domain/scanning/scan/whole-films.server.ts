import { type FileHandle, open } from "node:fs/promises";
import {
  canReadFilms,
  type Film,
  findFilmFile,
  readFilm,
  readKeyFrames,
  readRoot,
} from "#app/domain/films/films.server.ts";
import { ids } from "#app/media/matroska/element-ids.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { extensionOf, filmFormats } from "#app/platform/media-types.ts";

/** Checks whether a newly arrived film is complete: it can be read, up to its last key frame. */

/** Films of other formats count as complete once their size stays the same. */
const canBeChecked = (path: string) => filmFormats.get(extensionOf(path))?.hasKnownEnd === true;

export async function isWholeFilm(film: Film): Promise<boolean> {
  if (!canReadFilms || !canBeChecked(film.path)) return true;
  const inspected = await readFilm(film, { isAwaited: false });
  if (!inspected) return false;
  const { obstacle, container } = inspected.inspection;
  if (obstacle === "no-index" || container === "other") return false;
  const file = await findFilmFile(film.path);
  if (!file || file.size !== inspected.size) return false;
  const read = <Result>(start: () => Promise<Result>) => readRoot(film.path, start);
  const opened = await read(() => open(file.file, "r"));
  try {
    if (container === "mp4") return await read(() => hasAllBoxes(opened, file.size));
    const last = unpackKeyFrames((await readKeyFrames(film.id)) ?? Buffer.alloc(0)).at(-1);
    return last !== undefined && (await read(() => hasCluster(opened, last.at)));
  } finally {
    await opened.close();
  }
}

async function hasCluster(file: FileHandle, at: number): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, at);
  return bytesRead === 4 && buffer.readUInt32BE(0) === ids.cluster;
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
