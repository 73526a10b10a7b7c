import { setTimeout as sleep } from "node:timers/promises";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { withoutEmptyStart } from "#app/media/film/edition.ts";
import { type Inspection, inspectionFormat, type KeyFrame, type Span } from "#app/media/film/inspection.ts";
import { isRemuxed } from "#app/media/film/other-containers.ts";
import type { FilmAnswer } from "#app/media/film-work/film-job.ts";
import { maxKeyFrames, widened } from "#app/media/matroska/clusters.ts";
import { packKeyFrames, unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import type { Transaction } from "#db/client.server.ts";
import { isDemonstrationFilm } from "../folder/film-address.ts";
import { ChildError, canReadFilms, orderFilm } from "../folder/film-workers.server.ts";
import { folderOf } from "../folder/folders.ts";
import { type FilmFile, findFilmFile } from "../folder/media-folder.server.ts";
import { type Film, findFilm, saveIndex, saveInspection } from "../records/film-records.server.ts";
import { requestScan } from "../scan-requests/scan-runs.server.ts";
import { type FoundSound, findSoundsBeside, isSameSound, readSounds } from "./sounds-beside.server.ts";

/** Inspects a film once, and again when its file has changed. */

export type ReadFilm = Film & { size: number; modifiedMs: number; inspection: Inspection };

const reading = createSharedWork<ReadFilm | null>();
/** Films whose inspection crashed or took too long. Without this, every view would wait for another try. */
const failed = createSparseLru<string, true>({ max: 10_000 });
const retryAfterCrashMs = minutes(10);
/** The disk may only have been waking up. */
const retrySlowAfterMs = minutes(1);
/** All inspections queue as one client, so that they do not delay viewers. */
const background = { client: "inspection" };

/**
 * A browser gives a film without an index a wrong length, so the viewer of such a film waits this long for its index. The
 * index of a long film is made in the background meanwhile.
 */
const maxIndexWaitMs = seconds(3);

/** Null if the file is missing, hidden, or cannot be read. A film without an index gets one if a viewer waits for it. */
export async function readFilm(film: Film, { isAwaited = true } = {}): Promise<ReadFilm | null> {
  if (!canReadFilms) return null;
  const file = await findFilmFile(film.path);
  if (!file) {
    // Only a scan can tell whether just the film is gone, or its whole folder.
    if (!isDemonstrationFilm(film.path)) await requestScan({ folder: folderOf(film.path), reason: "events" });
    return null;
  }
  const sounds = await findSoundsBeside(film.path);
  const key = [film.id, versionKey(file), ...sounds.map(versionKey)].join(" ");
  const read = isOf(film, file, sounds)
    ? film
    : failed.has(key)
      ? null
      : await reading(key, undefined, () => inspect(key, film, file, sounds));
  if (!isAwaited || read?.inspection.obstacle !== "no-index") return read;
  await Promise.race([makeIndex(read, file), sleep(maxIndexWaitMs, undefined, { ref: false })]);
  const indexed = await findFilm(read.id);
  return indexed && isOf(indexed, file, sounds) ? indexed : read;
}

const versionKey = ({ size, modifiedMs }: Pick<FilmFile, "size" | "modifiedMs">) => `${size} ${modifiedMs}`;

export const isReadFilm = (film: Film): film is ReadFilm =>
  film.size !== null && film.modifiedMs !== null && film.inspection?.format === inspectionFormat;

const isOf = (film: Film, { size, modifiedMs }: FilmFile, sounds: readonly FoundSound[]): film is ReadFilm =>
  film.size === size &&
  film.modifiedMs === modifiedMs &&
  isReadFilm(film) &&
  isSameSound(film.inspection, sounds);

async function inspect(
  key: string,
  film: Film,
  file: FilmFile,
  sounds: readonly FoundSound[],
): Promise<ReadFilm | null> {
  try {
    const { answer, bytes } = await orderFilm({ kind: "inspect", file: file.file, id: file.id }, background);
    if (answer.kind !== "inspected") return refusedFilm(film, answer);
    const { hasIndex, size, modifiedMs, fingerprint } = answer;
    const read = await readSounds(answer.inspection, sounds);
    const keyFrames = hasIndex ? bytes : null;
    const inspection = withoutEmptyStart(read, keyFrames ? unpackKeyFrames(keyFrames) : []);
    const save = (on?: Transaction) =>
      saveInspection(film.id, { inspection, keyFrames, size, modifiedMs, fingerprint }, on);
    // Raises the catalog's version, because cached public answers name parts of the old file.
    await (film.inspection ? changeCatalog([], save) : save());
    return { ...film, inspection, size, modifiedMs };
  } catch (error) {
    const failure = error instanceof ChildError ? error.failure : null;
    if (failure === "crashed") failed.set(key, true, { ttl: retryAfterCrashMs });
    if (failure === "too_slow") failed.set(key, true, { ttl: retrySlowAfterMs });
    log.warn("a film could not be read", { film: film.id, ...errorFields(error) });
    return null;
  }
}

function refusedFilm(film: Film, answer: FilmAnswer) {
  if (answer.kind === "refused")
    log.warn("a film could not be read", { film: film.id, why: answer.why, message: answer.message });
  return null;
}

/**
 * Stores what ffmpeg found in a film that only it can read: `held` are the contents of the film's stand-in. The film's
 * sound files are added to them.
 */
export async function saveStandIn(film: ReadFilm, held: Inspection): Promise<void> {
  const { container } = film.inspection;
  if (!isRemuxed(container)) return;
  const sounds = await findSoundsBeside(film.path);
  const inspection = { ...(await readSounds(held, sounds)), standsInFor: container };
  await saveIndex(film, { inspection, keyFrames: null });
}

const indexing = createSharedWork<void>();

/**
 * Reads through a film without an index in the background. Until the index is ready, the film is offered unpackaged.
 */
function makeIndex(film: ReadFilm, file: FilmFile): Promise<void> {
  return indexing(`${film.id} ${versionKey(file)}`, undefined, () => indexFilm(film, file)).catch((error) =>
    log.warn("a film without an index could not be indexed", { film: film.id, ...errorFields(error) }),
  );
}

async function indexFilm(film: ReadFilm, file: FilmFile): Promise<void> {
  const keyFrames: KeyFrame[] = [];
  const spans = new Map<number, Span>();
  let at: number | null = null;
  let hasOpenGroups = false;
  do {
    const { answer, bytes } = await orderFilm({ kind: "index", ...file, at }, background);
    if (answer.kind !== "indexed") return;
    // One by one: as many arguments as a long film has key frames do not fit on the stack.
    for (const frame of unpackKeyFrames(bytes)) keyFrames.push(frame);
    for (const [track, span] of answer.spans) spans.set(track, widened(spans.get(track), span));
    hasOpenGroups ||= answer.hasOpenGroups;
    at = answer.next;
  } while (at !== null && keyFrames.length < maxKeyFrames);
  if (keyFrames.length === 0) return;
  // A truncated film's header gives a wrong length.
  const durationSeconds = Math.max(...[...spans.values()].map(({ last }) => last));
  const audio = film.inspection.audio.flatMap((track) => {
    const span = track.beside ? track.span : spans.get(track.number);
    return span ? { ...track, span } : [];
  });
  const video = film.inspection.video.map((track, index) =>
    index === 0 ? { ...track, hasOpenGroups } : track,
  );
  const inspection = withoutEmptyStart(
    { ...film.inspection, obstacle: null, durationSeconds, video, audio },
    keyFrames,
  );
  await saveIndex(film, { inspection, keyFrames: packKeyFrames(keyFrames) });
}
