import type { Chapter, EditionPart, Inspection, KeyFrame } from "./inspection.ts";

/**
 * Ordered editions (RFC 9559, 20): a film whose parts are played in another order than they have in the file. A part can
 * be left out, or played several times.
 */

/** A part of the file, from the time `from` up to the time `to`, and when it begins in the edition. In seconds. */
export type Piece = { from: number; to: number; start: number };

export const endOf = ({ from, to, start }: Piece): number => start + to - from;

/**
 * hls.js looks for segments with a tolerance of 250 milliseconds and never loads a shorter one, so shorter pieces are
 * left out.
 */
const minPieceSeconds = 0.5;
/** Chapters often end a millisecond before the next one begins. A gap of less than half a picture leaves nothing out. */
const maxGapSeconds = 0.02;
/** An edition that repeats the film more often, or lasts longer, is no real one. */
const maxRepeats = 20;
const maxSeconds = 24 * 60 * 60;

/** A film that begins later was cut out of a longer one, and kept its times. */
const maxEmptySeconds = 1;
/** Some sound cannot be made silent, so a film whose sound begins later or ends earlier is played as it is. */
const maxSilentSeconds = 5;
/** A last picture or sound of unknown length is shown this long. */
const lastSeconds = 0.1;

/** The containers whose films are packaged, so that a part of them can be played. */
const hasPieces = (container: Inspection["container"]) => container === "matroska" || container === "mp4";

/**
 * Lets an MKV or MP4 that begins late be played from its first picture or sound on: as an edition of one piece. Sound files
 * beside it have the film's times, so a film with such files is played as it is.
 */
export function withoutEmptyStart(inspection: Inspection, keyFrames: readonly KeyFrame[]): Inspection {
  const { container, durationSeconds, audio, chapters, edition, soundFiles } = inspection;
  if (!hasPieces(container) || edition || soundFiles.length > 0) return inspection;
  const spans = audio.flatMap(({ span }) => span ?? []);
  const first = Math.min(keyFrames[0]?.seconds ?? 0, ...spans.map((span) => span.first));
  const last = Math.max(keyFrames.at(-1)?.seconds ?? 0, ...spans.map((span) => span.last));
  const hasWholeSound = spans.every(
    (span) => span.first - first < maxSilentSeconds && last - span.last < maxSilentSeconds,
  );
  if (first < maxEmptySeconds || !hasWholeSound) return inspection;
  const sorted = [...chapters].sort((one, other) => one.start - other.start);
  const begun = sorted.findLast(({ start }) => start <= first)?.title ?? null;
  const parts = [{ title: begun, start: first }, ...sorted.filter(({ start }) => start > first)];
  return {
    ...inspection,
    // The length in the head can count from the first picture.
    durationSeconds:
      durationSeconds !== null && durationSeconds > last ? durationSeconds : last + lastSeconds,
    edition: parts.map(({ title, start }, index) => ({
      title,
      start,
      end: parts[index + 1]?.start ?? null,
      isHidden: index === 0 && title === null,
      otherFile: null,
    })),
  };
}

type EditedFilm = Pick<Inspection, "edition" | "durationSeconds" | "container" | "obstacle">;
type Joined = {
  from: number;
  to: number;
  parts: { title: string | null; from: number; isHidden: boolean }[];
};

/** Null: the film is played from its beginning to its end, also because its edition makes no sense. */
export const piecesOf = (film: EditedFilm): Piece[] | null => playedEdition(film)?.pieces ?? null;

/** The chapters of the film at the times at which they are played. */
export const playedChapters = (film: EditedFilm & Pick<Inspection, "chapters">): Chapter[] =>
  playedEdition(film)?.chapters ?? film.chapters;

function playedEdition(film: EditedFilm): { pieces: Piece[]; chapters: Chapter[] } | null {
  const { edition, durationSeconds, container, obstacle } = film;
  if (!edition || durationSeconds === null || !hasPieces(container) || obstacle !== null) return null;
  const joined = joinParts(edition, durationSeconds).filter(({ from, to }) => to - from >= minPieceSeconds);
  const seconds = joined.reduce((sum, { from, to }) => sum + to - from, 0);
  if (joined.length === 0 || seconds > Math.min(maxSeconds, maxRepeats * durationSeconds)) return null;
  const [first] = joined;
  const isWhole = first && joined.length === 1 && first.from < 0.1 && first.to > durationSeconds - 0.1;
  if (isWhole) return null;
  const pieces: Piece[] = [];
  const chapters: Chapter[] = [];
  let start = 0;
  for (const { from, to, parts } of joined) {
    pieces.push({ from, to, start });
    for (const [index, part] of parts.entries()) {
      const end = parts[index + 1]?.from ?? to;
      const shift = start - from;
      if (!part.isHidden) chapters.push({ title: part.title, start: part.from + shift, end: end + shift });
    }
    start += to - from;
  }
  return { pieces, chapters };
}

/** Joins parts that follow each other in the file too, because there is nothing to cut between them. */
function joinParts(edition: readonly EditionPart[], durationSeconds: number): Joined[] {
  const joined: Joined[] = [];
  let previous: Joined | null = null;
  for (const [index, part] of edition.entries()) {
    const { title, isHidden } = part;
    const next = edition[index + 1];
    const nextStart =
      next && next.otherFile === null && next.start > part.start ? next.start : durationSeconds;
    const from = Math.min(part.start, durationSeconds);
    const to = Math.min(part.end ?? nextStart, durationSeconds);
    if (part.otherFile !== null) previous = null;
    if (part.otherFile !== null || to <= from) continue;
    const gap: number = previous ? from - previous.to : Number.NaN;
    if (previous && gap > -0.001 && gap < maxGapSeconds) {
      previous.parts.push({ title, from: Math.max(from, previous.to), isHidden });
      previous.to = Math.max(to, previous.to);
    } else {
      previous = { from, to, parts: [{ title, from, isHidden }] };
      joined.push(previous);
    }
  }
  return joined;
}

type Span = { start: number; end: number };

/** When something is shown in the edition that the file shows from `start` to `end`. In seconds. */
export function spansInEdition({ start, end }: Span, pieces: readonly Piece[]): Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    const shift = piece.start - piece.from;
    const from = Math.max(start, piece.from);
    const to = Math.min(end, piece.to);
    if (from < to) spans.push({ start: from + shift, end: to + shift });
  }
  return spans;
}

/** A part of the film that is in another file. `seconds`: how long it is; null: the file does not say. */
export type MissingPart = {
  title: string | null;
  seconds: number | null;
  place: "within" | "before" | "after";
  segmentId: string;
  fileName: string | null;
};

/** The parts that other files hold. The site plays one file, so they are left out. Each file and title is named once. */
export function missingParts({
  edition,
  linkedFiles,
}: Pick<Inspection, "edition" | "linkedFiles">): MissingPart[] {
  const parts = [
    ...(edition ?? []).flatMap(({ title, start, end, otherFile }): MissingPart[] =>
      otherFile === null
        ? []
        : [
            {
              title,
              seconds: end !== null && end > start ? end - start : null,
              place: "within",
              segmentId: otherFile,
              fileName: null,
            },
          ],
    ),
    ...linkedFiles.map((file): MissingPart => ({ title: null, seconds: null, ...file })),
  ];
  return [...new Map(parts.map((part) => [`${part.place} ${part.segmentId} ${part.title}`, part])).values()];
}
