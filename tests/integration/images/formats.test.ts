import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { animatedGif } from "#tests/support/data/misleading-images.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Compares converted images with sharp's own conversion of the same source. */

async function convert(body: Buffer, query = "w=90&q=95") {
  const response = await request(`/api/proxy?${query}`, { method: "POST", body: body as BodyInit });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const pixels = (image: Sharp) =>
  image.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });

/** The mean difference between the channels (0 to 255) of two images, which must have the same size. */
async function distance(one: Sharp, other: Sharp) {
  const [a, b] = await Promise.all([pixels(one), pixels(other)]);
  expect([a.info.width, a.info.height]).toEqual([b.info.width, b.info.height]);
  let sum = 0;
  for (let at = 0; at < a.data.length; at++) sum += Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0));
  return sum / a.data.length;
}

/** A picture in which every corner and direction differs. */
const scene = sharp(
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="180" height="120">
    <defs><linearGradient id="g"><stop offset="0" stop-color="#f30"/><stop offset="1" stop-color="#06f"/></linearGradient></defs>
    <rect width="180" height="120" fill="url(#g)"/><rect width="60" height="30" fill="#fff"/>
    <circle cx="150" cy="90" r="22" fill="#0c4"/><rect x="10" y="90" width="30" height="20" fill="#111"/></svg>`),
);
const upright = await scene.png().toBuffer();
const image = () => sharp(upright);

describe("converting an image", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "with EXIF orientation %i gives it upright and without EXIF",
    async (orientation) => {
      const body = await image().jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
      const { bytes } = await convert(body);
      expect(await distance(sharp(bytes), sharp(body).autoOrient().resize({ width: 90 }))).toBeLessThan(4);
      expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    },
  );

  const kinds: [string, () => Promise<Buffer>][] = [
    ["CMYK JPEG", () => image().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer()],
    ["Display P3", () => image().withIccProfile("p3").png().toBuffer()],
    ["16 bits a channel", () => image().toColourspace("rgb16").png().toBuffer()],
    ["grey with alpha", () => image().grayscale().ensureAlpha(0.5).png().toBuffer()],
    ["a palette", () => image().png({ palette: true, colours: 8 }).toBuffer()],
    ["progressive JPEG", () => image().jpeg({ progressive: true, quality: 95 }).toBuffer()],
    ["interlaced PNG", () => image().png({ progressive: true }).toBuffer()],
    ["WebP", () => image().webp({ lossless: true }).toBuffer()],
    ["AVIF", () => image().avif({ quality: 90 }).toBuffer()],
    ["one GIF frame", () => image().gif().toBuffer()],
    ["one pixel", () => image().resize(1, 1).png().toBuffer()],
  ];
  test.each(kinds)("from %s gives the same image as WebP and AVIF", async (_name, make) => {
    const body = await make();
    const width = Math.min(90, (await sharp(body).metadata()).width);
    for (const format of ["webp", "avif"]) {
      const { status, bytes } = await convert(body, `w=90&q=95&format=${format}`);
      expect(status).toBe(200);
      expect(await distance(sharp(bytes), sharp(body).resize({ width }))).toBeLessThan(6);
    }
  });

  test("from SVG gives WebP", async () => {
    const { bytes } = await convert(
      Buffer.from(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#f00"/></svg>',
      ),
    );
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 90, height: 60 });
  });

  const frames = (count: number) =>
    sharp(Buffer.concat(Array.from({ length: count }, (_, at) => Buffer.alloc(120 * 80 * 3, 20 + at * 60))), {
      raw: { width: 120, height: 80 * count, channels: 3, pageHeight: 80 },
    });
  test.each(["gif", "webp"] as const)(
    "from an animated %s gives an animated WebP, and a still AVIF",
    async (format) => {
      const body = await frames(4)
        .toFormat(format, { delay: [50, 100, 150, 200], loop: 2 })
        .toBuffer();
      const moving = await sharp((await convert(body, "w=60")).bytes, { pages: -1 }).metadata();
      expect(moving).toMatchObject({
        pages: 4,
        width: 60,
        pageHeight: 40,
        loop: 2,
        delay: [50, 100, 150, 200],
      });
      const still = await sharp((await convert(body, "w=60&format=avif")).bytes).metadata();
      expect([still.pages ?? 1, still.width, still.height]).toEqual([1, 60, 40]);
    },
  );

  test("from an animation with too many pixels gives its first frame", async () => {
    const pagesOf = async (frames: number) => {
      const { status, bytes } = await convert(animatedGif(1000, 1000, frames), "w=0");
      expect(status).toBe(200);
      return (await sharp(bytes).metadata()).pages ?? 1;
    };
    expect([await pagesOf(2), await pagesOf(70)]).toEqual([2, 1]);
  });
});

describe("400 is the answer to", async () => {
  const jpeg = await image().jpeg().toBuffer();
  const png = await image().png().toBuffer();
  const corrupt = Buffer.from(png).fill(0x55, 60, 120);
  const heic = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from("ftypheic\0\0\0\0mif1heic"),
    Buffer.alloc(200),
  ]);
  const bodies: [string, Buffer][] = [
    ["a truncated JPEG", jpeg.subarray(0, jpeg.length / 2)],
    ["a JPEG's first bytes", jpeg.subarray(0, 30)],
    ["a truncated PNG", png.subarray(0, png.length / 2)],
    ["a truncated WebP", (await image().webp().toBuffer()).subarray(0, 200)],
    ["a truncated AVIF", (await image().avif().toBuffer()).subarray(0, 400)],
    ["a corrupt PNG", corrupt],
    ["HTML called JPEG", Buffer.from("<!doctype html><title>Not found</title>")],
    ["BMP", Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)])],
    ["PDF", Buffer.from("%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF")],
    ["HEIC", heic],
    ["TIFF", await image().tiff().toBuffer()],
    ["a font", readFileSync("public/fonts/MPLUS1p-ExtraBold.ttf")],
    ["text", Buffer.from("hello")],
    ["zeros", Buffer.alloc(1000)],
    ["XML that is no SVG", Buffer.from('<?xml version="1.0"?><a/>')],
    [
      "an SVG that includes files",
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"><text>&x;</text></svg>',
      ),
    ],
  ];
  test.each(bodies)("%s", async (_name, body) => expect((await convert(body)).status).toBe(400));
});
