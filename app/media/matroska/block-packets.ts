import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { blocksFrom, type Lacing } from "./clusters.ts";
import { readSize, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { readTimestampScale } from "./inspect-matroska.ts";
import { openMatroska } from "./matroska-file.ts";
import { findTrackFields, strippedHeader } from "./tracks.ts";

/**
 * Reads the packets of one track of Matroska. mediabunny reads each cluster as a whole, with all other tracks, so sound
 * would cost as much as the picture beside it.
 */

/** A packet in the form that mediabunny uses. Its bytes are read only when `data` is accessed. */
export type Packet = {
  readonly data: Uint8Array;
  type: "key" | "delta";
  /** In seconds. */
  timestamp: number;
  duration: number;
  readonly byteLength: number;
};

export type BlockTrack = {
  number: number;
  ticksPerSecond: number;
  defaultTicks: number;
  /** The bytes that were removed from the start of each packet. */
  header: Uint8Array;
};

/** Null if the blocks of the track need to be decoded, which mediabunny does. */
export function findBlockTrack(film: FilmBytes, number: number): BlockTrack | null {
  const file = openMatroska(film);
  const fields = file && findTrackFields(file.read(ids.tracks), number);
  const header = fields && strippedHeader(fields.get(ids.contentEncodings));
  if (!file || !fields || !header) return null;
  const ticksPerSecond = 1e9 / readTimestampScale(file);
  const duration = fields.get(ids.defaultDuration);
  return {
    number,
    header,
    ticksPerSecond,
    defaultTicks: duration ? (ticksPerSecond * readUnsigned(duration)) / 1e9 : 0,
  };
}

type Block = {
  ticks: number;
  durationTicks: number | null;
  isKeyFrame: boolean;
  lacing: Lacing | null;
  dataAt: number;
  end: number;
};

/** The most packets in one part of a film: half an hour of sound in AAC. */
export const maxPackets = 100_000;

/** Far more than programs store a packet behind those of other tracks that begin at the same time. */
const maxBehindSeconds = 120;

/**
 * Yields the packets from the cluster at `at` on, in decoding order. Stops where other tracks are so far after `to` that
 * no packet before that time follows.
 */
export function* packetsOfBlocks(
  film: FilmBytes,
  track: BlockTrack,
  at: number,
  to: number | null = null,
): Generator<Packet> {
  const endTicks = to === null ? Number.POSITIVE_INFINITY : (to + maxBehindSeconds) * track.ticksPerSecond;
  let cluster: Block[] = [];
  let clusterAt = at;
  for (const block of blocksFrom(film, at)) {
    if (block.ticks > endTicks) break;
    if (block.clusterAt !== clusterAt) {
      yield* packetsOf(film, track, cluster);
      cluster = [];
      clusterAt = block.clusterAt;
    }
    if (block.track !== track.number) continue;
    if (cluster.push(block) > maxPackets)
      throw new DamagedFilm("a cluster of the film holds too many packets");
  }
  yield* packetsOf(film, track, cluster);
}

/** A packet lasts until the next one of its cluster is shown. The last one lasts as long as the file says. */
function* packetsOf(film: FilmBytes, track: BlockTrack, blocks: readonly Block[]): Generator<Packet> {
  const shown = [...blocks].sort((one, other) => one.ticks - other.ticks);
  const durations = new Map(
    shown.map((block, index) => {
      const next = shown[index + 1];
      return [block, next ? next.ticks - block.ticks : block.durationTicks || track.defaultTicks];
    }),
  );
  for (const block of blocks) {
    const durationTicks = durations.get(block) ?? 0;
    if (block.lacing === null) yield packetAt(film, track, { ...block, durationTicks });
    else yield* packetsOfLace(film, track, block, block.lacing, durationTicks);
  }
}

/** `dataAt` and `end`: where the packet lies in the film. */
function packetAt(
  film: FilmBytes,
  { header, ticksPerSecond }: BlockTrack,
  { dataAt, end, isKeyFrame, ticks, durationTicks }: Omit<Block, "lacing"> & { durationTicks: number },
): Packet {
  return {
    get data() {
      const bytes = film.read(dataAt, end - dataAt);
      return header.length === 0 ? bytes : Buffer.concat([header, bytes]);
    },
    type: isKeyFrame ? "key" : "delta",
    timestamp: ticks / ticksPerSecond,
    duration: durationTicks / ticksPerSecond,
    byteLength: header.length + end - dataAt,
  };
}

/** The packets of a block share its time evenly. `untilNext` is the time until the next block. */
function* packetsOfLace(
  film: FilmBytes,
  track: BlockTrack,
  block: Block,
  lacing: Lacing,
  untilNext: number,
): Generator<Packet> {
  const { sizes, length } = readLace(film.read(block.dataAt, block.end - block.dataAt), lacing);
  const lasting = block.durationTicks || sizes.length * track.defaultTicks || untilNext;
  let dataAt = block.dataAt + length;
  for (const [index, size] of sizes.entries()) {
    const ticks = block.ticks + (lasting * index) / sizes.length;
    const durationTicks = lasting / sizes.length;
    yield packetAt(film, track, { ...block, ticks, durationTicks, dataAt, end: dataAt + size });
    dataAt += size;
  }
}

const damagedLace = () => new DamagedFilm("a block of the film does not hold the packets that it lists");

/** The sizes of the packets of a block, and the length of their list (RFC 9559, 10.3). */
function readLace(bytes: Uint8Array, lacing: Lacing): { sizes: number[]; length: number } {
  const count = (bytes[0] ?? 0) + 1;
  if (lacing === "fixed") {
    const size = (bytes.length - 1) / count;
    if (!Number.isInteger(size) || size < 0) throw damagedLace();
    return { sizes: Array.from({ length: count }, () => size), length: 1 };
  }
  const list = { bytes, at: 1 };
  const sizes: number[] = [];
  while (sizes.length < count - 1) {
    sizes.push(lacing === "xiph" ? xiphSize(list) : ebmlSize(list, sizes.at(-1)));
  }
  const last = sizes.reduce((left, size) => left - size, bytes.length - list.at);
  // The last packet has no size in the list. It takes what the others leave.
  if (last < 0 || sizes.some((size) => size < 0)) throw damagedLace();
  return { sizes: [...sizes, last], length: list.at };
}

type LaceList = { bytes: Uint8Array; at: number };

/** Bytes of 255 and a smaller one, which are added. */
function xiphSize(list: LaceList): number {
  let size = 0;
  for (;;) {
    const byte = list.bytes[list.at++];
    if (byte === undefined) throw damagedLace();
    size += byte;
    if (byte < 255) return size;
  }
}

/** A number as in EBML: the first size itself, each other one as its difference from the one before. */
function ebmlSize(list: LaceList, previous: number | undefined): number {
  const length = Math.clz32(list.bytes[list.at] ?? 0) - 23;
  const end = list.at + length;
  if (length > 8 || end > list.bytes.length) throw damagedLace();
  const { value } = readSize(list.bytes, list.at, length);
  list.at = end;
  return previous === undefined ? value : previous + value - (2 ** (7 * length - 1) - 1);
}
