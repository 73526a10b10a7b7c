/** What a rendered image should be. Parsed and clamped here, so that equal wishes share one cache entry. */

export const imageFormats = ["webp", "avif"] as const;
export type ImageFormat = (typeof imageFormats)[number];

export type ImageSpec = {
  /** 0 keeps the original width. */
  widthPx: number;
  quality: number;
  format: ImageFormat;
};

const maxWidthPx = 4096;
const defaultQuality = 50;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.trunc(value)));

export function imageSpec(wish: {
  w?: number | undefined;
  q?: number | undefined;
  format?: ImageFormat | undefined;
}) {
  const spec: ImageSpec = {
    widthPx: clamp(wish.w ?? 0, 0, maxWidthPx),
    quality: clamp(wish.q ?? defaultQuality, 1, 100),
    format: wish.format ?? "webp",
  };
  return spec;
}

export const specKey = ({ widthPx, quality, format }: ImageSpec) => `${format} w${widthPx} q${quality}`;

/** Posters come in steps, so that nobody can have every width of every title drawn. */
const posterStepPx = 80;
const maxPosterPx = 1200;

export const posterWidth = (w: number | undefined) =>
  Math.ceil(clamp(w ?? 400, 1, maxPosterPx) / posterStepPx) * posterStepPx;
