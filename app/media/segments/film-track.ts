import { EncodedPacketSink, type InputTrack, MATROSKA, MP4, QTFF } from "mediabunny";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { openInput } from "../film/open-input.ts";
import {
  type BlockTrack,
  findBlockTrack,
  maxPackets,
  type Packet,
  packetsOfBlocks,
} from "../matroska/block-packets.ts";
import { ids } from "../matroska/element-ids.ts";
import { openWindow, windowHead } from "../matroska/film-window.ts";
import { readHeadAt } from "../matroska/matroska-file.ts";

/** Opens one track of a film, to read its packets from a certain place on. */

export type FilmTrack = {
  track: InputTrack;
  /** Its packets are found by their times. Those of Matroska are read from the place where it was opened. */
  isIndexed: boolean;
  /** What the file says of the track before its packets. Null: not of Matroska. */
  head: Uint8Array | null;
  /** Of Matroska, where its blocks can be read without mediabunny. */
  blocks: { film: FilmBytes; track: BlockTrack; at: number } | null;
};
/** `at`: a cluster of Matroska at or before the first packet. */
type Place = { track: number; at: number };

/** Otherwise it has an index of all samples, as MP4 does. */
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
    const found = isIndexed ? null : findBlockTrack(film, number);
    return await read({ track, isIndexed, head, blocks: found && { film, track: found, at } });
  } finally {
    input.dispose();
  }
}

/** From the key frame at `seconds` on, or from an earlier one, in the order of decoding. */
export async function* packetsFrom(track: FilmTrack, seconds: number): AsyncGenerator<Packet> {
  let count = 0;
  for await (const packet of allPacketsFrom(track, seconds)) {
    if (++count > maxPackets) throw new DamagedFilm("a part of the film holds too many packets");
    yield packet;
  }
}

async function* allPacketsFrom(
  { track, isIndexed, blocks }: FilmTrack,
  seconds: number,
): AsyncGenerator<Packet> {
  if (blocks) return yield* packetsOfBlocks(blocks.film, blocks.track, blocks.at);
  const sink = new EncodedPacketSink(track);
  const found = isIndexed && seconds > 0 ? await sink.getKeyPacket(seconds) : null;
  let packet = found ?? (await sink.getFirstPacket());
  while (packet) {
    yield packet;
    // Where the file breaks off, the film ends.
    packet = await sink.getNextPacket(packet).catch(() => null);
  }
}
