import type { Inspection } from "#app/media/film/inspection.ts";
import { mebibytes } from "#app/platform/units.ts";

/** Selects the fonts inside a film that a player gets. */

export const fontName = (number: number) => `font-${number}`;

/** The largest fonts, which cover Chinese, Japanese and Korean together, have about 20 MB. */
const maxFontBytes = mebibytes(32);
/** A player loads all fonts before it draws the first line. */
const maxFonts = 100;
const maxAllBytes = mebibytes(96);

/** The numbers of the fonts that a player gets. */
export function listServedFonts({ fonts }: Pick<Inspection, "fonts">): number[] {
  const seen = new Set<string>();
  let sum = 0;
  return [...fonts.entries()].flatMap(([number, font]) => {
    const key = `${font.name} ${font.size}`;
    if (font.size > maxFontBytes || seen.has(key) || seen.size >= maxFonts) return [];
    if (sum + font.size > maxAllBytes) return [];
    seen.add(key);
    sum += font.size;
    return [number];
  });
}
