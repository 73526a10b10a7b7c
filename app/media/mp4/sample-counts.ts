import { mebibytes } from "#app/platform/units.ts";
import { DamagedFilm, type FilmBytes, withinBudget } from "../film/film-bytes.ts";
import { boxesIn, type FilmBox, type Part, usualMaxBoxes } from "./film-boxes.ts";

/**
 * Refuses an MP4 whose index counts more samples, fragments or tags than any film has. A few bytes can count billions,
 * and mediabunny makes an object for each, once more for each segment that is cut.
 */

/** Nine hours at 60 pictures per second. */
const maxSamples = 2_000_000;
/** A fragment of an hour with AAC and the picture has 260,000. */
const maxFragmentSamples = 300_000;
/** A day in fragments of a second has 172,800 boxes. */
const maxTopLevel = 200_000;
/**
 * Picture and sound in fragments of a second have 100,000 in fourteen hours. mediabunny removes those of one time one by
 * one.
 */
const maxListedFragments = 100_000;
/** A film has tens of tags. */
const maxTags = 10_000;
const maxReadBytes = mebibytes(64);

/** All boxes in which mediabunny looks for tables. */
const containers: ReadonlySet<string> = new Set(
  "trak mdia minf dinf stbl edts sinf schi wave mvex mfra moof traf udta meta".split(" "),
);
/** A film has `moov`, `trak`, `mdia`, `minf` and `stbl` within each other. */
const maxDepth = 6;

export function requireFewSamples(whole: FilmBytes): void {
  const film = withinBudget(whole, maxReadBytes);
  let boxes = 0;
  let hasIndex = false;
  for (const box of boxesIn(film, { start: 0, end: film.size }, maxTopLevel)) {
    boxes++;
    if (box.type === "moov") hasIndex = true;
    if (box.type === "moov" || box.type === "moof") requireFewAtOnce(countIn(film, box));
  }
  const fragmentList = findFragmentList(film);
  if (fragmentList) requireFewAtOnce(countIn(film, fragmentList));
  if (boxes === maxTopLevel && !hasIndex)
    throw new DamagedFilm("the film has too many boxes before its index");
}

/** The last number of a film states the size of the `mfra` at its end. */
function findFragmentList(film: FilmBytes): FilmBox | null {
  const start = film.size < 8 ? -1 : film.size - numberAt(film, film.size - 4);
  const [box] = start < 0 ? [] : boxesIn(film, { start, end: film.size }, 1);
  return box?.type === "mfra" ? box : null;
}

/** mediabunny reads these of all tracks when it opens the film or a fragment. */
function requireFewAtOnce({ trun, tfra, keys, ilst }: Counts) {
  if (trun > maxFragmentSamples || tfra > maxListedFragments || keys + ilst > maxTags) throw tooMany();
}

/**
 * Uncompressed sound has samples of one size and no composition offsets, and counts 48,000 of them per second. mediabunny
 * does not expand these, except to one for each chunk. In other tracks it walks over a chunk for each sample.
 */
function requireFewInTrack({ stts, ctts, stsc, chunks, stsz, stz2 }: Counts) {
  const areOfOneSize = stsz + stz2 === 1;
  const isTooLong = ctts > 0 && Math.max(stts, ctts) > maxSamples;
  const areChunksTooLong = stsc > maxSamples && !areOfOneSize;
  if (isTooLong || areChunksTooLong || Math.max(chunks, stz2) > maxSamples) throw tooMany();
}

const tooMany = () => new DamagedFilm("the index of the film counts too many samples");

/**
 * How many samples the tables of each type count. `stsc`: those in a chunk; `stsz`: their sizes, or 1 if all are of one
 * size. `chunks`: how many chunks `stsc` counts before its last entry. `tfra`: fragments; `keys` and `ilst`: tags.
 */
type Counts = Record<(typeof counted)[number], number>;
const counted = ["stts", "ctts", "stsc", "chunks", "stsz", "stz2", "trun", "tfra", "keys", "ilst"] as const;
const isCounted = (type: string) => counted.some((one) => one === type);

/** The counts of a box and of the containers within it. */
function countIn(film: FilmBytes, part: FilmBox, depth = 0): Counts {
  if (depth > maxDepth) throw new DamagedFilm("the index of the film is too deep");
  const counts = Object.fromEntries(counted.map((name) => [name, 0])) as Counts;
  // `meta` of MP4 begins with a version and flags, which are 0. That of QuickTime does not.
  const isVersioned = part.type === "meta" && numberAt(film, part.start) === 0;
  for (const box of allBoxesIn(film, isVersioned ? { ...part, start: part.start + 4 } : part)) {
    // mediabunny reads the tags of the film only, and some programs write anything into those of a track.
    if (part.type === "trak" && (box.type === "udta" || box.type === "meta")) continue;
    if (box.type === "stts" || box.type === "ctts")
      for (const [count] of entriesIn(film, box, 8)) counts[box.type] += count;
    if (box.type === "stsc") {
      let last = 0;
      for (const [first, count] of entriesIn(film, box, 12)) {
        counts.stsc += count;
        counts.chunks += Math.max(0, first - last);
        last = first;
      }
    }
    if (box.type === "stsz")
      counts.stsz += numberAt(film, box.start + 4) > 0 ? 1 : numberAt(film, box.start + 8);
    if (box.type === "stz2") counts.stz2 += numberAt(film, box.start + 8);
    if (box.type === "trun") counts.trun += numberAt(film, box.start + 4);
    if (box.type === "tfra") counts.tfra += numberAt(film, box.start + 12);
    if (box.type === "keys") counts.keys += numberAt(film, box.start + 4);
    if (box.type === "ilst") for (const _ of boxesIn(film, box, maxTags + 1)) counts.ilst++;
    if (!containers.has(box.type)) continue;
    const inner = countIn(film, box, depth + 1);
    if (box.type === "trak") requireFewInTrack(inner);
    for (const name of counted) counts[name] += inner[name];
  }
  return counts;
}

/**
 * Throws where `boxesIn` stops, because mediabunny reads on: after many boxes, and at one that ends after `part`. Some
 * programs write texts without boxes among the tags. They are passed over unless they read like a box that is counted.
 */
function* allBoxesIn(film: FilmBytes, part: FilmBox) {
  let { start } = part;
  let boxes = 0;
  for (const box of boxesIn(film, part)) {
    yield box;
    boxes++;
    start = box.end;
  }
  if (start + 8 > part.end) return;
  const type = Buffer.from(film.read(start + 4, 4)).toString("latin1");
  const isText = (part.type === "udta" || part.type === "meta") && !containers.has(type) && !isCounted(type);
  if (!isText || boxes === usualMaxBoxes)
    throw new DamagedFilm("a box of the index has too many boxes, or one too large");
}

/**
 * The first two numbers of each entry of a table. The number of entries follows the version and the flags. If a table has
 * fewer, mediabunny reads the bytes behind it as entries.
 */
function* entriesIn(film: FilmBytes, { start, end }: Part, entryBytes: number): Generator<[number, number]> {
  const length = entryBytes * numberAt(film, start + 4);
  if (length > end - start - 8) throw new DamagedFilm("a table of the index has fewer entries than it says");
  if (length > entryBytes * maxSamples) throw tooMany();
  const entries = Buffer.from(film.read(start + 8, length));
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes)
    yield [entries.readUInt32BE(at), entries.readUInt32BE(at + 4)];
}

function numberAt(film: FilmBytes, at: number): number {
  const bytes = Buffer.from(film.read(at, 4));
  return bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
}
