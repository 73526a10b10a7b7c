import type { FilmBytes } from "#app/media/film/film-bytes.ts";
import { ids } from "#app/media/matroska/element-ids.ts";

export { ids };

/** Builds small Matroska films byte by byte. */

export function element(id: number, ...parts: (Uint8Array | number | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(part);
      if (typeof part !== "number") return Buffer.from(part);
      const bytes = [part >> 24, part >> 16, part >> 8, part];
      return Buffer.from(part > 0xffff ? bytes : bytes.slice(2));
    }),
  );
  return Buffer.concat([idBytes(id), sizeBytes(content.length), content]);
}
export const idBytes = (id: number) => Buffer.from(id.toString(16).padStart(2, "0"), "hex");
export function sizeBytes(size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(0x0100000000000000n | BigInt(size));
  return bytes;
}

export const header = element(ids.header, element(ids.docType, "matroska"));
const avcConfig = Buffer.from([1, 0x6e, 0x00, 0x28, 0xff, 0xe1, 0, 0]);
export const picture = element(
  ids.trackEntry,
  element(ids.trackNumber, 1),
  element(ids.trackType, 1),
  element(ids.codecId, "V_MPEG4/ISO/AVC"),
  element(ids.codecPrivate, avcConfig),
  element(ids.video, element(ids.pixelWidth, 1920), element(ids.pixelHeight, 1080)),
);
export const sound = (...fields: Uint8Array[]) =>
  element(ids.trackEntry, element(ids.trackNumber, 2), element(ids.trackType, 2), ...fields);
/** The field of a track whose packets are compressed. `settings`: the bytes that each packet lacks. */
export const compression = (algorithm: number, settings: Uint8Array | string) =>
  element(
    ids.contentEncodings,
    element(
      ids.contentEncoding,
      element(
        ids.contentCompression,
        element(ids.contentCompressionAlgorithm, algorithm),
        element(ids.contentCompressionSettings, settings),
      ),
    ),
  );
export const block = (track: number, ticks: number, isKey: boolean, data: readonly number[] = [1, 2, 3]) =>
  element(ids.simpleBlock, Buffer.from([0x80 | track, ticks >> 8, ticks & 255, isKey ? 0x80 : 0, ...data]));
export const cluster = (ticks: number, ...blocks: Uint8Array[]) =>
  element(ids.cluster, element(ids.clusterTimestamp, ticks), ...blocks);
export const cue = (
  ticks: number,
  at: number,
  { track = 1, relative }: { track?: number; relative?: number } = {},
) =>
  element(
    ids.cuePoint,
    element(ids.cueTime, ticks),
    element(
      ids.cueTrackPositions,
      element(ids.cueTrack, track),
      element(ids.cueClusterPosition, at),
      ...(relative === undefined ? [] : [element(ids.cueRelativePosition, relative)]),
    ),
  );

type Line = { ticks: number; duration?: number; text: string | Uint8Array };
/** A line of subtitle track 3. */
export const line = ({ ticks, duration, text }: Line) => {
  const bytes = Buffer.concat([Buffer.from([0x83, ticks >> 8, ticks & 255, 0]), Buffer.from(text)]);
  return element(
    ids.blockGroup,
    element(ids.block, bytes),
    ...(duration === undefined ? [] : [element(ids.blockDuration, duration)]),
  );
};
export const subtitles = (codecId: string, ...fields: Uint8Array[]) =>
  element(
    ids.trackEntry,
    element(ids.trackNumber, 3),
    element(ids.trackType, 17),
    element(ids.codecId, codecId),
    ...fields,
  );
export const attachment = (name: string, type: string, bytes: string | Uint8Array) =>
  element(
    ids.attachedFile,
    element(ids.fileName, name),
    element(ids.fileMediaType, type),
    element(ids.fileData, bytes),
  );

export const filmOf = (...parts: Uint8Array[]) => Buffer.concat([header, element(ids.segment, ...parts)]);
export const reader = (bytes: Uint8Array, size = bytes.length): FilmBytes => ({
  size,
  read: (at, length) => bytes.subarray(at, at + length),
});
