import { soundInit } from "#app/media/mp4/init-segment.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import { type Converter, startConverter } from "./converter.server.ts";
import type { ConversionSource } from "./converter-input.server.ts";
import { filmCache } from "./film-cache.server.ts";
import { type LaneKind, type LaneWork, lanes, leaveLane, startNext } from "./lanes.server.ts";

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
export class NotYet extends Error {
  override name = "NotYet";
  readonly before: number | null;
  constructor(before: number | null) {
    super("the film is not converted yet");
    this.before = before;
  }
}
export class ConversionFailed extends Error {
  override name = "ConversionFailed";
}
export class TooManyConversions extends Error {
  override name = "TooManyConversions";
}

type Part = number | "init";
const partKey = ({ key }: Conversion, part: Part) => `${key} ${part}`;

type Waiter = { resolve(bytes: Buffer): void; reject(error: Error): void };
type Run = LaneWork & {
  conversion: Conversion;
  /** Null: the run waits for its turn. */
  converter: Converter | null;
  madeInTurn: number;
  /** A viewer has requested a segment, and has not left while waiting for one. */
  isWatched: boolean;
  /** The segment that is being made. */
  next: number;
  /** The segment nearest to the end of the film that a viewer has requested. */
  furthestRequested: number;
  askedAt: number;
  /** The init segment is made. */
  isDescribed: boolean;
  waits: Map<Part, Waiter[]>;
  /** Parts that are made and not yet written to the cache. */
  storing: Set<Part>;
  /** The latest parts that could not be written to the cache. */
  kept: Map<Part, Buffer>;
};

/**
 * Segments that a picture's converter makes ahead of its viewer before it pauses. A request further ahead does not keep
 * the run going.
 */
const maxAhead = 8;
/** Parts that a run keeps in memory while the cache cannot store them. */
const maxKept = 4;
/** A request for one of the next two segments waits for the running converter instead of starting another run. */
const maxJoin = 2;
/** Segments of one turn while other runs are queued: `wanted` if viewers wait for a segment, otherwise `unwanted`. */
const turn = { wanted: 4, unwanted: 2 };
const maxIdleMs = seconds(30);
const checkIntervalMs = seconds(2);
/** Players give up after 15 seconds without an answer. */
const maxWaitMs = { running: seconds(12), queued: seconds(4) };

const runs = new Set<Run>();
export const countConversions = () => runs.size;
gauge("film_conversions", "Tracks of films that are being converted", countConversions);

/** Returns a segment of a converted track, or its init segment. */
export async function readConverted(
  conversion: Conversion,
  part: Part,
  requester: Requester,
): Promise<Buffer> {
  const { track } = conversion.source;
  if (part === "init" && track.kind === "sound") return soundInit(track.channels);
  for (const run of runs)
    if (run.conversion.key === conversion.key && part !== "init") noteRequest(run, part);
  const stored = await filmCache.get(partKey(conversion, part));
  if (stored) return stored.bytes;
  const run = runFor(conversion, part) ?? begin(conversion, part === "init" ? 0 : part, requester.client);
  if (part !== "init") noteRequest(run, part);
  return run.kept.get(part) ?? waitFor(run, part, requester.signal);
}

/** Records that a viewer is at this part, which keeps the run going. */
function noteRequest(run: Run, part: number) {
  if (part > run.next + maxAhead || part < run.next - 2 * maxAhead) return;
  run.askedAt = performance.now();
  run.furthestRequested = Math.max(run.furthestRequested, part);
  if (run.next <= run.furthestRequested + maxAhead) run.converter?.resume();
}

const runFor = ({ key }: Conversion, part: Part) =>
  [...runs].find((run) => run.conversion.key === key && isComing(run, part));

const isComing = ({ next, storing, kept, isDescribed }: Run, part: Part): boolean =>
  storing.has(part) ||
  kept.has(part) ||
  (part === "init" ? !isDescribed : next <= part && part <= next + maxJoin);

function begin(conversion: Conversion, first: number, client: string): Run {
  const { kind } = conversion.source.track;
  const run: Run = {
    conversion,
    client,
    converter: null,
    madeInTurn: 0,
    isWatched: false,
    isDescribed: false,
    next: first,
    furthestRequested: first,
    askedAt: performance.now(),
    waits: new Map(),
    storing: new Set(),
    kept: new Map(),
    start() {
      run.madeInTurn = 0;
      start(run);
    },
  };
  if (!lanes[kind].queue.add(client, run)) throw new TooManyConversions();
  runs.add(run);
  takeTurns(kind);
  return run;
}

/**
 * Ends turns that have lasted long enough while other runs are queued. A turn makes segments before it ends, unless its
 * viewer has left. Otherwise two runs could keep stopping each other and neither would make anything.
 */
function takeTurns(kind: LaneKind) {
  const { queue, running } = lanes[kind];
  startNext(kind);
  for (const run of [...runs]) if (queue.size > 0 && running.has(run) && hasHadTurn(run)) yieldTurn(run);
}

const hasHadTurn = ({ waits, madeInTurn, isWatched }: Run) =>
  waits.size === 0 ? !isWatched || madeInTurn >= turn.unwanted : madeInTurn >= turn.wanted;

/** Stops the converter. The run returns to the end of the queue if viewers wait for its segments; otherwise it ends. */
function yieldTurn(run: Run) {
  const { kind } = run.conversion.source.track;
  if (run.waits.size === 0 || !lanes[kind].queue.add(run.client, run)) return finish(run, new NotYet(null));
  lanes[kind].running.delete(run);
  const { converter } = run;
  run.converter = null;
  converter?.stop();
  startNext(kind);
}

function start(run: Run) {
  const { segments } = run.conversion.source.track;
  const converter = startConverter(run.conversion.source, run.next, {
    onInit(bytes) {
      run.isDescribed = true;
      void store(run, "init", bytes);
    },
    onSegment(sequence, bytes) {
      void store(run, sequence, bytes);
      run.next = sequence + 1;
      run.madeInTurn++;
      if (run.next > run.furthestRequested + aheadOf(run)) run.converter?.pause();
      const next = segments[run.next];
      if (isMade(run) || (!next && segments[sequence]?.piece)) finish(run, new NotYet(null));
      else if (next?.piece?.isFirst && run.converter === converter) {
        // The next piece of the edition is elsewhere in the file.
        start(run);
        converter.stop();
      }
    },
    onEnd() {
      if (run.converter === converter)
        finish(run, new ConversionFailed("the film cannot be converted from here on"));
    },
  });
  run.converter = converter;
}

/**
 * How many segments the converter may make ahead: one while the cache cannot store them. Sound is small and quickly
 * done, so it is converted to the end, and then makes room for another film.
 */
function aheadOf({ kept, conversion }: Run): number {
  if (kept.size > 0) return 1;
  return conversion.source.track.kind === "sound" ? Number.POSITIVE_INFINITY : maxAhead;
}

/** The next two segments are in the cache already, and nobody waits for the first of them. */
const isMade = ({ conversion, next, waits }: Run) =>
  !waits.has(next) &&
  filmCache.has(partKey(conversion, next)) &&
  filmCache.has(partKey(conversion, next + 1));

/** Viewers get only whole segments, and only if the file is still the version that the address names. */
async function store(run: Run, part: Part, bytes: Buffer) {
  const { conversion, waits, storing, kept } = run;
  storing.add(part);
  const isSame = await conversion.isSame().catch(() => false);
  const isStored = isSame && (await filmCache.set(partKey(conversion, part), { made: true }, bytes));
  if (isSame && !isStored) kept.set(part, bytes);
  for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept))) kept.delete(old);
  storing.delete(part);
  for (const { resolve, reject } of waits.get(part) ?? [])
    if (isSame) resolve(bytes);
    else reject(new ConversionFailed("the film has changed"));
  takeTurns(conversion.source.track.kind);
}

function finish(run: Run, error: Error) {
  if (!runs.delete(run)) return;
  run.converter?.stop();
  for (const [part, waits] of run.waits)
    if (!run.storing.has(part)) for (const { reject } of waits) reject(error);
  leaveLane(run.conversion.source.track.kind, run);
}

/** The last viewer has left, so the run gives up its turn or its place in the queue. */
function giveUpTurn(run: Run) {
  run.isWatched = false;
  if (run.converter) takeTurns(run.conversion.source.track.kind);
  else finish(run, new NotYet(null));
}

function waitFor(run: Run, part: Part, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { kind } = run.conversion.source.track;
    const notYet = () => new NotYet(run.converter ? null : lanes[kind].queue.placeOf(run.client, run));
    const leave = () => {
      wait.reject(new NotYet(null));
      if (run.waits.size === 0) giveUpTurn(run);
    };
    const timer = setTimeout(
      () => wait.reject(notYet()),
      run.converter ? maxWaitMs.running : maxWaitMs.queued,
    );
    const settled = <Value>(settle: (value: Value) => void) => {
      return (value: Value) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        const others = (run.waits.get(part) ?? []).filter((one) => one !== wait);
        if (others.length > 0) run.waits.set(part, others);
        else run.waits.delete(part);
        settle(value);
      };
    };
    run.isWatched ||= part !== "init";
    const wait: Waiter = { resolve: settled(resolve), reject: settled(reject) };
    run.waits.set(part, [...(run.waits.get(part) ?? []), wait]);
    signal.addEventListener("abort", leave, { once: true });
  });
}

setInterval(() => {
  for (const run of runs) if (performance.now() - run.askedAt > maxIdleMs) finish(run, new NotYet(null));
}, checkIntervalMs).unref();
