import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import sharp from "sharp";
import { decodePercent } from "#app/platform/percent-decoding.ts";
import { CannotRender } from "../render-job.ts";
import { isTooMuchWork, judgeDrawing } from "./drawing-cost.ts";
import { maxDrawingBytes } from "./drawing-tree.ts";

const maxEmbedded = 50;
const maxEmbeddedPixels = 50_000_000;

/**
 * Refuses an SVG that costs too much to draw. Returns the unpacked text, and a check to run once the picture's size is
 * known.
 */
export async function checkDrawing(bytes: Buffer) {
  const unpacked = await unpack(bytes);
  if (unpacked.length > maxDrawingBytes) throw new CannotRender("too_complex");
  const { work, embedded } = judgeDrawing(unpacked.toString("utf8"));
  if (embedded.length > maxEmbedded) throw new CannotRender("too_complex");
  await checkEmbedded(embedded);
  return {
    bytes: unpacked,
    checkSize(pixels: number) {
      if (isTooMuchWork(pixels, work)) throw new CannotRender("too_complex");
    },
  };
}

async function unpack(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxDrawingBytes });
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new CannotRender(isTooLarge ? "too_complex" : "not_an_image");
  }
}

/** Pictures embedded in the drawing are decoded in full, like any other picture. */
async function checkEmbedded(embedded: readonly string[]) {
  let pixels = 0;
  for (const url of embedded) {
    const [head = "", data = ""] = url.split(",", 2);
    const bytes = /;base64$/i.test(head)
      ? Buffer.from(data, "base64")
      : Buffer.from(decodePercent(data) ?? "", "latin1");
    if (bytes.length === 0) continue;
    const metadata = await sharp(bytes, { limitInputPixels: false })
      .metadata()
      .catch(() => null);
    if (metadata?.format === "svg") throw new CannotRender("too_complex");
    pixels += metadata ? metadata.width * metadata.height : 0;
    if (pixels > maxEmbeddedPixels) throw new CannotRender("too_many_pixels");
  }
}
