import { mebibytes } from "#app/platform/units.ts";
import { DamagedFilm, type FilmBytes, withinBudget } from "../film/film-bytes.ts";
import { boxesIn, type Part } from "./film-boxes.ts";

/**
 * Refuses an MP4 whose index counts more samples than any film has. A few bytes can count billions, and mediabunny makes
 * an object for each sample, once more for each segment that is cut.
 */

/** Eleven hours at 25 pictures per second. */
const maxSamples = 1_000_000;
/** A fragment of an hour with AAC and the picture has 260,000. */
const maxFragmentSamples = 300_000;
/** A day in fragments of a second has 172,800 boxes. */
const maxTopLevel = 200_000;
const maxReadBytes = mebibytes(64);

const containers: ReadonlySet<string> = new Set(["trak", "mdia", "minf", "stbl", "traf"]);
/** `moov` or `moof`, and all containers within each other. */
const maxDepth = 6;

export function requireFewSamples(whole: FilmBytes): void {
  const film = withinBudget(whole, maxReadBytes);
  for (const box of boxesIn(film, { start: 0, end: film.size }, maxTopLevel)) {
    if (box.type === "moov") for (const child of boxesIn(film, box)) requireFewOfTrack(countIn(film, child));
    if (box.type === "moof" && countIn(film, box).trun > maxFragmentSamples) throw tooMany();
  }
}

/**
 * Uncompressed sound has samples of one size and no composition offsets, and counts 48,000 of them per second. mediabunny
 * does not expand these. In other tracks it walks over a chunk for each sample.
 */
function requireFewOfTrack({ stts, ctts, stsc, stsz, stz2 }: Counts) {
  const areOfOneSize = stsz > 0 && stz2 === 0;
  const isTooLong = ctts > 0 && Math.max(stts, ctts) > maxSamples;
  if (isTooLong || (stsc > maxSamples && !areOfOneSize) || stz2 > maxSamples) throw tooMany();
}

const tooMany = () => new DamagedFilm("the index of the film counts too many samples");

/** How many samples the tables of each type count. `stsc`: those in a chunk; `stsz`: those of one size. */
type Counts = Record<(typeof tables)[number], number>;
const tables = ["stts", "ctts", "stsc", "stsz", "stz2", "trun"] as const;

/** The counts of a box and of the containers within it. */
function countIn(film: FilmBytes, { start, end }: Part, depth = 1): Counts {
  const counts = { stts: 0, ctts: 0, stsc: 0, stsz: 0, stz2: 0, trun: 0 };
  for (const box of boxesIn(film, { start, end })) {
    if (box.type === "stts" || box.type === "ctts") counts[box.type] += sumOfEntries(film, box, 8, 0);
    if (box.type === "stsc") counts.stsc += sumOfEntries(film, box, 12, 4);
    if (box.type === "stsz" && numberAt(film, box.start + 4) > 0)
      counts.stsz += numberAt(film, box.start + 8);
    if (box.type === "stz2") counts.stz2 += numberAt(film, box.start + 8);
    if (box.type === "trun") counts.trun += numberAt(film, box.start + 4);
    if (!containers.has(box.type) || depth === maxDepth) continue;
    const inner = countIn(film, box, depth + 1);
    for (const table of tables) counts[table] += inner[table];
  }
  return counts;
}

/** The number of entries follows the version and the flags. Sums the numbers at byte `from` of all entries. */
function sumOfEntries(film: FilmBytes, { start, end }: Part, entryBytes: number, from: number): number {
  const length = Math.min(entryBytes * numberAt(film, start + 4), end - start - 8);
  if (length > entryBytes * maxSamples) throw tooMany();
  const entries = Buffer.from(film.read(start + 8, Math.max(0, length)));
  let sum = 0;
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes)
    sum += entries.readUInt32BE(at + from);
  return sum;
}

function numberAt(film: FilmBytes, at: number): number {
  const bytes = Buffer.from(film.read(at, 4));
  return bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
}
