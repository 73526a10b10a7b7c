import type { PosterFacts } from "../render-job.ts";
import { motifOf } from "./motifs.ts";
import { atHour, type Palette, palettes } from "./palettes.ts";
import { randomFrom, rect, sheetHeight, sheetWidth } from "./svg-shapes.ts";

/**
 * The background of a drawn poster. Themes and genres choose what is drawn. All parts of a franchise share the scene
 * and the palette. The details and the hour differ for each part.
 */

export type PosterLook = Pick<PosterFacts, "id" | "franchise" | "part" | "tags">;

export function posterView({ id, franchise, part, tags }: PosterLook) {
  const motif = motifOf(tags);
  const shared = randomFrom(franchise ?? id);
  const choose = <Value>(values: readonly Value[]) => values[shared.whole(0, values.length - 1)];
  const fitting = palettes.filter(({ mood }) => motif.moods.includes(mood));
  const palette = atHour(choose(fitting) ?? (palettes[0] as Palette), part - 1);
  const random = randomFrom(id);
  const drawn = choose(motif.scenes)?.(random, palette) ?? "";
  /** Renders the background, darkened below `shadeFrom` (0 to 1 of its height) so that the title on it is readable. */
  const svg = (widthPx: number, shadeFrom: number) => {
    const size = `width="${widthPx}" height="${Math.round((widthPx * sheetHeight) / sheetWidth)}" viewBox="0 0 ${sheetWidth} ${sheetHeight}"`;
    const shade =
      rect(0, 0, sheetWidth, 230, "url(#head)") +
      rect(0, shadeFrom * sheetHeight, sheetWidth, sheetHeight, "url(#foot)");
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${gradients(palette)}</defs>${rect(0, 0, sheetWidth, sheetHeight, "url(#sky)")}${drawn}${shade}</svg>`;
  };
  return { palette, svg };
}

type Stop = [offset: number, color: string, opacity?: number];

const gradients = ({ sky: [top, middle, low], light, near }: Palette) =>
  gradient("linear", "sky", [
    [0, top],
    [0.42, middle],
    [0.72, low],
  ]) +
  gradient("radial", "halo", [
    [0, light, 0.75],
    [0.35, light, 0.22],
    [1, light, 0],
  ]) +
  gradient("linear", "mist", [
    [0, low, 0],
    [1, low, 0.7],
  ]) +
  gradient("linear", "depth", [
    [0, near, 0],
    [1, near, 1],
  ]) +
  gradient("linear", "head", [
    [0, near, 0.5],
    [1, near, 0],
  ]) +
  gradient("linear", "foot", [
    [0, near, 0],
    [0.25, near, 0.55],
    [0.5, near, 0.85],
    [1, near, 1],
  ]);

function gradient(kind: "linear" | "radial", id: string, stops: Stop[]) {
  const direction = kind === "linear" ? 'x1="0" y1="0" x2="0" y2="1"' : "";
  const inner = stops.map(
    ([offset, color, opacity = 1]) =>
      `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`,
  );
  return `<${kind}Gradient id="${id}" ${direction}>${inner.join("")}</${kind}Gradient>`;
}
