import sharp, { type Metadata, type Sharp } from "sharp";
import { mebibytes } from "#app/platform/units.ts";
import { checkDrawing } from "./drawing/check-drawing.ts";
import type { ImageFormat, ImageSpec } from "./image-spec.ts";
import { CannotRender, isDrawing, type RenderedImage } from "./render-job.ts";

/** Decodes and encodes untrusted images. Runs in a child process, which may be killed at any time. */

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

const megapixels = (count: number) => count * 1_000_000;
/** AV1 decoders keep the whole decoded picture in memory, whatever output size is requested. */
const maxPixels = (format: string) => (format === "heif" ? megapixels(16.8) : megapixels(50));
/** The limit for all frames together. If an animation exceeds it, only the first frame is converted. */
const maxAnimatedPixels = megapixels(60);
const maxWebpSidePx = 16_383;
const maxAvifPixels = megapixels(16.7);

/** A conversion above one of these limits may take longer than a third of a second. */
const maxQuickInputPixels = megapixels(8);
const maxQuickOutputPixels = { webp: megapixels(1.5), jpeg: megapixels(1.5), avif: megapixels(0.5) };

type Opened = {
  image: Sharp;
  widthPx: number;
  heightPx: number;
  /** The number of frames, or 1 if the animation is not kept. */
  frames: number;
  /** Throws if this is a drawing that costs too much at this size. librsvg draws at the size of the result. */
  checkDrawing(pixels: number): void;
};

/** Checks format and size in the header, before any pixel is decoded. */
async function open(received: Buffer, keepAnimation: boolean): Promise<Opened> {
  // sharp throws synchronously for an empty buffer, which would end the process.
  if (received.length === 0) throw new CannotRender("not_an_image");
  const drawing = isDrawing(received) ? await checkDrawing(received) : null;
  const bytes = drawing?.bytes ?? received;
  const options = { limitInputPixels: false, failOn: "error" } as const;
  const metadata = await orNotAnImage(sharp(bytes, options).metadata());
  const heightPx = metadata.pageHeight ?? metadata.height;
  const pixels = metadata.width * heightPx;
  if (pixels > maxPixels(metadata.format)) throw new CannotRender("too_many_pixels");
  // Without this, text that `isDrawing` does not recognise could still be drawn as SVG.
  if ((metadata.format === "svg") !== (drawing !== null)) throw new CannotRender("not_an_image");
  const frames = metadata.pages ?? 1;
  const isAnimated =
    keepAnimation && frames > 1 && metadata.format !== "heif" && pixels * frames <= maxAnimatedPixels;
  const image = sharp(bytes, { ...options, ...(isAnimated && { pages: -1 }) });
  const isRotated = !isAnimated && isRotatedByExif(metadata);
  return {
    image: isAnimated ? image : image.autoOrient(),
    widthPx: isRotated ? heightPx : metadata.width,
    heightPx: isRotated ? metadata.width : heightPx,
    frames: isAnimated ? frames : 1,
    checkDrawing: (pixels) => drawing?.checkSize(pixels),
  };
}

const isRotatedByExif = ({ orientation }: Metadata) => orientation !== undefined && orientation >= 5;

async function orNotAnImage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new CannotRender("not_an_image");
  }
}

/** With `mustBeQuick`, fails with `slow` if the conversion may take long. */
export async function renderImage(
  bytes: Buffer,
  spec: ImageSpec,
  mustBeQuick: boolean,
): Promise<RenderedImage> {
  const opened = await open(bytes, spec.format === "webp");
  const bounds = boundsFor(opened, spec);
  const { widthPx, heightPx, frames } = opened;
  opened.checkDrawing(bounds.width * bounds.height);
  const isSlow =
    widthPx * heightPx * frames > maxQuickInputPixels ||
    bounds.width * bounds.height * frames > maxQuickOutputPixels[spec.format];
  if (mustBeQuick && isSlow) throw new CannotRender("slow");
  const resized = opened.image.resize({ ...bounds, fit: "fill" });
  return encode(resized, spec.format, spec.quality);
}

/** The largest size within the requested width and the format's limits. */
function boundsFor({ widthPx, heightPx }: Opened, spec: ImageSpec) {
  const widthScale = Math.min(widthPx, spec.widthPx || Number.POSITIVE_INFINITY) / widthPx;
  const sideScale = maxWebpSidePx / Math.max(widthPx, heightPx);
  const areaScale = spec.format === "avif" ? Math.sqrt(maxAvifPixels / (widthPx * heightPx)) : 1;
  const scale = Math.min(widthScale, sideScale, areaScale, 1);
  return {
    width: Math.max(1, Math.round(widthPx * scale)),
    height: Math.max(1, Math.round(heightPx * scale)),
  };
}

/**
 * Effort 2 instead of the default takes an eighth of the time for AVIF, for 8 % more bytes, and little more than half for
 * WebP, for 5 % more.
 */
async function encode(image: Sharp, format: ImageFormat, quality: number): Promise<RenderedImage> {
  const encoders: Record<ImageFormat, () => Sharp> = {
    avif: () => image.avif({ quality, effort: 2 }),
    webp: () => image.webp({ quality, effort: 2 }),
    // JPEG has no transparency; without a background, transparent pixels would become black.
    jpeg: () => image.flatten({ background: "white" }).jpeg({ quality }),
  };
  const { data, info } = await orNotAnImage(encoders[format]().toBuffer({ resolveWithObject: true }));
  return { ok: true, bytes: data, format, widthPx: info.width, heightPx: info.pageHeight ?? info.height };
}

const shapes = {
  avatar: { width: 512, height: 512 },
  banner: { width: 1080, height: 300 },
  "title-picture": { width: 800, height: 1200 },
  "title-banner": { width: 1600, height: 900 },
  /** The size of AniList's banners. */
  "wide-banner": { width: 1900, height: 400 },
  portrait: { width: 300, height: 450 },
  still: { width: 640, height: 360 },
} as const;
const maxStoredBytes = mebibytes(1);

type StorageAttempt = { quality: number; scale: number; frames: "all" | "first" };
const animatedAttempts: readonly StorageAttempt[] = [
  { quality: 75, scale: 1, frames: "all" },
  { quality: 50, scale: 1, frames: "all" },
  { quality: 40, scale: 0.7, frames: "all" },
  { quality: 30, scale: 0.45, frames: "all" },
];
const stillAttempts: readonly StorageAttempt[] = [
  { quality: 82, scale: 1, frames: "first" },
  { quality: 60, scale: 1, frames: "first" },
  { quality: 30, scale: 1, frames: "first" },
  { quality: 10, scale: 0.5, frames: "first" },
];

/**
 * Converts a picture for storage: cropped to its shape and never enlarged. Quality, size and frames are lowered until
 * it is small enough.
 */
export async function renderForStorage(bytes: Buffer, shape: keyof typeof shapes): Promise<RenderedImage> {
  const source = await open(bytes, true);
  source.checkDrawing(source.widthPx * source.heightPx);
  const attempts = source.frames > 1 ? [...animatedAttempts, ...stillAttempts] : stillAttempts;
  for (const { quality, scale, frames } of attempts) {
    const opened = await open(bytes, frames === "all");
    const { width, height } = cropSize(opened, shapes[shape], scale);
    const rendered = await encode(
      opened.image.resize({ width, height, fit: "cover", position: "centre" }),
      "webp",
      quality,
    );
    if (rendered.bytes.length <= maxStoredBytes) return rendered;
  }
  throw new CannotRender("too_many_pixels");
}

/** The largest size with the shape's proportions that does not enlarge the picture. */
function cropSize({ widthPx, heightPx }: Opened, shape: { width: number; height: number }, scale: number) {
  const factor = Math.min(1, widthPx / shape.width, heightPx / shape.height) * scale;
  return {
    width: Math.max(1, Math.round(shape.width * factor)),
    height: Math.max(1, Math.round(shape.height * factor)),
  };
}
