import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Small image files that claim gigabytes of pixels, or that decode to them. */

/** The header of a lossless WebP with these dimensions, without any picture data. */
export function webpClaim(width: number, height: number): Buffer {
  const file = Buffer.alloc(38);
  file.write("RIFF", 0);
  file.writeUInt32LE(30, 4);
  file.write("WEBPVP8L", 8);
  file.writeUInt32LE(18, 16);
  file[20] = 0x2f;
  file.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  return file;
}

/** A valid PNG of one color with one bit for each pixel. */
export function flatPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const file = Buffer.alloc(body.length + 8);
  file.writeUInt32BE(data.length, 0);
  body.copy(file, 4);
  file.writeUInt32BE(crc32(body), body.length + 4);
  return file;
}

/** An animated GIF with these dimensions. Each frame paints one pixel, black and white in turn. */
export function animatedGif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from("GIF89a\0\0\0\0\x80\0\0", "latin1");
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const colors = Buffer.from("000000ffffff", "hex");
  const [black, white] = ["44", "4c"].map((pixel) =>
    Buffer.from(`2c0000000001000100000202${pixel}0100`, "hex"),
  );
  const pixels = Array.from({ length: frames }, (_, at) => (at % 2 === 0 ? black! : white!));
  return Buffer.concat([screen, colors, ...pixels, Buffer.from(";")]);
}

/** A small AVIF whose `ispe` box claims these dimensions. */
export async function avifClaim(width: number, height: number): Promise<Buffer> {
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#888" } })
    .avif({ effort: 0 })
    .toBuffer();
  const box = file.indexOf("ispe");
  file.writeUInt32BE(width, box + 8);
  file.writeUInt32BE(height, box + 12);
  return file;
}

export const svgClaim = (width: number, height: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/></svg>`,
  );
