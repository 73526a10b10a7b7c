import { H, type Random, randomFrom, rect, type Scene, W } from "./brushes.ts";
import { blossom, forest, mountains, sea, snow, waves, wires } from "./outdoors.ts";
import { type Palette, palettes } from "./palettes.ts";
import { city, gate, lanterns, rain, space } from "./places.ts";

/** What a drawn poster shows: a view chosen and varied by the title's id alone. */

const scenes: readonly Scene[] = [
  mountains,
  sea,
  city,
  wires,
  forest,
  space,
  blossom,
  rain,
  gate,
  waves,
  lanterns,
  snow,
];

export type PosterView = { svg: (widthPx: number) => string; palette: Palette; random: Random };

export function posterView(id: number): PosterView {
  const random = randomFrom(id);
  const palette = palettes[random.whole(0, palettes.length - 1)] ?? (palettes[0] as Palette);
  const scene = scenes[random.whole(0, scenes.length - 1)] ?? mountains;
  const drawn = scene(random, palette);
  const [top, middle, low] = palette.sky;
  const svg = (widthPx: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${Math.round((widthPx * H) / W)}" viewBox="0 0 ${W} ${H}"><defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="0.42" stop-color="${middle}"/><stop offset="0.72" stop-color="${low}"/></linearGradient>
<radialGradient id="halo"><stop offset="0" stop-color="${palette.light}" stop-opacity="0.75"/><stop offset="0.35" stop-color="${palette.light}" stop-opacity="0.22"/><stop offset="1" stop-color="${palette.light}" stop-opacity="0"/></radialGradient>
<linearGradient id="mist" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${low}" stop-opacity="0"/><stop offset="1" stop-color="${low}" stop-opacity="0.7"/></linearGradient>
<linearGradient id="depth" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.near}" stop-opacity="0"/><stop offset="1" stop-color="${palette.near}"/></linearGradient>
<linearGradient id="foot" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.near}" stop-opacity="0"/><stop offset="0.55" stop-color="${palette.near}" stop-opacity="0.72"/><stop offset="1" stop-color="${palette.near}" stop-opacity="0.96"/></linearGradient>
</defs>${rect(0, 0, W, H, "url(#sky)")}${drawn}${rect(0, 300, W, 300, "url(#foot)")}</svg>`;
  return { svg, palette, random };
}
