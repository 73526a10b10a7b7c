import {
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MP4,
  MPEG_TS,
  QTFF,
} from "mediabunny";
import { mebibytes } from "#app/platform/units.ts";
import { withEnds } from "../film/chapter-ends.ts";
import { codecOfMp4 } from "../film/codecs.ts";
import { DamagedFilm, type FilmBytes, withinBudget } from "../film/film-bytes.ts";
import {
  type AudioTrack,
  type Inspected,
  type Inspection,
  inspectionFormat,
  type KeyFrame,
  type VideoTrack,
} from "../film/inspection.ts";
import { languageTag } from "../film/languages.ts";
import { openInput } from "../film/open-input.ts";
import { examined, isOpen } from "../matroska/open-groups.ts";
import { endsBeforeIndex, isEncrypted, isEncryptedEntry } from "./film-boxes.ts";
import { readMp4Text } from "./mp4-text.ts";
import { requireFewSamples } from "./sample-counts.ts";

/** Reads the contents of MP4 and transport streams, and finds the key frames of MP4. */

/** More than the index of any film. */
const maxReadBytes = mebibytes(64);
/** The heads of the boxes that say why a film cannot be read. A hostile film has a million before them. */
const maxHeadBytes = mebibytes(2);
const maxKeyFrames = 200_000;
/** The playlists of a film name each of its tracks. */
const maxTracks = 200;

export async function inspectMp4(film: FilmBytes): Promise<Inspected> {
  const bounded = withinBudget(film, maxReadBytes);
  const input = openInput(bounded, [MP4, QTFF, MPEG_TS]);
  try {
    requireFewSamples(film);
    const { inspection, keyFrames } = await inspect(input);
    return { inspection: { ...inspection, ...textOf(film, inspection) }, keyFrames };
  } catch {
    const heads = withinBudget(film, maxHeadBytes);
    if (isEncrypted(heads)) return encryptedFilm;
    // The film has another container, or is damaged. Some browser may still play it.
    return endsBeforeIndex(heads) ? cutOffFilm : unknownFilm;
  } finally {
    input.dispose();
  }
}

const nothing = {
  format: inspectionFormat,
  standsInFor: null,
  durationSeconds: null,
  video: [],
  audio: [],
  subtitles: [],
  chapters: [],
  edition: null,
  segmentId: null,
  linkedFiles: [],
  fonts: [],
  soundFiles: [],
  obstacle: null,
} satisfies Omit<Inspection, "container">;

export const unknownFilm: Inspected = { inspection: { ...nothing, container: "other" }, keyFrames: null };

const cutOffFilm: Inspected = {
  inspection: { ...unknownFilm.inspection, obstacle: "cut-off" },
  keyFrames: null,
};

const encryptedFilm: Inspected = {
  inspection: { ...nothing, container: "mp4", obstacle: "encrypted" },
  keyFrames: null,
};

/** A film still plays if its text cannot be read. */
function textOf(film: FilmBytes, { container, durationSeconds }: Inspection) {
  if (container !== "mp4") return {};
  try {
    const { subtitles, chapters } = readMp4Text(film);
    return { subtitles, chapters: withEnds(chapters, durationSeconds) };
  } catch (error) {
    if (error instanceof DamagedFilm) return {};
    throw error;
  }
}

async function inspect(input: Input): Promise<Inspected> {
  const tracks = await input.getTracks();
  if (tracks.length === 0) throw new DamagedFilm("the film has neither picture nor sound");
  if (tracks.length > maxTracks) throw new DamagedFilm("the film has too many tracks");
  const isMp4 = (await input.getFormat()) !== MPEG_TS;
  const pictures = await withCoversLast(tracks.filter((track) => track.isVideoTrack()));
  const sounds = tracks.filter((track) => track.isAudioTrack());
  const keyFrames = isMp4 && pictures[0] ? await keyFramesOf(pictures[0]) : null;
  if (keyFrames?.length === 0) throw new DamagedFilm("the film has no pictures");
  const played = [...pictures.slice(0, 1), ...sounds];
  const entries = await Promise.all(played.map((track) => track.getInternalCodecId()));
  const inspection: Inspection = {
    ...nothing,
    container: isMp4 ? "mp4" : "mpegts",
    durationSeconds: isMp4 ? await endOf(played) : await input.getDurationFromMetadata(),
    video: await Promise.all(pictures.map((track) => videoTrack(track, keyFrames ?? []))),
    audio: await Promise.all(sounds.map((track) => audioTrack(track, isMp4))),
    obstacle: entries.some((entry) => isEncryptedEntry(`${entry}`))
      ? "encrypted"
      : isMp4 && !(await hasLastSamples(played))
        ? "cut-off"
        : null,
  };
  return { inspection, keyFrames };
}

/** Some programs store the cover as a track of one picture, even before that of the film. */
async function withCoversLast(pictures: readonly InputVideoTrack[]): Promise<InputVideoTrack[]> {
  if (pictures.length < 2) return [...pictures];
  const options = { metadataOnly: true };
  const areCovers = await Promise.all(
    pictures.map(async (track) => {
      const sink = new EncodedPacketSink(track);
      const first = await sink.getFirstPacket(options);
      return first === null || (await sink.getNextPacket(first, options)) === null;
    }),
  );
  return [
    ...pictures.filter((_, index) => !areCovers[index]),
    ...pictures.filter((_, index) => areCovers[index]),
  ];
}

/** All positions are 0: MP4 is packaged without them. */
async function keyFramesOf(track: InputVideoTrack): Promise<KeyFrame[]> {
  const sink = new EncodedPacketSink(track);
  const options = { metadataOnly: true };
  const frames: KeyFrame[] = [];
  for (let packet = await sink.getFirstKeyPacket(options); packet && frames.length < maxKeyFrames; ) {
    frames.push({ seconds: packet.timestamp, at: 0 });
    packet = await sink.getNextKeyPacket(packet, options);
  }
  return frames;
}

const maxTitleLength = 500;
/** The database refuses null bytes in a text, and some programs end each name with one. */
const storable = (text: string) => text.replace(/\p{Cc}/gu, "");

async function trackOf(track: InputTrack) {
  const entry = await track.getInternalCodecId();
  const codec = await track.getCodecParameterString();
  const disposition = await track.getDisposition();
  return {
    ...codecOfMp4(codec, typeof entry === "string" ? storable(entry) : null),
    number: track.id,
    language: languageTag(await track.getLanguageCode()),
    title:
      storable((await track.getName()) ?? "")
        .slice(0, maxTitleLength)
        .toWellFormed() || null,
    isDefault: disposition.default,
    isForced: disposition.forced,
    isForHearingImpaired: disposition.hearingImpaired,
    isForVisualImpaired: disposition.visuallyImpaired,
    isCommentary: disposition.commentary,
  };
}

async function videoTrack(track: InputVideoTrack, keyFrames: readonly KeyFrame[]): Promise<VideoTrack> {
  const widthPx = await track.getDisplayWidth();
  const heightPx = await track.getDisplayHeight();
  const { bitDepth, ...facts } = await trackOf(track);
  const hasOpenGroups = facts.codecLabel === "H.264" && (await opensGroups(track, keyFrames));
  return { ...facts, widthPx, heightPx, bitDepth, hasOpenGroups };
}

async function opensGroups(track: InputVideoTrack, keyFrames: readonly KeyFrame[]): Promise<boolean> {
  const sink = new EncodedPacketSink(track);
  for (const { seconds } of examined(keyFrames)) {
    const packet = await sink.getKeyPacket(seconds + sameTime);
    if (packet && isOpen(packet.data)) return true;
  }
  return false;
}

/** Tolerance in seconds for equal times, because times are rounded. */
const sameTime = 0.0004;

async function audioTrack(track: InputAudioTrack, hasIndex: boolean): Promise<AudioTrack> {
  const { bitDepth: _, ...facts } = await trackOf(track);
  const span = hasIndex ? await spanOf(track) : null;
  return { ...facts, channels: await track.getNumberOfChannels(), span };
}

/** When the last picture or sound ends. The length in the head of the film can cover its subtitles too. */
async function endOf(tracks: readonly InputTrack[]): Promise<number | null> {
  const last = await Promise.all(
    tracks.map((track) => new EncodedPacketSink(track).getPacket(Infinity, { metadataOnly: true })),
  );
  const ends = last.map((packet) => (packet ? packet.timestamp + packet.duration : 0));
  return Math.max(0, ...ends) || null;
}

/** False if the file ends before the samples that its index lists. */
async function hasLastSamples(tracks: readonly InputTrack[]): Promise<boolean> {
  const isThere = tracks.map(async (track) => {
    const sink = new EncodedPacketSink(track);
    const listed = await sink.getPacket(Infinity, { metadataOnly: true });
    return listed === null || (await sink.getPacket(Infinity)) !== null;
  });
  return (await Promise.all(isThere)).every(Boolean);
}

async function spanOf(track: InputAudioTrack): Promise<AudioTrack["span"]> {
  const sink = new EncodedPacketSink(track);
  const options = { metadataOnly: true };
  const first = await sink.getFirstPacket(options);
  const last = await sink.getPacket(Infinity, options);
  return first && last ? { first: Math.max(0, first.timestamp), last: Math.max(0, last.timestamp) } : null;
}
