import { box, fullBox, u16, u32, zeros } from "./boxes.ts";

/** Writes the init segment of a converted track (ISO/IEC 14496-12; CMAF). */

/** Units per second. */
export const pictureTimescale = 90_000;
export const soundRate = 48_000;

type EncodedPicture = {
  widthPx: number;
  heightPx: number;
  /** How wide the picture is shown at its height; other than `widthPx` if its pixels are not square. */
  shownWidthPx: number;
  /** An AVCDecoderConfigurationRecord. */
  config: Uint8Array;
};

export function pictureInit({ widthPx, heightPx, shownWidthPx, config }: EncodedPicture): Buffer {
  const entry = box(
    "avc1",
    ...[zeros(6), u16(1), zeros(16), u16(widthPx), u16(heightPx)],
    // 72 dots per inch, one frame per sample, no name, 24 bits of colour.
    ...[u32(0x480000), u32(0x480000), zeros(4), u16(1), zeros(32), u16(24), u16(0xffff)],
    box("avcC", config),
    // The shape of a pixel. Chromium ignores the one in the stream.
    ...(shownWidthPx === widthPx ? [] : [box("pasp", u32(shownWidthPx), u32(widthPx))]),
  );
  const descriptions = fullBox("stsd", 0, u32(1), entry);
  const size = { widthPx: shownWidthPx, heightPx };
  return initOf({ handler: "vide", timescale: pictureTimescale, descriptions, ...size });
}

/** AAC Low Complexity at 48,000 Hz with up to six channels. */
export function soundInit(channels: number): Buffer {
  // AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1): the profile is 2, the index of the rate 3.
  const config = u16((2 << 11) | (3 << 7) | (channels << 3));
  const decoder = descriptor(4, Buffer.from([0x40, 0x15]), zeros(11), descriptor(5, config));
  const description = descriptor(3, u16(0), zeros(1), decoder, descriptor(6, Buffer.from([2])));
  const entry = box(
    "mp4a",
    ...[zeros(6), u16(1), zeros(8), u16(channels), u16(16), zeros(4), u32(soundRate * 0x10000)],
    fullBox("esds", 0, description),
  );
  const descriptions = fullBox("stsd", 0, u32(1), entry);
  return initOf({ handler: "soun", timescale: soundRate, descriptions, widthPx: 0, heightPx: 0 });
}

/** An element of a stream's description (ISO/IEC 14496-1, 8.3.3). */
function descriptor(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

type Track = {
  handler: "vide" | "soun";
  timescale: number;
  /** The `stsd` box. */
  descriptions: Buffer;
  widthPx: number;
  heightPx: number;
  /** How a picture is turned and mirrored: the first four values of its matrix, each 1, 0 or -1. */
  turn?: PictureTurn;
};
/** The values a, b, c and d of a matrix (ISO/IEC 14496-12, 6.2.2). */
export type PictureTurn = readonly [a: number, b: number, c: number, d: number];

const upright: PictureTurn = [1, 0, 0, 1];
const matrixOf = ([a, b, c, d]: PictureTurn) =>
  Buffer.concat(
    [a * 0x10000, b * 0x10000, 0, c * 0x10000, d * 0x10000, 0, 0, 0, 0x40000000].map((value) =>
      u32(value >>> 0),
    ),
  );

export function initOf({
  handler,
  timescale,
  descriptions,
  widthPx,
  heightPx,
  turn = upright,
}: Track): Buffer {
  const isSound = handler === "soun";
  const volume = u16(isSound ? 0x100 : 0);
  const samples = box(
    "stbl",
    descriptions,
    ...["stts", "stsc", "stco"].map((type) => fullBox(type, 0, u32(0))),
    fullBox("stsz", 0, u32(0), u32(0)),
  );
  const media = box(
    "mdia",
    // The language is undetermined.
    fullBox("mdhd", 0, zeros(8), u32(timescale), zeros(4), u16(0x55c4), u16(0)),
    fullBox("hdlr", 0, zeros(4), Buffer.from(handler), zeros(12), zeros(1)),
    box(
      "minf",
      isSound ? fullBox("smhd", 0, zeros(4)) : fullBox("vmhd", 1, zeros(8)),
      box("dinf", fullBox("dref", 0, u32(1), fullBox("url ", 1))),
      samples,
    ),
  );
  const header = fullBox(
    "tkhd",
    // The track is enabled and part of the film.
    3,
    ...[zeros(8), u32(1), zeros(8), zeros(8), zeros(4), volume, zeros(2), matrixOf(turn)],
    ...[u32(widthPx * 0x10000), u32(heightPx * 0x10000)],
  );
  const film = fullBox(
    "mvhd",
    0,
    ...[zeros(8), u32(1000), zeros(4), u32(0x10000), u16(0x100), zeros(10)],
    ...[matrixOf(upright), zeros(24), u32(2)],
  );
  const defaults = fullBox("trex", 0, u32(1), u32(1), zeros(12));
  return Buffer.concat([
    box("ftyp", Buffer.from("iso5"), u32(512), Buffer.from("iso5iso6cmfcmp41")),
    box("moov", film, box("trak", header, media), box("mvex", defaults)),
  ]);
}
