import { EncodedPacketSink, type InputTrack, MATROSKA, MP4, QTFF } from "mediabunny";
import { mebibytes } from "#app/platform/units.ts";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { openInput, openStream } from "../film/open-input.ts";
import {
  type BlockTrack,
  findBlockTrack,
  maxPackets,
  type Packet,
  packetsOfBlocks,
} from "../matroska/block-packets.ts";
import { ids } from "../matroska/element-ids.ts";
import { openWindow, restoredStream, windowHead } from "../matroska/film-window.ts";
import { readHeadAt } from "../matroska/matroska-file.ts";

/** Opens one track of a film, to read its packets from a given position on. */

export type FilmTrack = {
  track: InputTrack;
  /** Whether packets are found by their times. Packets of Matroska are read from the position where the track was opened. */
  isIndexed: boolean;
  /** The head of a Matroska film with the description of the track. Null: the film is not Matroska. */
  head: Uint8Array | null;
  /** Set for Matroska, if its blocks can be read without mediabunny. */
  blocks: { film: FilmBytes; track: BlockTrack; at: number } | null;
};
/** `at`: in Matroska, the position of a cluster at or before the first packet. */
type Place = { track: number; at: number };

/** The track with the bytes that were removed from its packets. The packets are read in order, from the first one on. */
export async function withRestoredTrack<Result>(
  film: FilmBytes,
  place: Place,
  read: (track: FilmTrack) => Promise<Result>,
): Promise<Result> {
  const blockTrack = isMatroska(film) ? findBlockTrack(film, place.track) : null;
  if (!blockTrack || blockTrack.header.length === 0) return withTrack(film, place, read);
  const input = openStream(restoredStream(film, blockTrack, place.at), [MATROSKA]);
  try {
    const [track] = await input.getTracks();
    if (!track) throw new DamagedFilm("the film has no such track");
    return await read({ track, isIndexed: false, head: null, blocks: null });
  } finally {
    input.dispose();
  }
}

/** Whether the film is Matroska. Other films have an index of all samples, as MP4 does. */
export const isMatroska = (film: FilmBytes): boolean => readHeadAt(film, 0)?.id === ids.header;

export async function withTrack<Result>(
  film: FilmBytes,
  { track: number, at }: Place,
  read: (track: FilmTrack) => Promise<Result>,
): Promise<Result> {
  const isIndexed = !isMatroska(film);
  const head = isIndexed ? null : windowHead(film, number, { hasOthers: false });
  const input = head ? openInput(openWindow(film, head, at), [MATROSKA]) : openInput(film, [MP4, QTFF]);
  try {
    const tracks = await input.getTracks();
    const track = isIndexed ? tracks.find(({ id }) => id === number) : tracks[0];
    if (!track) throw new DamagedFilm("the film has no such track");
    const blockTrack = isIndexed ? null : findBlockTrack(film, number);
    return await read({ track, isIndexed, head, blocks: blockTrack && { film, track: blockTrack, at } });
  } finally {
    input.dispose();
  }
}

/** More than the packets of a segment from the best discs. A hostile film has a single key frame before gigabytes. */
const maxPacketBytes = mebibytes(256);

/**
 * Yields packets in decoding order, from the key frame at `seconds` or an earlier one on. `to`: the time after which no
 * packet is needed, so that a film whose sound has ended is not read to its end.
 */
export async function* packetsFrom(
  track: FilmTrack,
  seconds: number,
  to: number | null = null,
): AsyncGenerator<Packet> {
  let count = 0;
  let bytes = 0;
  for await (const packet of allPacketsFrom(track, seconds, to)) {
    bytes += packet.byteLength;
    if (++count > maxPackets || bytes > maxPacketBytes)
      throw new DamagedFilm("a part of the film holds too many packets, or too large ones");
    yield packet;
  }
}

async function* allPacketsFrom(
  { track, isIndexed, blocks }: FilmTrack,
  seconds: number,
  to: number | null,
): AsyncGenerator<Packet> {
  if (blocks) return yield* packetsOfBlocks(blocks.film, blocks.track, blocks.at, to);
  const sink = new EncodedPacketSink(track);
  const keyPacket = isIndexed ? await sink.getKeyPacket(seconds) : null;
  let packet = keyPacket ?? (await sink.getFirstPacket());
  while (packet) {
    yield packet;
    // A film that was cut off ends where its file does.
    packet = await sink.getNextPacket(packet).catch(() => null);
  }
}
