import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  type AudioCodec,
  BufferTarget,
  CmafOutputFormat,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Output,
  type VideoCodec,
} from "mediabunny";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import type { Packet } from "../matroska/block-packets.ts";
import { fragmentParts, type Sample, writeFragment } from "../mp4/fragment.ts";
import { flacDescription, timescaleOf, withoutDates, withSampleSize } from "../mp4/init-boxes.ts";
import { pieceTimescale } from "../mp4/piece-head.ts";
import { type Silence, silenceOf } from "../mp4/silence.ts";
import { type FilmTrack, packetsFrom, withTrack } from "./film-track.ts";
import { shownFromZero } from "./late-picture.ts";
import { heldOverGap } from "./picture-gap.ts";
import { minSilenceSeconds, type PieceCut, playPictures, playSounds, withoutHoles } from "./piece-samples.ts";
import { firstShownSeconds } from "./segment-plan.ts";

/** Cuts one segment of one track out of a film, without decoding it. */

export type Cut = {
  track: number;
  /** In Matroska, the position of a cluster at or before the first packet. */
  at: number;
  /** In seconds. The cut holds the packets from `from` on, up to but without the one at `to`; null: up to the end. */
  from: number;
  to: number | null;
  /** When the segment ends in the plan. A last segment that ends before is continued by its last picture, or by silence. */
  end?: number;
  sequence: number;
  /** Set if the segment belongs to a piece of an ordered edition. */
  edition?: PieceCut | undefined;
};

/** Tolerance in seconds for equal times, because the clocks of films count in milliseconds. */
const sameTime = 0.0004;

/** Makes the init segment of a track from its first packet after `at`. */
export const cutInit = (film: FilmBytes, place: Pick<Cut, "track" | "at">): Promise<Uint8Array> =>
  withTrack(film, place, initOf);

/** Cuts a segment and returns its parts in order. */
export const cutSegment = (film: FilmBytes, cut: Cut): Promise<Uint8Array[]> =>
  withTrack(film, cut, async (opened) => {
    const { track } = opened;
    const timescale = await readTimescale(opened);
    const segmentSamples = cut.edition
      ? await samplesOfPiece(opened, cut, cut.edition, timescale)
      : await samplesOfFilm(opened, cut, timescale);
    const [first] = segmentSamples;
    if (!first) throw new DamagedFilm("the segment is empty");
    const codec = await track.getCodec();
    const isReordered = codec === "avc" || codec === "hevc";
    const fragment = { sequence: cut.sequence, timescale, isReordered };
    const canBeLate = cut.from === 0 && track.isAudioTrack() && !cut.edition;
    const silence = canBeLate ? silenceBefore(first.seconds, await track.getDecoderConfig()) : [];
    const late: Buffer[] = [];
    for (const samples of silence) late.push(writeFragment({ ...fragment, samples }));
    return [...late, ...fragmentParts({ ...fragment, samples: segmentSamples })];
  });

/** Cache of timescales. A timescale of pictures is read from an init segment, and players request many segments. */
const timescales = new LRUCache<string, number>({ max: 100 });

/** The timescale of sound is its sample rate. No packet is read, because none may follow the start of the segment. */
async function readTimescale(opened: FilmTrack): Promise<number> {
  const { head, track } = opened;
  const config = track.isAudioTrack() ? await track.getDecoderConfig() : null;
  if (config) return config.sampleRate;
  const key = head && createHash("sha256").update(head).digest("base64");
  const known = key === null ? undefined : timescales.get(key);
  if (known !== undefined) return known;
  const timescale = timescaleOf(await initOf(opened));
  if (key !== null) timescales.set(key, timescale);
  return timescale;
}

/** Cuts a part of an MP4 track for a converter, which reads more codecs than players do. The part can be empty. */
export const cutPiece = (film: FilmBytes, cut: Cut): Promise<Uint8Array[]> =>
  withTrack(film, cut, async (opened) => {
    const samples = fromZero(await samplesOf(opened, cut), pieceTimescale, firstShownSeconds);
    if (samples.length === 0) return [];
    const isReordered = opened.track.isVideoTrack();
    return fragmentParts({ sequence: cut.sequence, timescale: pieceTimescale, samples, isReordered });
  });

async function samplesOf(opened: FilmTrack, cut: Cut): Promise<Sample[]> {
  if (!opened.track.isVideoTrack()) return (await soundsOf(opened, cut, null)).samples;
  const samples: Sample[] = [];
  for await (const sample of pictures(opened, cut)) samples.push(sample);
  return samples;
}

/** Players stop at a gap in picture or sound, so gaps are filled where the site can fill them. */
async function samplesOfFilm(opened: FilmTrack, cut: Cut, timescale: number): Promise<Sample[]> {
  const { track } = opened;
  if (track.isAudioTrack()) {
    const config = await track.getDecoderConfig();
    const silence = config && silenceOf(config);
    const { samples, heardUntil } = await soundsOf(opened, cut, silence);
    return silence ? withoutHoles(samples, filledSpan(cut, samples, heardUntil), silence) : samples;
  }
  const samples = fromZero(await samplesOf(opened, cut), timescale);
  return heldOverGap(cut.to ?? cut.end ?? null, cut.sequence === 0 ? shownFromZero(samples) : samples);
}

/** Where silence may be put. A segment without any sound is not empty, because a player waits for each. */
function filledSpan({ from, to, end }: Cut, samples: readonly Sample[], heardUntil: number) {
  if (samples.length > 0) return { heardUntil, to: to ?? end ?? null };
  const silentFrom = from === 0 ? 0 : heardUntil;
  return { heardUntil: silentFrom, to: to ?? Math.max(end ?? 0, silentFrom + 2 * minSilenceSeconds) };
}

/**
 * How much is read before and after a segment of sound. A block that begins before the segment can hold packets that
 * belong to it, and all packets of a block can have the time at which the block begins. mkvmerge puts eight packets into
 * a block, and those of Opus last up to 0.06 s.
 */
const aroundSeconds = 0.5;

async function samplesOfPiece(
  opened: FilmTrack,
  cut: Cut,
  edition: PieceCut,
  timescale: number,
): Promise<Sample[]> {
  const { track } = opened;
  const { from, to } = cut;
  if (!track.isAudioTrack()) {
    const samples = await picturesOfPiece(opened, cut, edition);
    const [first] = samples;
    if (first && edition.isFirst && edition.start > 0 && (await track.getCodec()) === "hevc")
      first.data = Buffer.concat([endOfSequence, first.data]);
    return playPictures(samples, edition, timescale);
  }
  const around = {
    ...cut,
    from: Math.max(0, from - aroundSeconds),
    to: to === null ? null : to + aroundSeconds,
  };
  const samples = await samplesOf(opened, around);
  const config = await track.getDecoderConfig();
  return playSounds(samples, edition, config && silenceOf(config));
}

/**
 * Without this unit, a decoder of HEVC takes an open group at the start of a piece for the next pictures of the piece
 * before. It follows its length in four bytes.
 */
const endOfSequence = Buffer.from([0, 0, 0, 2, 36 << 1, 1]);

/**
 * An MP4 that was cut without encoding it again begins at the key frame before the cut. The pictures before the cut are
 * only needed for decoding, so they get the first instants. The last of them is the one that the film shows at its
 * beginning; it begins at `shownFrom` at the earliest.
 */
function fromZero(samples: Sample[], timescale: number, shownFrom = 0): Sample[] {
  let last = samples.findIndex(({ seconds }) => seconds < 0);
  if (last < 0) return samples;
  const piece = { shift: 0, isFirst: true, isLast: false, start: 0, end: 0 };
  const played = playPictures(samples, piece, timescale);
  const beginOf = (index: number) => samples[index]?.seconds ?? 0;
  for (const index of samples.keys())
    if (beginOf(index) <= sameTime && beginOf(index) > beginOf(last)) last = index;
  const shown = played[last];
  if (shown) shown.seconds = Math.max(shown.seconds, shownFrom);
  return played;
}

/** An hour and a half of AAC or Opus. A damaged film can begin its sound years after the picture. */
const maxSilences = 300_000;
/** A packet of silence is a few bytes in a segment, but many more as an object, so few of these exist at once. */
const silencesAtOnce = 1000;
/**
 * Players do not begin before the sound does, so silence is put before sound that begins late. Yields its packets in
 * groups; each becomes a fragment of the segment.
 */
function* silenceBefore(seconds: number, config: AudioDecoderConfig | null): Generator<Sample[]> {
  const silence = config && seconds >= minSilenceSeconds ? silenceOf(config) : null;
  if (!silence) return;
  const { data, seconds: duration } = silence;
  const count = Math.min(maxSilences, Math.floor(seconds / duration));
  for (let at = 0; at < count; at += silencesAtOnce)
    yield Array.from({ length: Math.min(silencesAtOnce, count - at) }, (_, index) => ({
      data,
      duration,
      isKey: true,
      seconds: seconds - (count - at - index) * duration,
    }));
}

async function initOf(opened: FilmTrack): Promise<Uint8Array> {
  const { track } = opened;
  const init = new BufferTarget();
  const media = new BufferTarget();
  const output = new Output({ format: new CmafOutputFormat(), target: media, initTarget: init });
  const codec = await track.getCodec();
  // For a time below zero, mediabunny would write an edit list, and browsers would move the whole track.
  const packet = (await firstKeyPacket(opened))?.clone({ timestamp: 0 });
  if (codec === null || !packet) throw new DamagedFilm("the track cannot be read");
  const isDescribed = track.isVideoTrack() || track.isAudioTrack();
  const decoderConfig = isDescribed ? await track.getDecoderConfig() : null;
  const flac =
    codec === "flac" && decoderConfig?.description ? flacDescription(decoderConfig.description) : null;
  const meta =
    decoderConfig === null ? {} : { decoderConfig: { ...decoderConfig, ...(flac && { description: flac }) } };
  if (track.isVideoTrack()) {
    const source = new EncodedVideoPacketSource(codec as VideoCodec);
    output.addVideoTrack(source, { rotation: await track.getRotation(), flip: await track.getFlip() });
    await output.start();
    await source.add(packet, meta as EncodedVideoChunkMetadata);
  } else {
    const source = new EncodedAudioPacketSource(codec as AudioCodec);
    output.addAudioTrack(source);
    await output.start();
    await source.add(packet, meta as EncodedAudioChunkMetadata);
  }
  await output.finalize();
  if (!init.buffer) throw new DamagedFilm("the track cannot be described");
  const described = withoutDates(new Uint8Array(init.buffer));
  return flac ? withSampleSize(described, flac) : described;
}

/**
 * mediabunny restores a removed header only once for a block that holds several packets. It also reads all pictures
 * before sound that begins late. All packets of sound are key frames, though some recorders do not mark them.
 */
async function firstKeyPacket(opened: FilmTrack): Promise<EncodedPacket | null> {
  const { track, blocks } = opened;
  const isReadByBlocks = blocks && (track.isAudioTrack() || blocks.track.header.length > 0);
  if (!isReadByBlocks) return new EncodedPacketSink(track).getFirstKeyPacket();
  for await (const { data, type, timestamp, duration } of packetsFrom(opened, 0))
    if (type === "key" || track.isAudioTrack()) return new EncodedPacket(data, "key", timestamp, duration);
  return null;
}

const sampleOf = ({ data, type }: Packet, seconds: number, duration: number): Sample => ({
  data,
  seconds,
  duration,
  isKey: type === "key",
});

/** No picture is shown this many seconds before a picture that is decoded earlier. */
const maxReorderSeconds = 5;

/**
 * Yields pictures in decoding order, so that the pictures of an open group that are shown before its key frame are
 * included.
 */
async function* pictures(track: FilmTrack, { from, to }: Cut): AsyncGenerator<Sample> {
  let isWithin = false;
  for await (const packet of packetsFrom(track, from + sameTime)) {
    const isAt = (seconds: number) =>
      packet.type === "key" && Math.abs(packet.timestamp - seconds) < sameTime;
    if (to !== null && (isAt(to) || packet.timestamp > to + maxReorderSeconds)) return;
    isWithin ||= isAt(from);
    if (isWithin) yield sampleOf(packet, packet.timestamp, packet.duration);
  }
}

/** Yields the pictures of a segment of a piece, and those before and after it that are needed for decoding. */
async function picturesOfPiece(
  track: FilmTrack,
  { from, to }: Cut,
  { isFirst, isLast }: PieceCut,
): Promise<Sample[]> {
  const packets: Packet[] = [];
  let keyAfter = Number.POSITIVE_INFINITY;
  for await (const packet of packetsFrom(track, from + sameTime)) {
    const { type, timestamp } = packet;
    const isBegun = packets.length > 0 || (type === "key" && Math.abs(timestamp - from) < sameTime);
    if (!isBegun) continue;
    // The pictures of an open group that are shown before its key frame need pictures that the piece does not have.
    if (isFirst && timestamp < from - sameTime) continue;
    if (to !== null && isLast && (timestamp > keyAfter || timestamp > to + maxReorderSeconds)) break;
    if (to !== null && !isLast && type === "key" && timestamp > to - sameTime) break;
    if (to !== null && type === "key" && timestamp >= to - sameTime) keyAfter = Math.min(keyAfter, timestamp);
    packets.push(packet);
  }
  const isShown = ({ timestamp }: Packet) => to === null || !isLast || timestamp < to - sameTime;
  const end = packets.findLastIndex(isShown) + 1;
  return packets
    .slice(0, Math.max(1, end))
    .map((packet) => sampleOf(packet, packet.timestamp, packet.duration));
}

/**
 * Each packet lasts until the next one. The last packet of a cluster often has no duration in the file, which would
 * leave a gap between two segments. Packets of one block can have the same time; they share the time until the next
 * block. Where the film has a gap and the site can write silence, the packets before it last as long as others.
 * `heardUntil`: where the sound before the segment ends, or infinite at the beginning of the film.
 */
async function soundsOf(
  track: FilmTrack,
  cut: Cut,
  silence: Silence | null,
): Promise<{ samples: Sample[]; heardUntil: number }> {
  const isOfSegment = (seconds: number) => cut.from === 0 || seconds >= cut.from - sameTime;
  const samples: Sample[] = [];
  let heardUntil = cut.from === 0 ? Number.POSITIVE_INFINITY : cut.from;
  for await (const block of soundBlocks(track, cut, silence)) {
    const [first, last] = [block[0], block.at(-1)];
    if (!first || !last) continue;
    if (isOfSegment(first.seconds)) samples.push(...block);
    else heardUntil = Math.max(heardUntil, last.seconds + last.duration);
  }
  return { samples, heardUntil };
}

/** Also yields blocks that were read before the segment. */
async function* soundBlocks(
  track: FilmTrack,
  { from, to }: Cut,
  silence: Silence | null,
): AsyncGenerator<Sample[]> {
  let waiting: Packet[] = [];
  let usual = 0;
  for await (const packet of packetsFrom(track, from, to)) {
    const [first] = waiting;
    // Packets that only prepare the decoder begin before 0, where a segment cannot begin.
    const begin = first && Math.max(0, first.timestamp);
    const isSameBlock = first !== undefined && packet.timestamp - first.timestamp < sameTime;
    if (begin !== undefined && !isSameBlock && packet.timestamp > begin) {
      const duration = (packet.timestamp - begin) / waiting.length;
      const longest = silence && Math.max(usual, silence.seconds);
      // Both parts of a shorter gap across the end of a segment could be too short to be filled.
      const isBeforeGap = longest !== null && duration > longest + 2 * minSilenceSeconds;
      usual = isBeforeGap ? longest : duration;
      yield spread(waiting, begin, usual);
    }
    if (to !== null && packet.timestamp >= to - sameTime) return;
    if (!isSameBlock) waiting = [];
    waiting.push(packet);
  }
  const [first] = waiting;
  if (first) yield spread(waiting, Math.max(0, first.timestamp), first.duration || usual);
}

const spread = (packets: readonly Packet[], begin: number, duration: number): Sample[] =>
  packets.map((packet, index) => ({ ...sampleOf(packet, begin + index * duration, duration), isKey: true }));
