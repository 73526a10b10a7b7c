import { existsSync, readFileSync } from "node:fs";
import sharp, { type OverlayOptions } from "sharp";
import { ownFile } from "../../../platform/own-files.server.ts";
import type { PosterFacts, Rendered } from "../render-job.ts";
import { sheet } from "./brushes.ts";
import { fontMeasure, type Measure } from "./font-metrics.ts";
import { type SetText, setText, splitTitle } from "./title-setting.ts";
import { posterView } from "./view.ts";

/** A poster for a title that has no picture: the same facts give the same bytes, on every machine. */

const fontName = "M PLUS 1p ExtraBold";
const fontFile = ["build/client/fonts", "public/fonts"]
  .map((folder) => ownFile(`${folder}/MPLUS1p-ExtraBold.ttf`))
  .find(existsSync);

let known: Measure | undefined;
const measure: Measure = (text) => {
  if (!fontFile) throw new Error("the poster font is missing");
  known ??= fontMeasure(readFileSync(fontFile));
  return known(text);
};

const escapeMarkup = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

type Style = { color: string; sizePx: number; leading: number; spacing?: number; align?: "left" | "center" };

/** Text as a picture of its own; pango counts letter spacing in 1024ths of a point, a point here being a pixel. */
async function textLayer(lines: string[], style: Style) {
  const spacing = Math.round((style.spacing ?? 0) * style.sizePx * 1024);
  const markup = `<span foreground="${style.color}" letter_spacing="${spacing}" line_height="${style.leading}">${lines.map(escapeMarkup).join("\n")}</span>`;
  return sharp({
    text: {
      text: markup,
      font: `${fontName} ${style.sizePx.toFixed(2)}`,
      ...(fontFile && { fontfile: fontFile }),
      rgba: true,
      dpi: 72,
      align: style.align ?? "left",
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
}

const margin = 0.075;

export async function drawPoster(facts: PosterFacts, widthPx: number): Promise<Rendered> {
  const heightPx = Math.round((widthPx * sheet.height) / sheet.width);
  const view = posterView(facts.id);
  const { main, under } = splitTitle(facts.title);
  const left = Math.round(widthPx * margin);
  const boxPx = widthPx - 2 * left;
  const title = setText(main || " ", titleBox(boxPx, heightPx), measure);
  const below = under ? setText(under, underBox(boxPx, heightPx, title), measure) : null;

  const layers: OverlayOptions[] = [];
  let bottom = heightPx - left;
  const place = async (lines: string[], style: Style, gap: number) => {
    const { data, info } = await textLayer(lines, style);
    bottom -= info.height;
    layers.push({ input: data, left, top: Math.max(0, bottom) });
    bottom -= Math.round(gap);
  };
  if (facts.note)
    await place(
      [facts.note],
      { color: view.palette.accent, sizePx: widthPx * 0.034, leading: 1, spacing: 0.06 },
      widthPx * 0.03,
    );
  if (below)
    await place(below.lines, { color: "#e9e6ef", sizePx: below.sizePx, leading: 1.05 }, below.sizePx * 0.45);
  await place(title.lines, { color: "#ffffff", sizePx: title.sizePx, leading: 0.95, spacing: -0.015 }, 0);
  const { data, info } = await sharp(Buffer.from(view.svg(widthPx)))
    .composite(layers)
    .webp({ quality: 82, effort: 3 })
    .toBuffer({ resolveWithObject: true });
  return { ok: true, bytes: data, format: "webp", widthPx: info.width, heightPx: info.height };
}

const titleBox = (boxPx: number, heightPx: number) => ({
  widthPx: boxPx,
  heightPx: heightPx * 0.3,
  largestPx: boxPx * 0.2,
  smallestPx: boxPx * 0.042,
  leading: 1.12,
});

const underBox = (boxPx: number, heightPx: number, title: SetText) => ({
  widthPx: boxPx,
  heightPx: heightPx * 0.14,
  largestPx: Math.min(title.sizePx * 0.62, boxPx * 0.075),
  smallestPx: boxPx * 0.04,
  leading: 1.2,
});
