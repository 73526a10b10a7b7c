import { type FileHandle, lstat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import {
  type FilmFile,
  findFilmFile,
  orderFilm,
  type ReadFilm,
  saveStandIn,
} from "#app/domain/films/films.server.ts";
import { planStandIn, type StandInPlan, standInArguments } from "#app/media/converting/stand-in-arguments.ts";
import type { Inspection, KeyFrame } from "#app/media/film/inspection.ts";
import { isRemuxed, type RemuxedContainer } from "#app/media/film/other-containers.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { findFfmpeg } from "#app/platform/process/ffmpeg.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes, minutes, seconds } from "#app/platform/units.ts";
import { isOfOneClient } from "#db/database-turns.server.ts";
import type { StandInLack } from "../offers/closed-containers.ts";
import { filmCache } from "./film-cache.server.ts";
import { type LaneKind, type LaneWork, lanes, leaveLane, startNext } from "./lanes.server.ts";
import { describeFilm, MakingFailed, makeFile, openFilmFile } from "./stand-in-maker.server.ts";

/**
 * The stand-ins of films whose container only ffmpeg reads. ffmpeg puts such a film once into a Matroska file in the film
 * cache, which is then played like every other film. A stand-in is made when somebody wants to watch, and again after
 * the cache has evicted it.
 */

/** Why this site makes no stand-ins; null if it makes them. */
export const standInsLack: StandInLack | null =
  findFfmpeg() === null ? "ffmpeg" : memoryPlan.soundConverters === 0 ? "memory" : null;

type StandIn = { file: FilmFile; keyFrames: readonly KeyFrame[] };

/** The stand-in is not made yet. */
export class NotPrepared extends Error {
  override name = "NotPrepared";
  /** How many others are ahead in the queue; null: it is being made. */
  readonly before: number | null;
  /** The share of the film that is done; null if it is not known. */
  readonly share: number | null;
  constructor(before: number | null, share: number | null) {
    super("the film is not prepared yet");
    this.before = before;
    this.share = share;
  }
}

type Reason = "failed" | "too large" | "cache in use" | "disk full" | "no converter" | "too many";
/** The stand-in cannot be made. */
export class CannotPrepare extends Error {
  override name = "CannotPrepare";
  readonly reason: Reason;
  /** "too large": the size of the film cache that it needs. "disk full": the free disk that it needs; 0: not known. */
  readonly neededBytes: number;
  /** The size of the film cache. */
  readonly cacheBytes: number;
  constructor(reason: Reason, { neededBytes = 0, cacheBytes = 0 } = {}) {
    super(`a film cannot be prepared: ${reason}`);
    this.reason = reason;
    this.neededBytes = neededBytes;
    this.cacheBytes = cacheBytes;
  }
}

/** The container of the film's file, if a stand-in is played instead. Null: the file itself is read. */
export const remuxedContainerOf = ({ inspection }: Pick<ReadFilm, "inspection">): RemuxedContainer | null =>
  inspection.standsInFor ?? (isRemuxed(inspection.container) ? inspection.container : null);

/** Raise this when the code makes another stand-in of the same film. */
const standInFormat = 2;
const keyOf = ({ id, size, modifiedMs }: ReadFilm) => `stand-in ${standInFormat} ${id} ${size} ${modifiedMs}`;

/**
 * Opens the stand-in of a film. If there is none, begins to make it and throws NotPrepared. Throws CannotPrepare if it
 * cannot be made.
 */
export async function openStandIn(film: ReadFilm, client: string): Promise<StandIn> {
  const container = remuxedContainerOf(film);
  if (container === null) throw new Error("the film is read itself");
  const key = keyOf(film);
  const path = await filmCache.findFile(key);
  if (path === null) throw stateOf(findJob(key) ?? begin({ key, film, container, client }));
  const { inspection, ...standIn } = await readStandIn(path);
  if (film.inspection.standsInFor === null) await saving(key, undefined, () => saveStandIn(film, inspection));
  return standIn;
}

const saving = createSharedWork<void>(() => false, isOfOneClient);

type ReadStandIn = StandIn & { inspection: Inspection };
const contents = new LRUCache<string, ReadStandIn>({ max: 50 });

async function readStandIn(path: string): Promise<ReadStandIn> {
  const { dev, ino, size, mtimeMs } = await lstat(path);
  const file: FilmFile = { file: path, id: `${dev}:${ino}`, size, modifiedMs: Math.trunc(mtimeMs) };
  const version = `${file.id} ${size} ${mtimeMs}`;
  const known = contents.get(version);
  // The file gets another name once it is complete.
  if (known) return { ...known, file };
  const order = { kind: "inspect" as const, file: path, id: file.id };
  const { answer, bytes } = await orderFilm(order, { client: "inspection" });
  const isPlayable = answer.kind === "inspected" && answer.hasIndex && answer.inspection.video.length > 0;
  if (!isPlayable) throw new CannotPrepare("failed");
  const read = { file, inspection: answer.inspection, keyFrames: unpackKeyFrames(bytes) };
  contents.set(version, read);
  return read;
}

type Task = { key: string; film: ReadFilm; container: RemuxedContainer; client: string };
type Job = LaneWork &
  Task & {
    lane: LaneKind;
    isRunning: boolean;
    share: number | null;
    /** When somebody last asked for the film. */
    askedAt: number;
    stopping: AbortController;
    /** Null until ffmpeg has described the film. */
    found: { plan: StandInPlan; durationSeconds: number | null } | null;
  };

const jobs = new Map<string, Job>();
gauge("film_stand_ins", "Films that are put into a Matroska file, or wait for it", () => jobs.size);

/** Films that cannot be prepared. They are tried again after a while. */
const failures = new LRUCache<string, CannotPrepare>({ max: 1000 });
/** Reasons that lie in what else the site does, and not in the film. */
const passingReasons: readonly Reason[] = ["cache in use", "disk full", "too many"];
const failureKeptForMs = (reason: Reason) => (passingReasons.includes(reason) ? seconds(15) : minutes(10));

function findJob(key: string): Job | undefined {
  const failure = failures.get(key);
  if (failure) throw failure;
  const job = jobs.get(key);
  if (job) job.askedAt = performance.now();
  return job;
}

const stateOf = (job: Job) =>
  new NotPrepared(job.isRunning ? null : lanes[job.lane].standIns.queue.placeOf(job.client, job), job.share);

function begin(task: Task): Job {
  if (standInsLack !== null) throw new CannotPrepare("no converter");
  const job: Job = {
    ...task,
    lane: "sound",
    isRunning: false,
    share: null,
    askedAt: performance.now(),
    stopping: new AbortController(),
    found: null,
    start: () => void work(job),
  };
  jobs.set(job.key, job);
  try {
    enterLane(job, "sound");
  } catch (error) {
    jobs.delete(job.key);
    throw error;
  }
  return job;
}

function enterLane(job: Job, lane: LaneKind) {
  if (lanes[lane].max === 0) throw new CannotPrepare("no converter");
  if (!lanes[lane].standIns.queue.add(job.client, job)) throw new CannotPrepare("too many");
  Object.assign(job, { lane, isRunning: false });
  startNext(lane);
}

/** One turn in the job's lane. */
async function work(job: Job) {
  job.isRunning = true;
  try {
    const isDone = await withFilm(job, async (film) => {
      job.found ??= await makePlan(job, film);
      if (job.found.plan.isPictureConverted && job.lane === "sound") return false;
      await make(job, film, job.found);
      return true;
    });
    if (isDone) return end(job);
    // Only the other lane has the memory to encode a picture.
    leaveLane(job.lane, job);
    enterLane(job, "picture");
  } catch (error) {
    fail(job, error);
  }
}

async function withFilm<Result>({ film }: Job, use: (film: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await findFilmFile(film.path);
  if (!file) throw new MakingFailed("the film is missing");
  const handle = await openFilmFile({ ...file, size: film.size, modifiedMs: film.modifiedMs });
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

const limitsOf = ({ lane, stopping: { signal } }: Job) => ({
  memoryMb: lane === "picture" ? memoryPlan.pictureConverter : memoryPlan.soundConverter,
  signal,
});

async function makePlan(job: Job, film: FileHandle) {
  const described = await describeFilm(film, job.container, limitsOf(job));
  const plan = planStandIn(job.container, described);
  if (!plan) throw new MakingFailed("ffmpeg finds no picture in it");
  return { plan, durationSeconds: described.durationSeconds };
}

async function make(job: Job, film: FileHandle, { plan, durationSeconds }: NonNullable<Job["found"]>) {
  const maxBytes = mostBytesOf(job.film, plan);
  const cacheBytes = await filmCache.maxBytes();
  if (maxBytes > maxShare * cacheBytes)
    throw new CannotPrepare("too large", { neededBytes: maxBytes / maxShare, cacheBytes });
  const file = await filmCache.create(job.key, maxBytes);
  if (file === "in use") throw new CannotPrepare("cache in use");
  if (file === "disk") throw new CannotPrepare("disk full", { neededBytes: maxBytes });
  try {
    const { hasSmallConverter } = memoryPlan;
    await makeFile(film, {
      ...limitsOf(job),
      args: standInArguments(job.container, plan, {
        isSmall: hasSmallConverter || job.lane === "sound",
        maxBytes,
        extra: env.FFMPEG_ARGS,
      }),
      made: file.handle,
      maxBytes,
      onProgress({ seconds: done, bytes }) {
        const share = durationSeconds ? done / durationSeconds : bytes / job.film.size;
        job.share = Math.max(job.share ?? 0, Math.min(0.99, share));
      },
    });
    // A file of which nothing can be played would take the place of others in the cache.
    await readStandIn(file.path);
    if (!(await file.keep())) throw new CannotPrepare("disk full");
  } finally {
    await file.discard();
  }
}

/** A stand-in may take this share of the film cache, so that conversions of its tracks fit beside it. */
const maxShare = 0.8;

/** Matroska takes a little more than some containers. A converted picture can become larger than the film's. */
const mostBytesOf = (
  { size }: Pick<ReadFilm, "size">,
  { isPictureConverted }: Pick<StandInPlan, "isPictureConverted">,
) => Math.ceil((isPictureConverted ? 2 : 1.05) * size + mebibytes(32));

/** The size of the film cache that the film's stand-in needs at least. */
export const cacheBytesFor = (film: Pick<ReadFilm, "size">): number =>
  mostBytesOf(film, { isPictureConverted: false }) / maxShare;

function end(job: Job) {
  jobs.delete(job.key);
  leaveLane(job.lane, job);
}

function fail(job: Job, error: unknown) {
  end(job);
  if (job.stopping.signal.aborted) return;
  log.warn("a film could not be put into a Matroska file", {
    film: job.film.id,
    ...(error instanceof MakingFailed ? { failure: error.message } : errorFields(error)),
  });
  const isOfDisk = error instanceof MakingFailed && error.isOfDisk;
  const failure =
    error instanceof CannotPrepare ? error : new CannotPrepare(isOfDisk ? "disk full" : "failed");
  failures.set(job.key, failure, { ttl: failureKeptForMs(failure.reason) });
}

/** A page that waits asks every few seconds, in a hidden tab every minute. */
const maxIdleMs = minutes(2);

setInterval(() => {
  for (const job of jobs.values()) {
    const idleMs = performance.now() - job.askedAt;
    if (idleMs <= maxIdleMs) continue;
    if (job.isRunning) job.stopping.abort();
    else end(job);
  }
}, seconds(2)).unref();
