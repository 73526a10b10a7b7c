import { existsSync, readFileSync } from "node:fs";
import sharp, { type CreateRaw, type OverlayOptions, type Sharp } from "sharp";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import type { PosterFormat } from "../image-spec.ts";
import type { PosterFacts, RenderedImage } from "../render-job.ts";
import { type FontMetrics, readFontMetrics } from "./font-metrics.ts";
import { posterView } from "./poster-view.ts";
import { sheet } from "./svg-shapes.ts";
import { drawableName, layOutColumn, layOutText, splitTitle } from "./title-layout.ts";

/** Draws the poster of a title without a picture. The same facts produce the same bytes on every machine. */

const fontName = "M PLUS 1p ExtraBold";
const fontFile = ["build/client/fonts", "public/fonts"]
  .map((folder) => ownFilePath(`${folder}/MPLUS1p-ExtraBold.ttf`))
  .find(existsSync);
/** The font's default line height, in ems. */
const defaultLineHeight = 1.485;

let cachedMetrics: FontMetrics | undefined;
function fontMetrics(): FontMetrics {
  if (!fontFile) throw new Error("the poster font is missing");
  cachedMetrics ??= readFontMetrics(readFileSync(fontFile));
  return cachedMetrics;
}

type Style = {
  color: string;
  opacity?: number;
  sizePx: number;
  /** Line height and space between characters, in ems. */
  leading: number;
  tracking: number;
  /** Draws the forms for vertical text, of the long vowel mark and of punctuation for example. */
  isVertical?: boolean;
};
/** Raw pixels: encoding and decoding a format between two steps takes longer than drawing the text. */
type Layer = { input: Buffer; raw: CreateRaw };

const escapeMarkup = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Renders text with Pango markup. At 72 dpi a point is a pixel; `letter_spacing` counts in 1024ths of a point. */
async function textLayer(lines: string[], style: Style): Promise<Layer> {
  const attributes = Object.entries({
    foreground: style.color,
    alpha: `${Math.round((style.opacity ?? 1) * 100)}%`,
    letter_spacing: Math.round(style.tracking * style.sizePx * 1024),
    line_height: (style.leading / defaultLineHeight).toFixed(3),
    ...(style.isVertical && { font_features: "vert=1" }),
  }).map(([name, value]) => `${name}="${value}"`);
  const text = sharp({
    text: {
      text: `<span ${attributes.join(" ")}>${lines.map(escapeMarkup).join("\n")}</span>`,
      font: `${fontName} ${style.sizePx.toFixed(2)}`,
      ...(fontFile && { fontfile: fontFile }),
      rgba: true,
      dpi: 72,
    },
  });
  return pixelsOf(text);
}

/** Drops sharp's other metadata, which marks the pixels as premultiplied although sharp has already divided them. */
async function pixelsOf(picture: Sharp): Promise<Layer> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** WebP at effort 2 takes half the time of effort 3, for 5 % more bytes. */
const encodings = {
  webp: { quality: 82, effort: 2 },
  jpeg: { quality: 85 },
} as const satisfies Record<PosterFormat, object>;

export async function drawPoster(
  facts: PosterFacts,
  widthPx: number,
  format: PosterFormat,
): Promise<RenderedImage> {
  const heightPx = Math.round((widthPx * sheet.height) / sheet.width);
  const view = posterView(facts);
  const { hasGlyph } = fontMetrics();
  const title = drawableName([facts.title, facts.japanese], hasGlyph);
  const japanese = drawableName([facts.japanese], hasGlyph);
  const { layers, top } = await titleBlock(
    { title, note: facts.note },
    widthPx,
    heightPx,
    view.palette.accent,
  );
  const column = await sideColumn(japanese, widthPx, heightPx, view.palette.near);
  const shadeFrom = Math.min(0.62, top / heightPx - 0.14);
  const { data, info } = await sharp(Buffer.from(view.svg(widthPx, shadeFrom)))
    .composite([...layers, ...column])
    .toFormat(format, encodings[format])
    .toBuffer({ resolveWithObject: true });
  return { ok: true, bytes: data, format, widthPx: info.width, heightPx: info.height };
}

/** Stacks from the bottom up: kind and year, rest of the title, title. */
async function titleBlock(
  facts: Pick<PosterFacts, "title" | "note">,
  widthPx: number,
  heightPx: number,
  accent: string,
) {
  const left = Math.round(widthPx * 0.075);
  const boxPx = widthPx - 2 * left;
  const { measure } = fontMetrics();
  const { main, rest } = splitTitle(facts.title);
  const title = layOutText(main, titleBox(boxPx, heightPx * (rest ? 0.27 : 0.33)), measure);
  const restLines = layOutText(rest, restBox(boxPx, heightPx * 0.13, title.sizePx), measure);
  const blocks: { lines: string[]; style: Style; gapPx: number }[] = [
    {
      lines: [facts.note],
      style: { color: accent, sizePx: widthPx * 0.036, leading: 1, tracking: 0.08 },
      gapPx: widthPx * 0.045,
    },
    {
      lines: restLines.lines,
      style: { color: "#ffffff", opacity: 0.86, sizePx: restLines.sizePx, leading: 1.16, tracking: 0 },
      gapPx: widthPx * 0.035,
    },
    {
      lines: title.lines,
      style: { color: "#ffffff", sizePx: title.sizePx, leading: 1.1, tracking: -0.02 },
      gapPx: 0,
    },
  ];
  const layers: OverlayOptions[] = [];
  let top = heightPx - left;
  for (const { lines, style, gapPx } of blocks) {
    if (lines.join("") === "") continue;
    const layer = await textLayer(lines, style);
    top = Math.max(0, top - layer.raw.height);
    layers.push({ ...layer, left, top });
    top -= Math.round(gapPx);
  }
  return { layers, top };
}

const titleBox = (boxPx: number, heightPx: number) => ({
  widthPx: boxPx,
  heightPx,
  largestPx: boxPx * 0.2,
  smallestPx: boxPx * 0.045,
  leading: 1.1,
  tracking: -0.02,
});

const restBox = (boxPx: number, heightPx: number, titlePx: number) => ({
  widthPx: boxPx,
  heightPx,
  largestPx: Math.min(titlePx * 0.6, boxPx * 0.078),
  smallestPx: boxPx * 0.042,
  leading: 1.16,
  tracking: 0,
});

/**
 * The Japanese title, vertical at the right edge. A shadow keeps it readable on a bright sky. It starts below the
 * corner, where cards have their bookmark.
 */
async function sideColumn(
  japanese: string,
  widthPx: number,
  heightPx: number,
  ink: string,
): Promise<OverlayOptions[]> {
  const column = layOutColumn(japanese, heightPx * 0.33, widthPx * 0.05, widthPx * 0.032);
  if (!column) return [];
  const edge = Math.round(widthPx * 0.06);
  const top = Math.round(heightPx * 0.23);
  const style = {
    color: "#ffffff",
    opacity: 0.9,
    sizePx: column.sizePx,
    leading: 1.08,
    tracking: 0,
    isVertical: true,
  };
  const text = await textLayer(column.lines, style);
  const [left, spread] = [widthPx - edge - text.raw.width, Math.ceil(column.sizePx * 0.4)];
  const shadow = sharp(text.input, { raw: text.raw })
    .extend({ top: spread, bottom: spread, left: spread, right: spread, background: "#00000000" })
    .tint(ink)
    .linear([0.3, 0.3, 0.3, 1], [0, 0, 0, 0])
    .blur(Math.max(0.5, spread / 3));
  return [
    { ...(await pixelsOf(shadow)), left: left - spread, top: top - spread },
    { ...text, left, top },
  ];
}
