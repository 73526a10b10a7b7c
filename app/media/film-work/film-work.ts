import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import type { Inspection } from "../film/inspection.ts";
import { findOtherContainer } from "../film/other-containers.ts";
import { indexKeyFrames } from "../matroska/clusters.ts";
import { windowHead } from "../matroska/film-window.ts";
import { inspectMatroska, openForIndex, withSoundBefore } from "../matroska/inspect-matroska.ts";
import { openMatroska } from "../matroska/matroska-file.ts";
import { hasOpenGroups } from "../matroska/open-groups.ts";
import { type LinesCursor, readSubtitleLines } from "../matroska/subtitle-lines.ts";
import { inspectMp4, unknownFilm } from "../mp4/inspect-mp4.ts";
import { readMp4Lines } from "../mp4/mp4-lines.ts";
import { pieceHead } from "../mp4/piece-head.ts";
import { cutInit, cutPiece, cutSegment } from "../segments/cut-segment.ts";
import { isMatroska } from "../segments/film-track.ts";
import { packKeyFrames } from "../segments/key-frames.ts";
import { packLines } from "../subtitles/block-lines.ts";
import type { FilmAnswer, FilmOrder, FilmVersion } from "./film-job.ts";

/** The work of a child process on a film. It reads synchronously, because it has one job at a time and can be killed. */

type WorkResult = { answer: FilmAnswer; parts: readonly Uint8Array[] };

type Allocate = (length: number) => Buffer;
/** The longest work on one part of an index or of subtitles, so that segments of other films need not wait for all of it. */
const maxIndexMs = seconds(1);

/** `allocateForCut` provides the memory into which the parts of a cut are read. */
export async function workOnFilm(order: FilmOrder, allocateForCut?: Allocate): Promise<WorkResult> {
  try {
    if (order.kind === "probe") {
      statSync(order.file);
      return { answer: { kind: "probed" }, parts: [] };
    }
    if (order.kind === "inspect")
      return await withFile(order, (film, readVersion) => inspect(film, readVersion()));
    const allocate = isCut(order) ? allocateForCut : undefined;
    return await withFilmFile(order, (film) => perform(order, film), allocate);
  } catch (error) {
    return { answer: refusalOf(error), parts: [] };
  }
}

/** Orders that may read into the memory of `allocateForCut`. Other orders read much more, or keep the bytes. */
const isCut = ({ kind }: FilmOrder) => kind === "segment" || kind === "piece";

/** Works on this version of a film only: checks the version before and after the work. */
export const withFilmFile = <Result>(
  version: FilmVersion,
  work: (film: FilmBytes) => Promise<Result>,
  allocate?: Allocate,
) =>
  withFile(
    version,
    async (film, readVersion) => {
      requireVersion(version, readVersion());
      const result = await work(film);
      requireVersion(version, readVersion());
      return result;
    },
    allocate,
  );

type Version = Pick<FilmVersion, "size" | "modifiedMs">;

async function withFile<Result>(
  { file, id }: Pick<FilmVersion, "file" | "id">,
  work: (film: FilmBytes, readVersion: () => Version) => Promise<Result>,
  allocate?: Allocate,
): Promise<Result> {
  const descriptor = openSync(file, "r");
  const readVersion = () => {
    const { size, mtimeMs } = fstatSync(descriptor);
    return { size, modifiedMs: Math.trunc(mtimeMs) };
  };
  try {
    const { dev, ino } = fstatSync(descriptor);
    // A folder of the path may have become a link out of the folder of films.
    if (id !== undefined && id !== `${dev}:${ino}`)
      throw new ChangedFilm("another file took the film's place");
    const film = readerOf(descriptor, readVersion().size, allocate);
    const result = await work(film, readVersion);
    // Throws if a read has failed, because a reader of packets takes a failed read for the end of the film.
    film.requireWhole();
    return result;
  } finally {
    closeSync(descriptor);
  }
}

/** Larger than any picture, and than the index of any film. A hostile film states gigabytes. */
const maxReadBytes = mebibytes(128);

function readerOf(
  descriptor: number,
  size: number,
  allocate: Allocate = Buffer.alloc,
): FilmBytes & { requireWhole(): void } {
  let failure: Error | null = null;
  return {
    size,
    read(at, length) {
      const readable = Math.max(0, Math.min(length, size - at));
      if (readable > maxReadBytes) throw new DamagedFilm("a part of the film is too large");
      const bytes = allocate(readable);
      if (bytes.length === 0) return bytes;
      try {
        return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, at));
      } catch (error) {
        failure ??= error as Error;
        throw error;
      }
    },
    requireWhole() {
      if (failure) throw failure;
    },
  };
}

class ChangedFilm extends Error {}

async function perform(
  order: Exclude<FilmOrder, { kind: "probe" | "inspect" }>,
  film: FilmBytes,
): Promise<WorkResult> {
  switch (order.kind) {
    case "index":
      return index(film, order.at);
    case "lines":
      return lines(film, order);
    case "head":
      return { answer: { kind: "cut" }, parts: [windowHead(film, order.track, { hasOthers: true })] };
    case "init":
      return { answer: { kind: "cut" }, parts: [await cutInit(film, order)] };
    case "piece-head":
      return { answer: { kind: "cut" }, parts: [pieceHead(film, order.track)] };
    case "piece":
      return { answer: { kind: "cut" }, parts: await cutPiece(film, order) };
    case "segment":
      return { answer: { kind: "cut" }, parts: await cutSegment(film, order) };
  }
}

function requireVersion({ size, modifiedMs }: FilmVersion, now: Version) {
  if (size !== now.size || modifiedMs !== now.modifiedMs) throw new ChangedFilm("the film has changed");
}

async function inspect(film: FilmBytes, { size, modifiedMs }: Version): Promise<WorkResult> {
  const { inspection, keyFrames } = await inspectAny(film);
  return {
    answer: {
      kind: "inspected",
      inspection,
      hasIndex: keyFrames !== null,
      size,
      modifiedMs,
      fingerprint: fingerprintOf(film),
    },
    parts: [packKeyFrames(keyFrames ?? [])],
  };
}

/**
 * A damaged film counts as one of an unknown format, because some player may still play it. It is not read again until
 * it changes.
 */
async function inspectAny(film: FilmBytes) {
  try {
    const matroska = inspectMatroska(film);
    if (matroska) return isEmptyMatroska(film, matroska.inspection) ? unknownFilm : matroska;
    const container = findOtherContainer(film);
    if (container === null) return await inspectMp4(film);
    const { inspection } = container === "mpegts" ? await inspectMp4(film) : unknownFilm;
    return { inspection: { ...inspection, container }, keyFrames: null };
  } catch (error) {
    if (!(error instanceof DamagedFilm)) throw error;
    return unknownFilm;
  }
}

/** A film that was cut off within its head. The parts of an edition can all be in other files. */
const isEmptyMatroska = (film: FilmBytes, { video, audio, edition }: Inspection) =>
  video.length + audio.length === 0 || (edition === null && openMatroska(film)?.firstCluster == null);

function fingerprintOf(film: FilmBytes): string {
  const end = Math.max(0, film.size - kibibytes(64));
  const digest = createHash("sha256")
    .update(film.read(0, kibibytes(64)))
    .update(film.read(end, kibibytes(64)));
  return `${film.size}-${digest.digest("hex").slice(0, 32)}`;
}

/**
 * The time counts from the first question on. Each part opens the film again, and if a large index took all of the
 * time, each part would hold a single line.
 */
function endsAfter(ms: number): () => boolean {
  let endsAt: number | null = null;
  return () => {
    const now = performance.now();
    endsAt ??= now + ms;
    return now > endsAt;
  };
}

function index(film: FilmBytes, at: number | null): WorkResult {
  const { firstCluster, track, timestampScale, canHaveOpenGroups } = openForIndex(film);
  const part = indexKeyFrames(film, at ?? firstCluster, { track, timestampScale }, endsAfter(maxIndexMs));
  const isOpen = canHaveOpenGroups && hasOpenGroups(film, { number: track, timestampScale }, part.keyFrames);
  return {
    answer: { kind: "indexed", next: part.next, spans: part.spans, hasOpenGroups: isOpen },
    parts: [packKeyFrames(at === null ? withSoundBefore(part.keyFrames, firstCluster) : part.keyFrames)],
  };
}

function lines(film: FilmBytes, order: { track: number; from: LinesCursor | null }): WorkResult {
  const readLines = isMatroska(film) ? readSubtitleLines : readMp4Lines;
  const { lines: read, ...part } = readLines(film, order, endsAfter(maxIndexMs));
  return { answer: { kind: "lines", ...part }, parts: [packLines(read)] };
}

function refusalOf(error: unknown): FilmAnswer {
  if (error instanceof ChangedFilm) return { kind: "refused", why: "changed", message: error.message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isMissing = ["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code);
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "refused", why: isMissing ? "missing" : "damaged", message: message.slice(0, 300) };
}
