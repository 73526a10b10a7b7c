import type { FilmBytes } from "../film/film-bytes.ts";
import type { AudioTrack, KeyFrame, Span } from "../film/inspection.ts";
import { readElementHead, readSize, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import type { MatroskaFile } from "./matroska-file.ts";

/** Walks over the clusters of a film and reads the heads of its blocks, but neither picture nor sound. */

export type Lacing = "xiph" | "fixed" | "ebml";

type BlockHead = {
  track: number;
  /** In ticks of the film's clock. */
  ticks: number;
  isKeyFrame: boolean;
  /** How the block lists the packets that it holds; null for a block of one packet. */
  lacing: Lacing | null;
  /** The position of the block's cluster in the file. */
  clusterAt: number;
  /** Where the block's content begins and ends in the file. */
  dataAt: number;
  end: number;
  durationTicks: number | null;
  /** Where the data begin and end that belong to the block beside its content. */
  additions: { at: number; end: number } | null;
};

/** Elements whose children are read instead of skipped. */
const opened: ReadonlySet<number> = new Set([ids.cluster, ids.blockGroup]);
const blockHeadLength = 4;
/** No film has as many elements between two blocks. A hostile one has billions, of two bytes each. */
const maxSkippedElements = 10_000;

/**
 * Yields the blocks from the cluster at `at` on. Stops where the file ends or breaks the rules, because a film that was
 * cut off plays up to there.
 */
export function* blocksFrom(film: FilmBytes, at: number): Generator<BlockHead> {
  const window = chunkReader(film);
  let clusterAt = at;
  let clusterTicks = 0;
  let group: { head: BlockHead | null; end: number; change: Partial<BlockHead> } | null = null;
  let skipped = 0;
  while (at < film.size) {
    if (group && at >= group.end) {
      if (group.head) yield { ...group.head, ...group.change };
      group = null;
    }
    const bytes = window(at);
    const element = readElementHead(bytes, 0);
    if (!element || (element.end === null && element.id !== ids.cluster)) return;
    if (++skipped > maxSkippedElements) return;
    const content = bytes.subarray(element.start);
    // A cluster that the file does not hold as a whole cannot be played.
    if (element.end !== null && at + element.end > film.size) return;
    if (element.id === ids.cluster) clusterAt = at;
    const number = () => readUnsigned(content.subarray(0, (element.end ?? 0) - element.start));
    if (element.id === ids.clusterTimestamp) clusterTicks = number();
    if (element.id === ids.blockGroup)
      group = { head: null, end: at + (element.end ?? 0), change: { isKeyFrame: true } };
    if (element.id === ids.referenceBlock && group) group.change.isKeyFrame = false;
    if (element.id === ids.blockDuration && group) group.change.durationTicks = number();
    if (element.id === ids.blockAdditions && group)
      group.change.additions = { at: at + element.start, end: at + (element.end ?? 0) };
    if (element.id === ids.simpleBlock || element.id === ids.block) {
      const block = readBlockHead(content);
      if (!block) return;
      skipped = 0;
      const head = {
        track: block.track,
        isKeyFrame: block.isKeyFrame,
        lacing: block.lacing,
        ticks: clusterTicks + block.ticks,
        clusterAt,
        dataAt: at + element.start + block.length,
        end: at + (element.end ?? 0),
        durationTicks: null,
        additions: null,
      };
      if (element.id === ids.simpleBlock) yield head;
      else if (group) group.head = head;
    }
    at += opened.has(element.id) ? element.start : (element.end ?? 0);
  }
  if (group?.head) yield { ...group.head, ...group.change };
}

const lacings: readonly (Lacing | null)[] = [null, "xiph", "fixed", "ebml"];

/** `ticks` count from the timestamp of the cluster; `length` is the length of the block's head. */
export function readBlockHead(content: Uint8Array) {
  const numberLength = Math.clz32(content[0] ?? 0) - 23;
  if (numberLength > 4 || content.length < numberLength + blockHeadLength - 1) return null;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const flags = content[numberLength + 2] ?? 0;
  return {
    track: readSize(content, 0, numberLength).value,
    ticks: view.getInt16(numberLength),
    isKeyFrame: (flags & 0x80) !== 0,
    lacing: lacings[(flags & 0x06) >> 1] ?? null,
    length: numberLength + 3,
  };
}

/** These bytes suffice for the head of an element, a timestamp, and the head of a block. */
const neededBytes = 32;
const chunkBytes = 2048;

/** Blocks of sound are small, so one read of the file serves many of them. */
function chunkReader(film: FilmBytes) {
  let start = 0;
  let chunk: Uint8Array = new Uint8Array();
  return (at: number): Uint8Array => {
    if (at < start || at + neededBytes > start + chunk.length) {
      start = at;
      chunk = film.read(at, chunkBytes);
    }
    return chunk.subarray(at - start, at - start + neededBytes);
  };
}

/** The unit of a film's clock, in seconds. */
export const nanoseconds = 1e-9;

type PlayedTracks = {
  timestampScale: number;
  /** The number of the track with the picture. */
  picture: number | undefined;
  audio: readonly AudioTrack[];
  keyFrames: readonly KeyFrame[];
  /** The length that the head of the film gives. */
  durationSeconds: number | null;
};

const maxBlocks = 5000;
/** A sound track whose end is too far from a key frame to be read is taken to end this much before the film. */
const maxEarlierSeconds = 1;

/**
 * Finds when each sound track begins and ends, because a player waits indefinitely for a segment without any sound, and
 * when the last picture or sound ends. The length in the head often covers the last subtitle too.
 * Nearly all films have sound from the start to the end, so little of the file is read.
 */
export function findSpans(
  film: FilmBytes,
  { firstCluster }: Pick<MatroskaFile, "firstCluster">,
  { timestampScale, picture, audio, keyFrames, durationSeconds }: PlayedTracks,
): { audio: AudioTrack[]; durationSeconds: number | null } {
  if (firstCluster === null || keyFrames.length === 0) return { audio: [...audio], durationSeconds };
  const sounds = audio.map(({ number }) => number);
  const played = picture === undefined ? sounds : [picture, ...sounds];
  const first = findFirstTicks(film, firstCluster, sounds);
  const last = findLastBlocks(film, keyFrames, played);
  const secondsOf = (ticks: number) => Math.max(0, ticks * timestampScale * nanoseconds);
  const ends = played.map((number) => last.get(number)?.endTicks ?? null).filter((end) => end !== null);
  return {
    audio: audio.map((track): AudioTrack => {
      const begin = first.get(track.number);
      const lastBlock = last.get(track.number);
      if (begin === undefined) return track;
      const from = secondsOf(begin);
      const unread = Math.max(from, (durationSeconds ?? 0) - maxEarlierSeconds);
      return { ...track, span: { first: from, last: lastBlock ? secondsOf(lastBlock.ticks) : unread } };
    }),
    durationSeconds: ends.length === played.length ? secondsOf(Math.max(...ends)) : durationSeconds,
  };
}

function findFirstTicks(film: FilmBytes, at: number, tracks: readonly number[]) {
  const first = new Map<number, number>();
  let count = 0;
  for (const { track, ticks } of blocksFrom(film, at)) {
    if (!first.has(track)) first.set(track, ticks);
    if (++count > maxBlocks || tracks.every((number) => first.has(number))) break;
  }
  return first;
}

/**
 * A block without a duration lasts as long as the one that is shown before it, which can be stored after it. `endTicks`
 * is null if that one is unknown too.
 */
type LastBlock = { ticks: number; endTicks: number | null; isGuess: boolean };

const laterBlock = (known: LastBlock | undefined, ticks: number, durationTicks: number | null): LastBlock => {
  if (known && ticks <= known.ticks) {
    if (!known.isGuess || ticks === known.ticks) return known;
    const endTicks = known.ticks + (known.ticks - ticks);
    return { ...known, endTicks: Math.min(known.endTicks ?? endTicks, endTicks) };
  }
  const duration = durationTicks ?? (known ? ticks - known.ticks : null);
  return { ticks, endTicks: duration === null ? null : ticks + duration, isGuess: durationTicks === null };
};

/** Reads from the last key frame on, then from twice as many key frames before the end, and so on. */
function findLastBlocks(film: FilmBytes, keyFrames: readonly KeyFrame[], tracks: readonly number[]) {
  const last = new Map<number, LastBlock>();
  let count = 0;
  for (let back = 1; back <= keyFrames.length; back *= 2) {
    const from = keyFrames[keyFrames.length - back];
    const until = keyFrames[keyFrames.length - Math.floor(back / 2)]?.at ?? film.size;
    const blocks = new Map<number, LastBlock>();
    for (const { track, ticks, clusterAt, durationTicks } of from ? blocksFrom(film, from.at) : []) {
      if (clusterAt > until || ++count > maxBlocks) break;
      blocks.set(track, laterBlock(blocks.get(track), ticks, durationTicks));
    }
    if (count > maxBlocks) break;
    for (const [track, block] of blocks)
      if (block.ticks >= (last.get(track)?.ticks ?? 0)) last.set(track, block);
    if (tracks.every((number) => last.has(number))) break;
  }
  return last;
}

/** The span that covers both. */
export const widened = (one: Span | undefined, other: Span): Span =>
  one ? { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) } : other;

/** More than any film has tracks. The blocks of a hostile film can name millions that it does not describe. */
const maxSpans = 1000;
/** More entries than any real film's index has. */
export const maxKeyFrames = 200_000;

/**
 * Makes a part of the index of a film that has none, by walking over its blocks from the cluster at `at` on. Once
 * `isOver` returns true, the part ends at the next cluster, whose position is `next`; null: the film has ended.
 */
export function indexKeyFrames(
  film: FilmBytes,
  at: number,
  { track, timestampScale }: { track: number; timestampScale: number },
  isOver: () => boolean,
) {
  const keyFrames: KeyFrame[] = [];
  const spans = new Map<number, Span>();
  const hasRoom = (number: number) => spans.size < maxSpans || spans.has(number);
  let clusterAt = at;
  const part = (next: number | null) => ({ keyFrames, next, spans: [...spans] });
  for (const block of blocksFrom(film, at)) {
    if (block.clusterAt !== clusterAt && isOver()) return part(block.clusterAt);
    clusterAt = block.clusterAt;
    const seconds = block.ticks * timestampScale * nanoseconds;
    const span = { first: Math.max(0, seconds), last: seconds };
    if (hasRoom(block.track)) spans.set(block.track, widened(spans.get(block.track), span));
    if (block.track !== track || !block.isKeyFrame) continue;
    keyFrames.push({ seconds, at: block.clusterAt });
    // A hostile film has millions in one cluster.
    if (keyFrames.length === maxKeyFrames) break;
  }
  return part(null);
}
