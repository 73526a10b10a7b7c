import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { box } from "./boxes.ts";
import { boxesIn, contentOf, getBox, handlerOf, type Part, trackNumber } from "./film-boxes.ts";
import { initOf, type PictureTurn } from "./init-segment.ts";

/**
 * A converter cannot read MP4 from a pipe, because the index may be at the end of the film. Instead it reads this head,
 * which describes one track as the film does, followed by pieces of that track.
 */

/** Units per second. */
export const pieceTimescale = 90_000;

const maxDescriptionBytes = 1024 * 1024;

export function pieceHead(film: FilmBytes, track: number): Uint8Array {
  const whole = getBox(film, { start: 0, end: film.size }, "moov");
  for (const trak of boxesIn(film, whole)) {
    if (trak.type !== "trak") continue;
    const header = getBox(film, trak, "tkhd");
    if (trackNumber(film, header) !== track) continue;
    const media = getBox(film, trak, "mdia");
    const kind = handlerOf(film, media);
    const description = getBox(film, media, "minf", "stbl", "stsd");
    const length = description.end - description.start;
    if (length > maxDescriptionBytes) throw new DamagedFilm("the description of the track is too large");
    return initOf({
      handler: kind === "soun" ? "soun" : "vide",
      timescale: pieceTimescale,
      descriptions: box("stsd", film.read(description.start, length)),
      widthPx: 0,
      heightPx: 0,
      ...turnOf(film, header),
    });
  }
  throw new DamagedFilm("the film has no such track");
}

/**
 * How the picture is turned, to the nearest quarter. Cameras and phones write such turns. At other angles, ffmpeg would
 * turn every pixel by itself, which is slow.
 */
function turnOf(film: FilmBytes, header: Part): { turn?: PictureTurn } {
  const bytes = contentOf(film, header);
  const at = bytes[0] === 1 ? 52 : 40;
  if (bytes.length < at + 20) return {};
  const [a, b, c, d] = [
    bytes.readInt32BE(at),
    bytes.readInt32BE(at + 4),
    bytes.readInt32BE(at + 12),
    bytes.readInt32BE(at + 16),
  ];
  const isOnItsSide = Math.abs(b) > Math.abs(a);
  const turn: PictureTurn = isOnItsSide
    ? [0, Math.sign(b), Math.sign(c), 0]
    : [Math.sign(a), 0, 0, Math.sign(d)];
  return turn.filter((one) => one !== 0).length === 2 ? { turn } : {};
}
