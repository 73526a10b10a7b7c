import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  endOf,
  missingParts,
  piecesOf,
  playedChapters,
  spansInEdition,
  withoutEmptyStart,
} from "#app/media/film/edition.ts";
import type { AudioTrack, EditionPart, Inspection, Span } from "#app/media/film/inspection.ts";
import { inspectionOf, noFlags } from "#tests/support/data/inspected-films.ts";

type Film = Pick<
  Inspection,
  "edition" | "durationSeconds" | "container" | "obstacle" | "chapters" | "linkedFiles"
>;

const film: Film = {
  edition: null,
  durationSeconds: 100,
  container: "matroska",
  obstacle: null,
  chapters: [],
  linkedFiles: [],
};

const part = (start: number, end: number | null, more: Partial<EditionPart> = {}): EditionPart => ({
  title: `from ${start}`,
  start,
  end,
  isHidden: false,
  otherFile: null,
  ...more,
});

const edited = (...edition: EditionPart[]): Film => ({ ...film, edition });

const piecesAt = (one: Film) => piecesOf(one)?.map(({ from, to, start }) => [from, to, start]) ?? null;

describe("the pieces of an ordered edition", () => {
  test("follow the edition's order, and may repeat and leave out parts of the file", () => {
    expect(piecesAt(edited(part(60, 70), part(10, 40), part(60, 70)))).toEqual([
      [60, 70, 0],
      [10, 40, 10],
      [60, 70, 40],
    ]);
  });

  test("are joined where chapters follow each other in the file", () => {
    expect(piecesAt(edited(part(10, 20), part(20.001, 30), part(50, null)))).toEqual([
      [10, 30, 0],
      [50, 100, 20],
    ]);
  });

  test("leave out what lies behind the end, has no length or is in another file", () => {
    const elsewhere = part(0, 10, { otherFile: "ab" });
    expect(piecesAt(edited(part(90, 500), elsewhere, part(40, 40), part(30, 20), part(200, 300)))).toEqual([
      [90, 100, 0],
    ]);
  });

  test("a chapter without an end lasts until the next one, if that begins later, or else until the end", () => {
    expect(piecesAt(edited(part(10, null), part(30, 40)))).toEqual([[10, 40, 0]]);
    expect(piecesAt(edited(part(80, null), part(30, 40)))).toEqual([
      [80, 100, 0],
      [30, 40, 20],
    ]);
  });

  test.each([
    ["plays the whole file in its order", edited(part(0, 40), part(40, 100))],
    ["has no part of this file", edited(part(0, 40, { otherFile: "ab" }))],
    ["repeats the film too often", edited(...Array.from({ length: 50 }, (_, at) => part(at % 2, 90)))],
    ["is of a film without a length", { ...edited(part(0, 40)), durationSeconds: null }],
    ["is of a film that cannot be packaged", { ...edited(part(0, 40)), obstacle: "encrypted" as const }],
  ])("there are none if the edition %s", (_, one) => {
    expect(piecesOf(one)).toBeNull();
  });
});

test("chapters have the times at which they are played, and hidden ones are not listed", () => {
  const one = edited(part(60, 70), part(70, 80, { isHidden: true }), part(10, 40));
  expect(playedChapters(one)).toEqual([
    { title: "from 60", start: 0, end: 10 },
    { title: "from 10", start: 20, end: 50 },
  ]);
  const plain = { ...film, chapters: [{ title: "A", start: 1, end: 2 }] };
  expect(playedChapters(plain)).toEqual(plain.chapters);
});

test("a chapter that begins a little before the one before it ends does not end before it begins", () => {
  const one = edited(part(60, 60.0005), part(60, 70), part(10, 40));
  expect(playedChapters(one).slice(0, 2)).toMatchObject([
    { title: "from 60", start: 0 },
    { title: "from 60", end: 10 },
  ]);
  for (const { start, end } of playedChapters(one)) expect(start).toBeLessThanOrEqual(end);
});

test("a line that the file shows across a cut is shown in each piece that plays a part of it", () => {
  const pieces = piecesOf(edited(part(60, 70), part(10, 40), part(60, 70))) ?? [];
  expect(spansInEdition({ start: 68, end: 75 }, pieces)).toEqual([
    { start: 8, end: 10 },
    { start: 48, end: 50 },
  ]);
  expect(spansInEdition({ start: 45, end: 50 }, pieces)).toEqual([]);
});

test("parts in other files are named once each, also those before and after the film", () => {
  const linkedFiles = [{ place: "after" as const, segmentId: "cd", fileName: "next.mkv" }];
  const opening = part(0, 90, { title: "Opening", otherFile: "ab" });
  expect(missingParts({ edition: [opening, part(0, 10), opening], linkedFiles })).toEqual([
    { title: "Opening", seconds: 90, place: "within", segmentId: "ab", fileName: null },
    { title: null, seconds: null, place: "after", segmentId: "cd", fileName: "next.mkv" },
  ]);
});

test("for any edition, the pieces lie in the file and fill the edition's time without a gap", () => {
  const seconds = fc.double({ min: 0, max: 200, noNaN: true });
  const anyPart = fc.record({
    title: fc.constant(null),
    start: seconds,
    end: fc.option(seconds),
    isHidden: fc.boolean(),
    otherFile: fc.option(fc.constant("ab"), { freq: 4 }),
  });
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 40 }), (edition) => {
      const pieces = piecesOf({ ...film, edition });
      if (pieces === null) return;
      let end = 0;
      for (const piece of pieces) {
        expect(piece.start).toBeCloseTo(end, 6);
        expect(piece.from).toBeGreaterThanOrEqual(0);
        expect(piece.to).toBeLessThanOrEqual(100);
        expect(piece.to - piece.from).toBeGreaterThanOrEqual(0.5);
        end = endOf(piece);
      }
      for (const { start, end: chapterEnd } of playedChapters({ ...film, edition })) {
        expect(start).toBeLessThanOrEqual(chapterEnd);
        expect(chapterEnd).toBeLessThanOrEqual(end + 1e-6);
      }
    }),
  );
});

describe("a film whose times begin late", () => {
  const sound: AudioTrack = {
    ...noFlags,
    number: 2,
    codec: "mp4a.40.2",
    codecLabel: "AAC",
    language: null,
    title: null,
    channels: 2,
    span: { first: 4.9, last: 59 },
  };
  const late = (span: Span, chapters: Inspection["chapters"]) => ({
    ...inspectionOf({ video: [], audio: [{ ...sound, span }] }),
    chapters,
  });
  const keyFrames = [{ seconds: 5, at: 0 }];

  test("is played from its first picture or sound, with its chapters", () => {
    const chapters = [
      { title: "Opening", start: 4.5, end: 35 },
      { title: "Part", start: 35, end: 60 },
    ];
    const played = withoutEmptyStart(late({ first: 4.9, last: 59 }, chapters), keyFrames);
    expect(piecesOf(played)).toEqual([{ from: 4.9, to: 60, start: 0 }]);
    const [opening, rest] = playedChapters(played);
    expect(opening).toMatchObject({ title: "Opening", start: 0 });
    expect(rest?.title).toBe("Part");
    expect(rest?.start).toBeCloseTo(30.1);
  });

  test("is also played so if it is an MP4", () => {
    const film = {
      ...late({ first: 3600, last: 3659 }, []),
      container: "mp4" as const,
      durationSeconds: 3660,
    };
    const played = withoutEmptyStart(film, [{ seconds: 3600, at: 0 }]);
    expect(piecesOf(played)).toEqual([{ from: 3600, to: 3660, start: 0 }]);
  });

  test("has no chapters if its file has none", () => {
    const played = withoutEmptyStart(late({ first: 4.9, last: 59 }, []), keyFrames);
    expect(piecesOf(played)).toHaveLength(1);
    expect(playedChapters(played)).toEqual([]);
  });

  test("is played once if two of its chapters begin at the same time", () => {
    const chapters = [20, 20, 30].map((start) => ({ title: `from ${start}`, start, end: 60 }));
    const played = withoutEmptyStart(late({ first: 4.9, last: 59 }, chapters), keyFrames);
    expect(piecesOf(played)).toEqual([{ from: 4.9, to: 60, start: 0 }]);
  });

  test.each([
    ["it has sound from its beginning on", late({ first: 0, last: 59 }, [])],
    ["its sound begins much later than its picture", late({ first: 15, last: 59 }, [])],
    ["it is a WebM file", { ...late({ first: 4.9, last: 59 }, []), container: "webm" as const }],
    [
      "sound files lie beside it",
      {
        ...late({ first: 4.9, last: 59 }, []),
        soundFiles: [
          {
            path: "film.ja.mka",
            size: 1,
            modifiedMs: 1,
            format: "matroska" as const,
            durationSeconds: 60,
            keyFrames: [],
          },
        ],
      },
    ],
  ])("is played whole if %s", (_, film) => {
    expect(withoutEmptyStart(film, keyFrames).edition).toBeNull();
  });
});
