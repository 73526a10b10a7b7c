import type { FilmBytes } from "../film/film-bytes.ts";
import { type BlockTrack, packetsOfBlocks } from "./block-packets.ts";
import { childrenOf, readElementHead, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { openMatroska, readHeadAt } from "./matroska-file.ts";

/**
 * A view of a film with only one track, which begins at the cluster at `at`; `head` comes from `windowHead`. The
 * packets of a segment are at the beginning of this view, so its reader needs no index and reads nothing before them.
 */
export function openWindow(film: FilmBytes, head: Uint8Array, at: number): FilmBytes {
  return {
    size: head.length + film.size - at,
    read(from, length) {
      if (from >= head.length) return film.read(at + from - head.length, length);
      const first = head.subarray(from, from + length);
      if (first.length === length) return first;
      return Buffer.concat([first, film.read(at, length - first.length)]);
    },
  };
}

/**
 * Writes the head of a Matroska segment of unknown size, with the film's clock and the description of the track.
 * `hasOthers`: the descriptions of all other tracks follow, for a reader that gives up at a packet of an unknown track.
 * `isRestored`: nothing is removed from the packets that follow.
 */
export function windowHead(
  film: FilmBytes,
  track: number,
  { hasOthers, isRestored = false }: { hasOthers: boolean; isRestored?: boolean },
): Uint8Array {
  const file = openMatroska(film);
  const header = readHeadAt(film, 0);
  if (!file || header?.end == null) return new Uint8Array();
  const unknownSize = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
  return Buffer.concat([
    film.read(0, header.end),
    idBytes(ids.segment),
    unknownSize,
    element(ids.info, file.read(ids.info)),
    element(ids.tracks, entriesOf(file.read(ids.tracks), track, { hasOthers, isRestored })),
  ]);
}

/**
 * Writes the packets of a track as a new Matroska stream of unknown size: each lies alone in a block, with the bytes that
 * were removed from its start. mediabunny restores these bytes only once for all packets that share a block.
 */
export function* restoredStream(
  film: FilmBytes,
  track: BlockTrack,
  at: number,
): Generator<Uint8Array<ArrayBuffer>> {
  // Copies, because mediabunny sends the memory of its bytes to other threads.
  yield Uint8Array.from(windowHead(film, track.number, { hasOthers: false, isRestored: true }));
  for (const { timestamp, data } of packetsOfBlocks(film, track, at)) {
    const ticks = Math.max(0, Math.round(timestamp * track.ticksPerSecond));
    yield Uint8Array.from(
      element(
        ids.cluster,
        Buffer.concat([
          element(ids.clusterTimestamp, eightBytes(ticks)),
          element(ids.simpleBlock, Buffer.concat([blockHead(track.number), data])),
        ]),
      ),
    );
  }
}

function eightBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** The number of the track in four bytes, no time after the cluster's, and the flag of a key frame. */
function blockHead(track: number): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt32BE(0x10000000 + track);
  head.writeUInt8(0x80, 6);
  return head;
}

const idBytes = (id: number) => Buffer.from(id.toString(16).padStart(2, "0"), "hex");

function element(id: number, content: Uint8Array): Uint8Array {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(0x0100000000000000n | BigInt(content.length));
  return Buffer.concat([idBytes(id), size, content]);
}

/** The entries of the tracks with their heads, the wanted track first. */
function entriesOf(
  tracks: Uint8Array,
  track: number,
  { hasOthers, isRestored }: { hasOthers: boolean; isRestored: boolean },
): Uint8Array {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < tracks.length; ) {
    const entry = readElementHead(tracks.subarray(at), 0);
    if (!entry || entry.end === null) break;
    const content = tracks.subarray(at + entry.start, at + entry.end);
    const whole = tracks.subarray(at, at + entry.end);
    if (entry.id === ids.trackEntry && numberOf(content) === track)
      entries.unshift(isRestored ? withoutEncodings(content) : whole);
    else if (entry.id === ids.trackEntry && hasOthers) entries.push(whole);
    at += entry.end;
  }
  return Buffer.concat(entries);
}

const withoutEncodings = (entry: Uint8Array) =>
  element(
    ids.trackEntry,
    Buffer.concat(
      [...childrenOf(entry)].flatMap(({ id, content }) =>
        id === ids.contentEncodings ? [] : [element(id, content)],
      ),
    ),
  );

function numberOf(entry: Uint8Array): number | null {
  for (const { id, content } of childrenOf(entry)) if (id === ids.trackNumber) return readUnsigned(content);
  return null;
}
