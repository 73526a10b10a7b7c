import sharp, { type Metadata, type Sharp } from "sharp";
import { mebibytes } from "#app/platform/units.ts";
import type { ImageFormat, ImageSpec } from "./image-spec.ts";
import type { RenderedImage, RenderFailure } from "./render-job.ts";

/** Everything that touches a stranger's pixels; it runs in a child process that may be killed at any time. */

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
    "VipsForeignLoadHeifBuffer",
    "VipsForeignLoadSvgBuffer",
  ],
});

export class CannotRender extends Error {
  override name = "CannotRender";
  readonly failure: RenderFailure;
  constructor(failure: RenderFailure) {
    super(failure);
    this.failure = failure;
  }
}

const megapixels = (count: number) => count * 1_000_000;
/** AV1 decoders take all of a picture into memory, whatever size is asked for. */
const maxPixels = (format: string) => (format === "heif" ? megapixels(16.8) : megapixels(50));
/** All frames together; beyond it the first frame stands for the animation. */
const maxAnimatedPixels = megapixels(60);
const maxWebpSidePx = 16_383;
const maxAvifPixels = megapixels(16.7);

type Opened = { image: Sharp; widthPx: number; heightPx: number; isAnimated: boolean };

/** Size and kind by the header alone, before a pixel is decoded. */
async function open(bytes: Buffer, keepAnimation: boolean): Promise<Opened> {
  // The library throws for these before it gives a promise, and the process would end.
  if (bytes.length === 0) throw new CannotRender("not_an_image");
  const options = { limitInputPixels: false, failOn: "error" } as const;
  const metadata = await orNotAnImage(sharp(bytes, options).metadata());
  const heightPx = metadata.pageHeight ?? metadata.height;
  const pixels = metadata.width * heightPx;
  if (pixels > maxPixels(metadata.format)) throw new CannotRender("too_many_pixels");
  const frames = metadata.pages ?? 1;
  const isAnimated =
    keepAnimation && frames > 1 && metadata.format !== "heif" && pixels * frames <= maxAnimatedPixels;
  const image = sharp(bytes, { ...options, ...(isAnimated && { pages: -1 }) });
  const turned = !isAnimated && isTurned(metadata);
  return {
    image: isAnimated ? image : image.autoOrient(),
    widthPx: turned ? heightPx : metadata.width,
    heightPx: turned ? metadata.width : heightPx,
    isAnimated,
  };
}

const isTurned = ({ orientation }: Metadata) => orientation !== undefined && orientation >= 5;

async function orNotAnImage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new CannotRender("not_an_image");
  }
}

export async function renderImage(bytes: Buffer, spec: ImageSpec): Promise<RenderedImage> {
  const opened = await open(bytes, spec.format === "webp");
  const bounds = boundsFor(opened, spec);
  const resized = opened.image.resize({ ...bounds, fit: "fill" });
  const outputPixels = bounds.width * bounds.height;
  return encode(resized, spec.format, spec.quality, outputPixels);
}

/** The box the result has to fit in: the width asked for, and what the format can hold. */
function boundsFor({ widthPx, heightPx }: Opened, spec: ImageSpec) {
  const wanted = Math.min(widthPx, spec.widthPx || Number.POSITIVE_INFINITY) / widthPx;
  const longest = maxWebpSidePx / Math.max(widthPx, heightPx);
  const pixels = spec.format === "avif" ? Math.sqrt(maxAvifPixels / (widthPx * heightPx)) : 1;
  const scale = Math.min(wanted, longest, pixels, 1);
  return {
    width: Math.max(1, Math.round(widthPx * scale)),
    height: Math.max(1, Math.round(heightPx * scale)),
  };
}

/** Measured: AVIF at effort 2 costs an eighth of the default's time for 8 % more bytes. */
async function encode(
  image: Sharp,
  format: ImageFormat,
  quality: number,
  pixels: number,
): Promise<RenderedImage> {
  const encoder =
    format === "avif"
      ? image.avif({ quality, effort: 2 })
      : image.webp({ quality, effort: pixels > megapixels(1) ? 2 : 4 });
  const { data, info } = await orNotAnImage(encoder.toBuffer({ resolveWithObject: true }));
  return { ok: true, bytes: data, format, widthPx: info.width, heightPx: info.pageHeight ?? info.height };
}

const shapes = { avatar: { width: 512, height: 512 }, banner: { width: 1080, height: 300 } } as const;
const maxStoredBytes = mebibytes(1);

/** A picture for keeping: cropped to its shape, never enlarged, at most 1 MiB whatever came in. */
export async function renderForStorage(bytes: Buffer, shape: keyof typeof shapes): Promise<RenderedImage> {
  const moving = await open(bytes, true);
  const attempts: [quality: number, scale: number, frames: "all" | "first"][] = [
    ...(moving.isAnimated
      ? (
          [
            [75, 1, "all"],
            [50, 1, "all"],
            [40, 0.7, "all"],
            [30, 0.45, "all"],
          ] as const
        ).map((step) => [...step] as [number, number, "all"])
      : []),
    [82, 1, "first"],
    [60, 1, "first"],
    [30, 1, "first"],
    [10, 0.5, "first"],
  ];
  for (const [quality, scale, frames] of attempts) {
    const opened = await open(bytes, frames === "all");
    const { width, height } = cropped(opened, shapes[shape], scale);
    const rendered = await encode(
      opened.image.resize({ width, height, fit: "cover", position: "centre" }),
      "webp",
      quality,
      width * height,
    );
    if (rendered.bytes.length <= maxStoredBytes) return rendered;
  }
  throw new CannotRender("too_many_pixels");
}

/** The largest box of the shape's proportions that needs no enlarging. */
function cropped({ widthPx, heightPx }: Opened, shape: { width: number; height: number }, scale: number) {
  const factor = Math.min(1, widthPx / shape.width, heightPx / shape.height) * scale;
  return {
    width: Math.max(1, Math.round(shape.width * factor)),
    height: Math.max(1, Math.round(shape.height * factor)),
  };
}
