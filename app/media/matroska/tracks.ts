import { inflateSync } from "node:zlib";
import { kibibytes } from "#app/platform/units.ts";
import { codecOf } from "../film/codecs.ts";
import { DamagedFilm } from "../film/film-bytes.ts";
import type {
  AudioTrack,
  BitmapFormat,
  SubtitleScript,
  SubtitleTrack,
  VideoTrack,
} from "../film/inspection.ts";
import { languageTag } from "../film/languages.ts";
import { childFields, childrenOf, type ChildFields as Fields, readEbmlText, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";

/** Reads the tracks of a Matroska file. */

const maxTracks = 200;
/** The largest head of a script, with its styles. */
const maxHeadBytes = kibibytes(256);

export type MatroskaTracks = {
  video: VideoTrack[];
  audio: AudioTrack[];
  subtitles: SubtitleTrack[];
  /** The numbers of tracks whose blocks cannot be passed on unchanged. */
  compressed: number[];
  encrypted: number[];
};

export function readTracks(content: Uint8Array): MatroskaTracks {
  const tracks: MatroskaTracks = { video: [], audio: [], subtitles: [], compressed: [], encrypted: [] };
  let count = 0;
  for (const { id, content: entry } of childrenOf(content)) {
    if (id !== ids.trackEntry) continue;
    if (++count > maxTracks) throw new DamagedFilm("the film has too many tracks");
    readTrack(childFields(entry), tracks);
  }
  tracks.video.sort((one, other) => Number(isCover(one)) - Number(isCover(other)));
  return tracks;
}

/** Some programs store the cover as a track of one picture, even before that of the film. */
const isCover = ({ codecLabel }: VideoTrack) => /^(?:MJPEG|MJPG|MPNG)$/.test(codecLabel);

function readTrack(fields: Fields, tracks: MatroskaTracks) {
  const number = numberOf(fields, ids.trackNumber, 0);
  if (number === 0 || numberOf(fields, ids.flagEnabled, 1) === 0) return;
  const type = numberOf(fields, ids.trackType, 0);
  if (type === 1) tracks.video.push(videoTrack(fields));
  else if (type === 2) tracks.audio.push(audioTrack(fields));
  else if (type === 17 || webVttKindOf(fields) !== null) tracks.subtitles.push(subtitleTrack(fields));
  const { isEncrypted, compressions } = readEncodings(fields.get(ids.contentEncodings));
  // Header stripping is no obstacle, because every reader restores the stripped bytes.
  if (compressions.some(({ algorithm }) => algorithm !== headerStripping)) tracks.compressed.push(number);
  if (isEncrypted) tracks.encrypted.push(number);
}

function numberOf(fields: Fields, id: number, otherwise: number): number {
  const content = fields.get(id);
  return content === undefined ? otherwise : readUnsigned(content);
}
const textOf = (fields: Fields, id: number) => readEbmlText(fields.get(id) ?? new Uint8Array());

function trackOf(fields: Fields) {
  const title = textOf(fields, ids.trackName);
  return {
    number: numberOf(fields, ids.trackNumber, 0),
    // English is the default of the specification.
    language: languageTag(textOf(fields, ids.languageTag) || textOf(fields, ids.language) || "eng"),
    title: title === "" ? null : title,
    isDefault: numberOf(fields, ids.flagDefault, 1) === 1,
    isForced: numberOf(fields, ids.flagForced, 0) === 1,
    isForHearingImpaired: numberOf(fields, ids.flagHearingImpaired, 0) === 1,
    isForVisualImpaired: numberOf(fields, ids.flagVisualImpaired, 0) === 1,
    isCommentary: numberOf(fields, ids.flagCommentary, 0) === 1,
  };
}

const codecFacts = (fields: Fields) => ({
  codecId: textOf(fields, ids.codecId),
  codecPrivate: fields.get(ids.codecPrivate) ?? new Uint8Array(),
});

function videoTrack(fields: Fields): VideoTrack {
  const video = childFields(fields.get(ids.video) ?? new Uint8Array());
  const size = { widthPx: numberOf(video, ids.pixelWidth, 0), heightPx: numberOf(video, ids.pixelHeight, 0) };
  const { codec, codecLabel, bitDepth = null } = codecOf({ ...codecFacts(fields), ...size });
  const track: VideoTrack = {
    ...trackOf(fields),
    codec,
    codecLabel,
    ...size,
    bitDepth,
    hasOpenGroups: false,
  };
  const shownWidthPx = shownWidthOf(video, size);
  return shownWidthPx === size.widthPx ? track : { ...track, shownWidthPx };
}

/** How wide a picture is shown at its height. The head gives this size in pixels, or only its shape. */
export function shownWidthOf(
  video: Fields,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): number {
  const shape = numberOf(video, ids.displayWidth, 0) / numberOf(video, ids.displayHeight, 0);
  return shape > 0 && shape < 100 ? Math.round(shape * heightPx) : widthPx;
}

function audioTrack(fields: Fields): AudioTrack {
  const audio = childFields(fields.get(ids.audio) ?? new Uint8Array());
  const { codec, codecLabel } = codecOf(codecFacts(fields));
  return {
    ...trackOf(fields),
    codec,
    codecLabel,
    channels: Math.min(255, numberOf(audio, ids.channels, 1)),
    span: null,
  };
}

function subtitleTrack(fields: Fields): SubtitleTrack {
  const { codec, codecLabel } = codecOf(codecFacts(fields));
  const isReadable = decoderOf(readEncodings(fields.get(ids.contentEncodings))) !== null;
  const format = isReadable ? formatOf(fields) : null;
  const isBitmap = format === "pgs" || format === "vobsub";
  const track = trackOf(fields);
  const kind = webVttKindOf(fields);
  return {
    ...track,
    isForHearingImpaired: track.isForHearingImpaired || kind === "CAPTIONS",
    isForVisualImpaired: track.isForVisualImpaired || kind === "DESCRIPTIONS",
    codec,
    codecLabel,
    script: isBitmap ? null : format,
    bitmaps: isBitmap ? format : null,
    lines: null,
  };
}

/** The kind of a text track of WebM. Its fourth kind, METADATA, is for programs. */
const webVttKindOf = (fields: Fields) =>
  /^D_WEBVTT\/(SUBTITLES|CAPTIONS|DESCRIPTIONS)$/.exec(textOf(fields, ids.codecId))?.[1] ?? null;

function formatOf(fields: Fields): SubtitleScript | BitmapFormat | null {
  const codecId = textOf(fields, ids.codecId);
  if (codecId === "S_HDMV/PGS") return "pgs";
  if (codecId === "S_VOBSUB") return "vobsub";
  return webVttKindOf(fields) === null ? scriptOf(codecId) : "vtt";
}

function scriptOf(codecId: string): SubtitleScript | null {
  if (/^S_(?:TEXT\/)?(?:ASS|SSA)$/.test(codecId)) return "ass";
  if (/^S_TEXT\/(?:UTF8|ASCII)$/.test(codecId)) return "srt";
  return codecId === "S_TEXT/WEBVTT" ? "vtt" : null;
}

/**
 * The format, the head and the decoder of a subtitle track. Null: the film has no such track, or it cannot be read.
 * `cueSettings`: where the settings of a WebVTT cue are. In `text`, two lines with the name and the settings of the cue
 * come before the text of each block.
 */
export function findSubtitles(tracks: Uint8Array, number: number) {
  const fields = findTrackFields(tracks, number);
  if (!fields) return null;
  const decode = decoderOf(readEncodings(fields.get(ids.contentEncodings)));
  const format = formatOf(fields);
  const head = fields.get(ids.codecPrivate) ?? new Uint8Array();
  if (!decode || format === null || head.length > maxHeadBytes) return null;
  const cueSettings = webVttKindOf(fields) !== null ? "text" : format === "vtt" ? "additions" : null;
  return { format, head: new TextDecoder().decode(head), decode, cueSettings } as const;
}

/** Null: the film has no such track. */
export function findTrackFields(tracks: Uint8Array, number: number): Fields | null {
  for (const { id, content } of childrenOf(tracks)) {
    const fields = id === ids.trackEntry ? childFields(content) : null;
    if (fields && numberOf(fields, ids.trackNumber, 0) === number) return fields;
  }
  return null;
}

type Encodings = {
  isEncrypted: boolean;
  /** The compressions of blocks. `settings`: the bytes that were stripped from the start of each block. */
  compressions: { algorithm: number; settings: Uint8Array }[];
};

/** Values of ContentCompAlgo. The other two are bzlib and lzo1x, which hardly any file has. */
const zlib = 0;
const headerStripping = 3;
const blocksScope = 1;

function readEncodings(content: Uint8Array | undefined): Encodings {
  const encodings: Encodings = { isEncrypted: false, compressions: [] };
  for (const { id, content: encoding } of content ? childrenOf(content) : []) {
    if (id !== ids.contentEncoding) continue;
    const fields = childFields(encoding);
    const compression = fields.get(ids.contentCompression);
    if (fields.has(ids.contentEncryption)) encodings.isEncrypted = true;
    else if (compression && (numberOf(fields, ids.contentEncodingScope, 1) & blocksScope) !== 0) {
      const details = childFields(compression);
      encodings.compressions.push({
        algorithm: numberOf(details, ids.contentCompressionAlgorithm, zlib),
        settings: details.get(ids.contentCompressionSettings) ?? new Uint8Array(),
      });
    }
  }
  return encodings;
}

/**
 * The bytes that were removed from the start of each packet; none for a track without encodings. Null: the packets need
 * to be decoded otherwise.
 */
export function strippedHeader(encodings: Uint8Array | undefined): Uint8Array | null {
  const { isEncrypted, compressions } = readEncodings(encodings);
  const [compression] = compressions;
  if (isEncrypted || compressions.length > 1) return null;
  if (!compression) return new Uint8Array();
  return compression.algorithm === headerStripping ? compression.settings : null;
}

/** Returns a function that restores the bytes of a block of text. Null: blocks of this track cannot be read. */
function decoderOf({
  isEncrypted,
  compressions,
}: Encodings): ((block: Uint8Array, maxBytes: number) => Uint8Array) | null {
  const [compression] = compressions;
  if (isEncrypted || compressions.length > 1) return null;
  if (!compression) return (block) => block;
  const { algorithm, settings } = compression;
  if (algorithm === headerStripping) return (block) => Buffer.concat([settings, block]);
  return algorithm === zlib ? (block, maxBytes) => inflateSync(block, { maxOutputLength: maxBytes }) : null;
}
