/** The width, quality and format of a converted image, clamped so that equivalent requests share one cache entry. */

/** The output formats of the image proxy. */
export const imageFormats = ["webp", "avif"] as const;
/** JPEG is offered only for posters, for programs that cannot show WebP. */
export type PosterFormat = "webp" | "jpeg";
export type ImageFormat = (typeof imageFormats)[number] | PosterFormat;

export type ImageSpec = {
  /** 0 keeps the original width. */
  widthPx: number;
  quality: number;
  format: ImageFormat;
};

/** A profile's picture on another server. Longer addresses are not stored. */
export const maxPictureUrlLength = 2048;

const maxWidthPx = 4096;
const defaultQuality = 50;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.trunc(value)));

export function imageSpec(requested: {
  w?: number | undefined;
  q?: number | undefined;
  format?: ImageFormat | undefined;
}): ImageSpec {
  return {
    widthPx: clamp(requested.w ?? 0, 0, maxWidthPx),
    quality: clamp(requested.q ?? defaultQuality, 1, 100),
    format: requested.format ?? "webp",
  };
}

export const specKey = ({ widthPx, quality, format }: ImageSpec) => `${format} w${widthPx} q${quality}`;

/**
 * Poster widths are rounded up to these steps. Otherwise a client could make the server draw every width of every
 * title.
 */
const posterStepPx = 80;
const maxPosterPx = 1200;

export const posterWidth = (w: number | undefined) =>
  Math.ceil(clamp(w ?? 400, 1, maxPosterPx) / posterStepPx) * posterStepPx;
