import { kibibytes } from "#app/platform/units.ts";
import type { FilmBytes } from "./film-bytes.ts";

/**
 * Recognizes containers that this room does not read, by their bytes, whatever the file is called. ffmpeg is told the
 * recognized format, so that a film cannot choose among the hundreds of formats that ffmpeg knows.
 */

/** The containers that ffmpeg puts into a Matroska file, each with the name of ffmpeg's reader. */
export const ffmpegReaders = {
  avi: "avi",
  mpegts: "mpegts",
  mpegps: "mpeg",
  asf: "asf",
  ogg: "ogg",
} as const;
export type RemuxedContainer = keyof typeof ffmpegReaders;
/** The containers that no part of the site reads. */
type RefusedContainer = "flv" | "realmedia" | "ogm" | "disc";
export type OtherContainer = RemuxedContainer | RefusedContainer;

export const isRemuxed = (container: string): container is RemuxedContainer =>
  Object.hasOwn(ffmpegReaders, container);

/** Null: the file is none of these. */
export function findOtherContainer(film: FilmBytes): OtherContainer | null {
  const head = film.read(0, headBytes);
  const signature = signatures.find(({ at, bytes }) =>
    bytes.every((byte, index) => head[at + index] === byte),
  );
  if (signature?.container === "avi") return startsWith(head, "AVI ", 8) ? "avi" : null;
  if (signature?.container === "mpegps") return isPackHeader(head) ? "mpegps" : null;
  if (signature?.container === "ogg") return kindOfOgg(head);
  if (signature) return signature.container;
  if (isTransportStream(head)) return "mpegts";
  return isDisc(film) ? "disc" : null;
}

/** Contains the first pages of an Ogg file, and enough packets of a transport stream. */
const headBytes = kibibytes(32);

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  ascii(text).every((byte, index) => bytes[at + index] === byte);

const signatures: readonly { at: number; bytes: readonly number[]; container: OtherContainer }[] = [
  { at: 0, bytes: ascii("RIFF"), container: "avi" },
  { at: 0, bytes: ascii("OggS"), container: "ogg" },
  { at: 0, bytes: [0, 0, 1, 0xba], container: "mpegps" },
  // The GUID of the header object (ASF specification, 10.1).
  {
    at: 0,
    bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0, 0xaa, 0, 0x62, 0xce, 0x6c],
    container: "asf",
  },
  { at: 0, bytes: ascii("FLV\x01"), container: "flv" },
  { at: 0, bytes: ascii(".RMF"), container: "realmedia" },
];

/** The bits after the start code of a pack, in MPEG-2 (ISO/IEC 13818-1, 2.5.3.3) and MPEG-1 (ISO/IEC 11172-1). */
const isPackHeader = ([, , , , clock = 0]: Uint8Array) => (clock & 0xc4) === 0x44 || (clock & 0xf1) === 0x21;

/** Blu-ray puts 4 bytes before each packet, and some broadcasts 16 bytes after it. */
const packetSizes = [188, 192, 204];
const syncByte = 0x47;
/** Other files may have the sync byte in a few of these places by accident. */
const minPackets = 5;
const maxPackets = 12;

/** A recording can begin within a packet. */
function isTransportStream(head: Uint8Array): boolean {
  return packetSizes.some((size) => {
    for (let start = 0; start < size; start++) if (hasPackets(head, start, size)) return true;
    return false;
  });
}

function hasPackets(head: Uint8Array, start: number, size: number): boolean {
  let count = 0;
  for (let at = start; at + 4 <= head.length && count < maxPackets; at += size, count++) {
    // A packet has a payload or an adaptation field. A text full of the letter G has neither.
    if (head[at] !== syncByte || ((head[at + 3] ?? 0) & 0x30) === 0) return false;
  }
  return count >= minPackets;
}

/**
 * The kinds of streams are in the first pages (RFC 3533). OGM is an Ogg of the time before Theora, whose streams name
 * their kind in another way. Null: the file has no picture.
 */
function kindOfOgg(head: Uint8Array): "ogg" | "ogm" | null {
  let hasPicture = false;
  let at = 0;
  for (let count = 0; count < maxStreams && startsWith(head, "OggS", at); count++) {
    const isFirstOfStream = ((head[at + 5] ?? 0) & 2) !== 0;
    if (!isFirstOfStream) break;
    const segments = head[at + 26] ?? 0;
    const content = at + 27 + segments;
    if (ogmKinds.some((kind) => startsWith(head, kind, content))) return "ogm";
    hasPicture ||= oggPictures.some((kind) => startsWith(head, kind, content));
    at = content + head.subarray(at + 27, content).reduce((sum, length) => sum + length, 0);
  }
  return hasPicture ? "ogg" : null;
}

const maxStreams = 32;
const ogmKinds = ["\x01video\0", "\x01audio\0", "\x01text\0"];
const oggPictures = ["\x80theora", "BBCD\0", "OVP80"];

/** The first descriptor of a volume (ISO 9660, 8.1, and ECMA-167, part 2, 9.1). */
const discDescriptorAt = 16 * 2048 + 1;
function isDisc(film: FilmBytes): boolean {
  if (film.size < discDescriptorAt) return false;
  const identifier = film.read(discDescriptorAt, 5);
  return ["CD001", "BEA01"].some((one) => startsWith(identifier, one));
}
