import { type FileHandle, open } from "node:fs/promises";
import { and, eq, isNull, sql } from "drizzle-orm";
import {
  canReadFilms,
  type Film,
  filmColumns,
  findFilmFile,
  folderOf,
  readFilm,
  readKeyFrames,
  readRoot,
  requestScan,
  SilentFolder,
} from "#app/domain/films/films.server.ts";
import { ids } from "#app/media/matroska/element-ids.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { extensionOf, filmFormats } from "#app/platform/media-types.ts";
import { seconds } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { films } from "#db/schema/films.ts";
import { isFresh } from "./judge-groups.server.ts";
import { renewFilms } from "./known-films.server.ts";

/** Watches newly arrived films until their size stays the same and they can be read to the end. */

const minUnchangedMs = seconds(3);
const filmsPerRound = 100;
/**
 * A film that cannot be read to the end is checked again when it changes, or after this pause, which doubles with each
 * attempt.
 */
const firstPauseMs = seconds(20);
const unfinished = createSparseLru<string, { tries: number; pausesUntil: number }>({ max: 10_000 });

function pause(key: string) {
  const tries = (unfinished.get(key)?.tries ?? 0) + 1;
  unfinished.set(key, { tries, pausesUntil: performance.now() + firstPauseMs * 2 ** (tries - 1) });
}

const isPausing = (key: string) => (unfinished.get(key)?.pausesUntil ?? 0) > performance.now();

type WaitingFilm = {
  film: Film;
  seenSize: number | null;
  seenModifiedMs: number | null;
  linkTarget: string | null;
  unchangedMs: number;
};

/** Requests scans of the folders whose films are now complete. Returns how many films are still waiting. */
export async function settleWaitingFilms(): Promise<number> {
  const waiting: WaitingFilm[] = await db
    .select({
      film: filmColumns,
      seenSize: films.seenSize,
      seenModifiedMs: films.seenModifiedMs,
      linkTarget: films.linkTarget,
      unchangedMs: sql<number>`extract(epoch from now() - ${films.seenAt})::float8 * 1000`,
    })
    .from(films)
    .where(and(eq(films.state, "waiting"), isNull(films.goneAt)))
    .orderBy(films.seenAt)
    .limit(filmsPerRound);
  const folders = new Set<string>();
  let count = waiting.length;
  for (const one of waiting)
    try {
      if (!(await isSettled(one))) continue;
      await db
        .update(films)
        .set({ state: "whole" })
        .where(and(eq(films.id, one.film.id), eq(films.state, "waiting")));
      folders.add(folderOf(one.film.path));
      count--;
    } catch (error) {
      if (error instanceof SilentFolder) return count;
      log.warn("a film that came could not be looked at", { film: one.film.id, ...errorFields(error) });
      pause(keyOf(one));
    }
  for (const folder of folders) await requestScan({ folder, reason: "events" });
  return count;
}

const keyOf = ({ film, seenSize, seenModifiedMs }: WaitingFilm) => `${film.id} ${seenSize} ${seenModifiedMs}`;

async function isSettled(waiting: WaitingFilm): Promise<boolean> {
  const { film, seenSize, seenModifiedMs, linkTarget, unchangedMs } = waiting;
  const file = await findFilmFile(film.path);
  if (!file) {
    // A scan finds out whether the film or the whole folder is gone.
    if (!isPausing(keyOf(waiting))) {
      await requestScan({ folder: folderOf(film.path), reason: "events" });
      pause(keyOf(waiting));
    }
    return false;
  }
  const { size, modifiedMs } = file;
  if (size !== seenSize || modifiedMs !== seenModifiedMs) {
    await renewFilms([{ path: film.path, type: "file", size, modifiedMs, linkTarget }]);
    return false;
  }
  // A share's clock can differ from ours, so a time in the future is ignored.
  const unwrittenMs = modifiedMs <= Date.now() ? Date.now() - modifiedMs : 0;
  if (Math.max(unchangedMs, unwrittenMs) < minUnchangedMs) return false;
  // The file has not been written to for a while. If it is incomplete, it stays so.
  if (!isFresh(modifiedMs)) return true;
  if (isPausing(keyOf(waiting))) return false;
  if (await isWholeFilm(film)) return true;
  pause(keyOf(waiting));
  return false;
}

/** Films of other formats count as complete once their size stays the same. */
const canBeChecked = (path: string) => filmFormats.get(extensionOf(path))?.hasKnownEnd === true;

/** True if the film can be read, up to its last key frame. */
async function isWholeFilm(film: Film): Promise<boolean> {
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
