import type { ImageFormat, ImageSpec, PosterFormat } from "./image-spec.ts";

/** The messages between this process and its rendering child processes. */
export type PosterFacts = {
  id: number;
  title: string;
  japanese: string | null;
  /** The line at the bottom: type and year. */
  note: string;
  /** The number of the franchise, whose parts look alike. Null for a title without one. */
  franchise: number | null;
  /** The place in the franchise's order of release, from 1. */
  part: number;
  /** Themes and genres of the title, or of the first part of its franchise. */
  tags: readonly string[];
};

export type RenderJob =
  | ({ kind: "image" } & ImageSpec)
  | { kind: "avatar" | "banner" | "title-picture" | "title-banner" | "wide-banner" | "portrait" | "still" }
  | { kind: "poster"; facts: PosterFacts; widthPx: number; format: PosterFormat };

export type RenderOrder = RenderJob & {
  /** If the conversion may take long, the child process responds with `slow` instead of running it. */
  mustBeQuick: boolean;
};

type RenderFailure = "not_an_image" | "too_many_pixels" | "too_complex" | "too_slow" | "slow";

export class CannotRender extends Error {
  override name = "CannotRender";
  readonly failure: RenderFailure;
  constructor(failure: RenderFailure) {
    super(failure);
    this.failure = failure;
  }
}

export type RenderedImage = {
  ok: true;
  bytes: Buffer;
  format: ImageFormat;
  widthPx: number;
  heightPx: number;
};

export type RenderAnswer = {
  /** The child process exits after this response. */
  leaving?: true;
} & (Omit<RenderedImage, "bytes"> | { ok: false; failure: RenderFailure });

export type RenderRefusal = {
  ok: false;
  failure: Exclude<RenderFailure, "slow"> | "overloaded" | "crashed" | "unwanted";
  /** The time this client has to wait, if it has used up its allowance. */
  waitMs?: number;
};
export type RenderOutcome = RenderedImage | RenderRefusal;

/** SVG is text or gzipped text. Accepted pixel formats differ from it in their first byte. */
export const isDrawing = (bytes: Uint8Array) => bytes.length > 0 && !pixelFormats.has(bytes[0] ?? 0);
const pixelFormats = new Set(Buffer.from("\x89\xffGR\0", "latin1"));

/** The exit code of a child process that stops because it uses too much memory. */
export const outOfMemoryExitCode = 70;
