import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";

/** Finds boxes in ISO base media files (ISO/IEC 14496-12, 4.2), which may lie about every size. */

export type Part = { start: number; end: number };
export type FilmBox = Part & { type: string };

/** Except for the whole file. A fragment of an hour has 7,200 if its tracks alternate each half second. */
export const usualMaxBoxes = 10_000;

export function* boxesIn(
  film: FilmBytes,
  { start, end }: Part,
  maxBoxes = usualMaxBoxes,
): Generator<FilmBox> {
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

/** The boxes with which films of QuickTime and MP4 begin. */
const firstBoxes: ReadonlySet<string> = new Set(["ftyp", "wide", "free", "skip", "mdat", "moov"]);

/** Whether an MP4 ends before its index does. Many programs write the index last. */
export function endsBeforeIndex(film: FilmBytes): boolean {
  if (!firstBoxes.has(Buffer.from(film.read(4, 4)).toString("latin1"))) return false;
  for (const { type } of boxesIn(film, { start: 0, end: film.size }))
    if (type === "moov" || type === "moof") return false;
  return true;
}

/** ISO/IEC 23001-7, and the encryption of one large shop for films. */
export const isEncryptedEntry = (type: string) => /^(?:enc[av]|drm[is])$/.test(type);

/** Whether a track of the film is encrypted. For films whose index cannot be read otherwise. */
export function isEncrypted(film: FilmBytes): boolean {
  const whole = { start: 0, end: film.size };
  const moov = seekBox(film, whole, "moov");
  const tracks = moov ? [...boxesIn(film, moov)].filter(({ type }) => type === "trak") : [];
  return tracks.some((track) => {
    const described = seekBox(film, track, "mdia", "minf", "stbl", "stsd");
    // The entries follow a version and their number.
    return (
      described !== null &&
      [...boxesIn(film, { ...described, start: described.start + 8 })].some(({ type }) =>
        isEncryptedEntry(type),
      )
    );
  });
}

export function seekBox(film: FilmBytes, within: Part, ...path: readonly string[]): Part | null {
  let box = within;
  for (const type of path) {
    const next = [...boxesIn(film, box)].find((one) => one.type === type);
    if (!next) return null;
    box = next;
  }
  return box;
}

export function getBox(film: FilmBytes, within: Part, ...path: readonly string[]): Part {
  const box = seekBox(film, within, ...path);
  if (!box) throw new DamagedFilm(`the film has no ${path.join("/")}`);
  return box;
}

/** More than the description of any track, or the index of any text track. */
const maxContentBytes = 2 * 1024 * 1024;

export function contentOf(film: FilmBytes, { start, end }: Part): Buffer {
  if (end - start > maxContentBytes) throw new DamagedFilm("a box of the film is too large");
  return Buffer.from(film.read(start, end - start));
}

/** The number of a `trak` follows two times in its `tkhd`, which have 8 bytes each in version 1 and 4 bytes in version 0. */
export function trackNumber(film: FilmBytes, { start }: Part): number {
  const bytes = Buffer.from(film.read(start, 24));
  if (bytes.length < 24) return 0;
  return bytes.readUInt32BE(bytes[0] === 1 ? 20 : 12);
}

/** The kind of track that an `mdia` belongs to: "vide", "soun", "sbtl". */
export const handlerOf = (film: FilmBytes, media: Part): string =>
  Buffer.from(film.read(getBox(film, media, "hdlr").start + 8, 4)).toString("latin1");
