import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { blocksFrom } from "./clusters.ts";
import { childrenOf, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { readTimestampScale } from "./inspect-matroska.ts";
import { openMatroska } from "./matroska-file.ts";

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
};

/** The block holds several packets, which only mediabunny can take apart. */
export class LacedBlock extends Error {}

export type BlockTrack = { number: number; ticksPerSecond: number; defaultTicks: number };

/** Null if the blocks of the track need to be decoded, which mediabunny does. */
export function findBlockTrack(film: FilmBytes, number: number): BlockTrack | null {
  const file = openMatroska(film);
  const fields = file && findEntry(file.read(ids.tracks), number);
  if (!file || !fields || fields.has(ids.contentEncodings)) return null;
  const ticksPerSecond = 1e9 / readTimestampScale(file);
  const duration = fields.get(ids.defaultDuration);
  return {
    number,
    ticksPerSecond,
    defaultTicks: duration ? (ticksPerSecond * readUnsigned(duration)) / 1e9 : 0,
  };
}

function findEntry(tracks: Uint8Array, number: number): ReadonlyMap<number, Uint8Array> | null {
  for (const { id, content } of childrenOf(tracks)) {
    if (id !== ids.trackEntry) continue;
    const fields = new Map([...childrenOf(content)].map((child) => [child.id, child.content]));
    const found = fields.get(ids.trackNumber);
    if (found && readUnsigned(found) === number) return fields;
  }
  return null;
}

type Block = {
  ticks: number;
  durationTicks: number | null;
  isKeyFrame: boolean;
  dataAt: number;
  end: number;
};

/** The most packets in one part of a film: half an hour of sound in AAC. */
export const maxPackets = 100_000;

/**
 * Refuses a part with too many packets. A block of 260 bytes can claim to hold 256 packets, and mediabunny creates all
 * packets of a cluster.
 */
export function requireFewPackets(film: FilmBytes, { ticksPerSecond }: BlockTrack, part: Part) {
  const last = (part.to ?? Number.POSITIVE_INFINITY) * ticksPerSecond;
  let count = 0;
  for (const { lacedPackets, ticks } of blocksFrom(film, part.at)) {
    count += lacedPackets ?? 1;
    if (count > maxPackets) throw new DamagedFilm("a part of the film holds too many packets");
    if (ticks > last) return;
  }
}

/** From the cluster at `at` up to the time `to` in seconds, or to the end. */
type Part = { at: number; to: number | null };

/** Yields the packets from the cluster at `at` on, in decoding order. */
export function* packetsOfBlocks(film: FilmBytes, track: BlockTrack, at: number): Generator<Packet> {
  let cluster: Block[] = [];
  let clusterAt = at;
  for (const block of blocksFrom(film, at)) {
    if (block.clusterAt !== clusterAt) {
      yield* packetsOf(film, track, cluster);
      [cluster, clusterAt] = [[], block.clusterAt];
    }
    if (block.track !== track.number) continue;
    if (block.lacedPackets !== null) throw new LacedBlock();
    cluster.push(block);
  }
  yield* packetsOf(film, track, cluster);
}

/** A packet lasts until the next one of its cluster is shown. The last one lasts as long as the file says. */
function packetsOf(film: FilmBytes, track: BlockTrack, blocks: readonly Block[]): Packet[] {
  const { ticksPerSecond, defaultTicks } = track;
  const shown = [...blocks].sort((one, other) => one.ticks - other.ticks);
  const durations = new Map(
    shown.map((block, index) => {
      const next = shown[index + 1];
      return [block, next ? next.ticks - block.ticks : block.durationTicks || defaultTicks];
    }),
  );
  return blocks.map((block) => ({
    get data() {
      return film.read(block.dataAt, block.end - block.dataAt);
    },
    type: block.isKeyFrame ? "key" : "delta",
    timestamp: block.ticks / ticksPerSecond,
    duration: (durations.get(block) ?? 0) / ticksPerSecond,
  }));
}
