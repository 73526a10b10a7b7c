import { refuse, ThrownRefusal } from "#app/domain/errors.ts";
import { soundInit } from "#app/media/mp4/init-segment.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import { type Converter, startConverter } from "./converter.server.ts";
import type { ConversionSource } from "./converter-input.server.ts";
import { filmCache } from "./film-cache.server.ts";
import { areRunsAwaited, type LaneKind, type LaneWork, lanes, leaveLane, startNext } from "./lanes.server.ts";

/**
 * Converts tracks ahead of their viewers. A run begins at the segment that a viewer requests and ends 30 seconds after
 * the last request for one of its segments. Viewers at the same place share a run; runs for different places and films
 * take turns. Segments go into a cache on disk, which evicts the least recently used ones.
 */

export type Conversion = {
  /** Names the film, its version, the track and how it is converted. */
  key: string;
  source: ConversionSource;
  /** Whether the file is still the version that is being converted. */
  isSame(): Promise<boolean>;
};
type Requester = { client: string; signal: AbortSignal };

/** The segment is not converted yet. `before`: how many runs are ahead in the queue; null: it is being converted. */
const notYet = (before: number | null) =>
  new ThrownRefusal({
    ...refuse(
      "overloaded",
      before === null
        ? "This part of the film is being converted. Try again shortly."
        : `This part of the film waits until others are converted. Its place in the queue is ${before + 1}.`,
    ),
    waitMs: seconds(4),
  });
const conversionFailed = () =>
  new ThrownRefusal(refuse("upstream_failed", "This part of the film cannot be converted"));

type Part = number | "init";
const partKey = ({ key }: Conversion, part: Part) => `${key} ${part}`;

type Waiter = { resolve(bytes: Buffer): void; reject(error: Error): void };
type Run = LaneWork & {
  conversion: Conversion;
  /** Null: the run waits for its turn. */
  converter: Converter | null;
  segmentsInTurn: number;
  /** A viewer has requested a segment, and has not left while waiting for one. */
  isWatched: boolean;
  /** The segment that is being made. */
  next: number;
  /** The segment nearest to the end of the film that a viewer has requested. */
  furthestRequested: number;
  requestedAt: number;
  /** Whether the init segment is made. */
  hasInit: boolean;
  waiters: Map<Part, Waiter[]>;
  /** Parts that are made and are being written to the cache. */
  beingStored: Set<Part>;
  /** The latest parts that the cache could not store. */
  unstored: Map<Part, Buffer>;
};

/**
 * Segments that a picture's converter makes ahead of its viewer before it pauses. A request further ahead does not keep
 * the run going.
 */
const maxAhead = 8;
/** Parts that a run keeps in memory while the cache cannot store them. */
const maxUnstored = 4;
/** A request for one of the next two segments waits for the running converter instead of starting another run. */
const maxSegmentsToWait = 2;
/** Segments of one turn while other work is queued: `wanted` if viewers wait for a segment, otherwise `unwanted`. */
const turn = { wanted: 4, unwanted: 2 };
const maxIdleMs = seconds(30);
const checkIntervalMs = seconds(2);
/** Players give up after 15 seconds without an answer. */
const maxWaitMs = { running: seconds(12), queued: seconds(4) };

const runs = new Set<Run>();
export const countConversions = () => runs.size;
gauge("film_conversions", "Tracks of films that are being converted", countConversions);

/** Returns a segment of a converted track, or its init segment. Throws a refusal if it is not made yet. */
export async function readConverted(
  conversion: Conversion,
  part: Part,
  requester: Requester,
): Promise<Buffer> {
  const { track } = conversion.source;
  if (part === "init" && track.kind === "sound") return soundInit(track.channels);
  if (part !== "init")
    for (const run of runs) if (run.conversion.key === conversion.key) noteRequest(run, part);
  const stored = await filmCache.get(partKey(conversion, part));
  if (stored) return stored.bytes;
  // A viewer who left during the read must not take a turn. The signal is not sent again.
  if (requester.signal.aborted) throw notYet(null);
  const run = findRun(conversion, part) ?? queueRun(conversion, part === "init" ? 0 : part, requester.client);
  if (part !== "init") noteRequest(run, part);
  return run.unstored.get(part) ?? waitFor(run, part, requester.signal);
}

/** Records that a viewer is at this part, which keeps the run going. */
function noteRequest(run: Run, part: number) {
  if (part > run.next + maxAhead || part < run.next - 2 * maxAhead) return;
  run.requestedAt = performance.now();
  run.furthestRequested = Math.max(run.furthestRequested, part);
  if (run.next <= run.furthestRequested + maxAhead) run.converter?.resume();
}

const findRun = ({ key }: Conversion, part: Part) =>
  [...runs].find((run) => run.conversion.key === key && makesSoon(run, part));

const makesSoon = ({ next, beingStored, unstored, hasInit }: Run, part: Part): boolean =>
  beingStored.has(part) ||
  unstored.has(part) ||
  (part === "init" ? !hasInit : next <= part && part <= next + maxSegmentsToWait);

function queueRun(conversion: Conversion, first: number, client: string): Run {
  const { kind } = conversion.source.track;
  const run: Run = {
    conversion,
    client,
    converter: null,
    segmentsInTurn: 0,
    isWatched: false,
    hasInit: false,
    next: first,
    furthestRequested: first,
    requestedAt: performance.now(),
    waiters: new Map(),
    beingStored: new Set(),
    unstored: new Map(),
    start() {
      run.segmentsInTurn = 0;
      convert(run);
    },
  };
  if (!lanes[kind].runs.queue.add(client, run))
    throw new ThrownRefusal(
      refuse("overloaded", "Too many films are waiting to be converted. Try again later."),
    );
  runs.add(run);
  takeTurns(kind);
  return run;
}

/**
 * Ends turns that have lasted long enough while other work is queued. A turn makes segments before it ends, unless its
 * viewer has left. Otherwise two runs could keep stopping each other and neither would make anything.
 */
function takeTurns(kind: LaneKind) {
  const { running } = lanes[kind].runs;
  startNext(kind);
  for (const run of [...runs])
    if (areRunsAwaited(kind) && running.has(run) && hasHadTurn(run)) yieldTurn(run);
}

const hasHadTurn = ({ waiters, segmentsInTurn, isWatched }: Run) =>
  waiters.size === 0 ? !isWatched || segmentsInTurn >= turn.unwanted : segmentsInTurn >= turn.wanted;

/** Stops the converter. The run returns to the end of the queue if viewers wait for its segments; otherwise it ends. */
function yieldTurn(run: Run) {
  const { kind } = run.conversion.source.track;
  const { queue, running } = lanes[kind].runs;
  if (run.waiters.size === 0) return endRun(run, notYet(null));
  running.delete(run);
  const { converter } = run;
  run.converter = null;
  converter?.stop();
  // Before the run returns to the queue, or it could take its own converter again.
  startNext(kind);
  if (!queue.add(run.client, run)) return endRun(run, notYet(null));
  startNext(kind);
}

function convert(run: Run) {
  const { segments } = run.conversion.source.track;
  const converter = startConverter(run.conversion.source, run.next, {
    onInit(bytes) {
      run.hasInit = true;
      void store(run, "init", bytes);
    },
    onSegment(sequence, bytes) {
      void store(run, sequence, bytes);
      run.next = sequence + 1;
      run.segmentsInTurn++;
      if (run.next > run.furthestRequested + aheadOf(run)) run.converter?.pause();
      const next = segments[run.next];
      if (isMade(run) || (!next && segments[sequence]?.piece)) endRun(run, notYet(null));
      else if (next?.piece?.isFirst && run.converter === converter) {
        // The next piece of the edition is elsewhere in the file.
        convert(run);
        converter.stop();
      }
    },
    onEnd() {
      if (run.converter === converter) endRun(run, conversionFailed());
    },
  });
  run.converter = converter;
}

/**
 * How many segments the converter may make ahead: one while the cache cannot store them. Sound is small and converts
 * quickly, so it is converted to the end, and the converter is then free for another film.
 */
function aheadOf({ unstored, conversion }: Run): number {
  if (unstored.size > 0) return 1;
  return conversion.source.track.kind === "sound" ? Number.POSITIVE_INFINITY : maxAhead;
}

/** The next two segments are in the cache already, and nobody waits for the first of them. */
const isMade = ({ conversion, next, waiters }: Run) =>
  !waiters.has(next) &&
  filmCache.has(partKey(conversion, next)) &&
  filmCache.has(partKey(conversion, next + 1));

/** Viewers get only whole segments, and only if the file is still the version that the address names. */
async function store(run: Run, part: Part, bytes: Buffer) {
  const { conversion, waiters, beingStored, unstored } = run;
  beingStored.add(part);
  const isSame = await conversion.isSame().catch(() => false);
  const isStored = isSame && (await filmCache.set(partKey(conversion, part), { made: true }, bytes));
  if (isSame && !isStored) unstored.set(part, bytes);
  for (const old of [...unstored.keys()].slice(0, Math.max(0, unstored.size - maxUnstored)))
    unstored.delete(old);
  beingStored.delete(part);
  for (const { resolve, reject } of waiters.get(part) ?? [])
    if (isSame) resolve(bytes);
    else reject(conversionFailed());
  takeTurns(conversion.source.track.kind);
}

function endRun(run: Run, error: Error) {
  if (!runs.delete(run)) return;
  run.converter?.stop();
  for (const [part, waiters] of run.waiters)
    if (!run.beingStored.has(part)) for (const { reject } of waiters) reject(error);
  leaveLane(run.conversion.source.track.kind, run);
}

function waitFor(run: Run, part: Part, signal: AbortSignal): Promise<Buffer> {
  const { kind } = run.conversion.source.track;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => waiter.reject(notYet(run.converter ? null : lanes[kind].runs.queue.placeOf(run.client, run))),
      run.converter ? maxWaitMs.running : maxWaitMs.queued,
    );
    const leave = () => {
      waiter.reject(notYet(null));
      if (run.waiters.size > 0) return;
      // The last viewer has left, so the run gives up its turn or its place in the queue.
      run.isWatched = false;
      if (run.converter) takeTurns(kind);
      else endRun(run, notYet(null));
    };
    const settledWith =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        const others = (run.waiters.get(part) ?? []).filter((one) => one !== waiter);
        if (others.length > 0) run.waiters.set(part, others);
        else run.waiters.delete(part);
        settle(value);
      };
    const waiter: Waiter = { resolve: settledWith(resolve), reject: settledWith(reject) };
    run.isWatched ||= part !== "init";
    run.waiters.set(part, [...(run.waiters.get(part) ?? []), waiter]);
    signal.addEventListener("abort", leave, { once: true });
  });
}

setInterval(() => {
  for (const run of runs) if (performance.now() - run.requestedAt > maxIdleMs) endRun(run, notYet(null));
}, checkIntervalMs).unref();
