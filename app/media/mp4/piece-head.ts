import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { box } from "./boxes.ts";
import { boxesIn, findBox, handlerOf, trackNumber } from "./film-boxes.ts";
import { initOf } from "./init-segment.ts";

/**
 * A converter cannot read MP4 from a pipe, because the index may be at the end of the film. Instead it reads this head,
 * which describes one track as the film does, followed by pieces of that track.
 */

/** Units per second. */
export const pieceTimescale = 90_000;

const maxDescriptionBytes = 1024 * 1024;

export function pieceHead(film: FilmBytes, track: number): Uint8Array {
  const whole = findBox(film, { start: 0, end: film.size }, "moov");
  for (const trak of boxesIn(film, whole)) {
    if (trak.type !== "trak" || trackNumber(film, findBox(film, trak, "tkhd")) !== track) continue;
    const media = findBox(film, trak, "mdia");
    const kind = handlerOf(film, media);
    const description = findBox(film, media, "minf", "stbl", "stsd");
    const length = description.end - description.start;
    if (length > maxDescriptionBytes) throw new DamagedFilm("the description of the track is too large");
    return initOf({
      handler: kind === "soun" ? "soun" : "vide",
      timescale: pieceTimescale,
      descriptions: box("stsd", film.read(description.start, length)),
      widthPx: 0,
      heightPx: 0,
    });
  }
  throw new DamagedFilm("the film has no such track");
}
