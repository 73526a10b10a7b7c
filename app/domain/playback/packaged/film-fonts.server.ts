import type { Readable } from "node:stream";
import { done, type Outcome } from "#app/domain/errors.ts";
import { openServedFile } from "#app/domain/films/films.server.ts";
import type { AttachedFont } from "#app/media/film/inspection.ts";
import { listServedFonts } from "../offers/listed-fonts.ts";
import { type FilmAddress, noSuchPart, openVersion } from "./film-version.server.ts";
import { refusalOf } from "./packaged-film.server.ts";

/** Opens the fonts attached to a film, for the player that draws its subtitles. */

type FilmFont = { type: string; size: number; read(): Readable };

export async function openFilmFont(
  address: FilmAddress & { font: number },
  client: string,
): Promise<Outcome<FilmFont>> {
  try {
    const opened = await openVersion(address, client);
    const font = opened?.film.inspection.fonts[address.font];
    if (!opened || !font || !listServedFonts(opened.film.inspection).includes(address.font))
      return noSuchPart;
    const file = await openServedFile(opened.film.path);
    if (!file.ok) return file;
    const read = (length: number) => file.value.read({ start: font.at, end: font.at + length - 1 });
    const type = await typeOf(font, read);
    return type === null ? noSuchPart : done({ type, size: font.size, read: () => read(font.size) });
  } catch (error) {
    return refusalOf(error);
  }
}

const types: Readonly<Record<string, string>> = {
  "\0\u0001\0\0": "font/ttf",
  true: "font/ttf",
  OTTO: "font/otf",
  ttcf: "font/collection",
  wOFF: "font/woff",
  wOF2: "font/woff2",
};
const signatureBytes = 4;

/**
 * The media type from the font's first bytes, because the type in the film may be wrong. Null if the file is not a
 * font.
 */
async function typeOf({ size }: AttachedFont, read: (length: number) => Readable): Promise<string | null> {
  if (size <= signatureBytes) return null;
  const signature = Buffer.concat(await read(signatureBytes).toArray());
  return types[signature.toString("latin1")] ?? null;
}
