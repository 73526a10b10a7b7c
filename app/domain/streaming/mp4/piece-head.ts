import { initOf } from "../conversions/init-segment.ts";
import { DamagedFilm, type FilmBytes } from "../matroska/ebml.ts";
import { box } from "../packaging/boxes.ts";

/**
 * A converter cannot read MP4 from a pipe, since its index may follow the film. It reads the pieces of one track instead,
 * behind this head, which describes the track as the film does.
 */

/** Units a second. */
export const pieceTimescale = 90_000;

type Part = { start: number; end: number };
type Box = Part & { type: string };

/** No film has more boxes within one. */
const maxBoxes = 1000;
const maxDescriptionBytes = 1024 * 1024;

function* boxesIn(film: FilmBytes, { start, end }: Part): Generator<Box> {
  let at = start;
  for (let count = 0; at + 8 <= end && count < maxBoxes; count++) {
    const head = Buffer.from(film.read(at, 16));
    if (head.length < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const headLength = isLong ? 16 : 8;
    if (size < headLength || at + size > end) return;
    yield { type: head.toString("latin1", 4, 8), start: at + headLength, end: at + size };
    at += size;
  }
}

function findBox(film: FilmBytes, within: Part, ...path: readonly string[]): Part {
  let found = within;
  for (const type of path) {
    const next = [...boxesIn(film, found)].find((one) => one.type === type);
    if (!next) throw new DamagedFilm(`the film has no ${type}`);
    found = next;
  }
  return found;
}

export function pieceHead(film: FilmBytes, track: number): Uint8Array {
  const whole = findBox(film, { start: 0, end: film.size }, "moov");
  for (const trak of boxesIn(film, whole)) {
    if (trak.type !== "trak" || trackNumber(film, findBox(film, trak, "tkhd")) !== track) continue;
    const media = findBox(film, trak, "mdia");
    const handler = findBox(film, media, "hdlr");
    const kind = Buffer.from(film.read(handler.start + 8, 4)).toString("latin1");
    const description = findBox(film, media, "minf", "stbl", "stsd");
    const length = description.end - description.start;
    if (length > maxDescriptionBytes) throw new DamagedFilm("the description of the track is too large");
    return initOf({
      handler: kind === "soun" ? "soun" : "vide",
      timescale: pieceTimescale,
      descriptions: box("stsd", film.read(description.start, length)),
      ...{ widthPx: 0, heightPx: 0 },
    });
  }
  throw new DamagedFilm("the film has no such track");
}

/** The number follows two times, of 8 bytes each in version 1. */
function trackNumber(film: FilmBytes, { start }: Part): number {
  const bytes = Buffer.from(film.read(start, 24));
  if (bytes.length < 24) return 0;
  return bytes.readUInt32BE(bytes[0] === 1 ? 20 : 12);
}
