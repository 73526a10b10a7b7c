import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { indexKeyFrames } from "#app/media/matroska/clusters.ts";
import { ids } from "#app/media/matroska/element-ids.ts";
import { inspectMatroska, openForIndex } from "#app/media/matroska/inspect-matroska.ts";
import {
  block,
  cluster,
  cue,
  element,
  filmOf,
  header,
  idBytes,
  line,
  picture,
  reader,
  sizeBytes,
  sound,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";

const inspect = (...parts: Uint8Array[]) => inspectMatroska(reader(filmOf(...parts)))!;
/** An element that may lie inside of any other, and is skipped. */
const unused = 0xec;
/** An entry of an index in as few bytes as it can have. */
const smallCue = Buffer.from("bb8bb38100b786f78101f18100", "hex");

describe("a film's head", () => {
  test("names the codec as browsers do, and the size and the bit depth", () => {
    expect(inspect(element(ids.tracks, picture)).inspection.video).toEqual([
      expect.objectContaining({ codec: "avc1.6E0028", widthPx: 1920, heightPx: 1080, bitDepth: 10 }),
    ]);
  });

  test("says whom a sound track is for, and its language in BCP 47", () => {
    const track = sound(
      element(ids.codecId, "A_DTS"),
      element(ids.language, "ger"),
      element(ids.flagCommentary, 1),
      element(ids.trackName, "Regie\u0007\u202e"),
    );
    expect(inspect(element(ids.tracks, picture, track)).inspection.audio).toEqual([
      expect.objectContaining({
        codec: null,
        codecLabel: "DTS",
        language: "de",
        isCommentary: true,
        title: "Regie",
      }),
    ]);
  });

  test("says which subtitles are text and which are pictures, also those of WebM", () => {
    const read = (codecId: string, type = 17) => {
      const track = element(
        ids.trackEntry,
        element(ids.trackNumber, 3),
        element(ids.trackType, type),
        element(ids.codecId, codecId),
      );
      const subtitles = inspectMatroska(reader(filmOf(element(ids.tracks, picture, track))))?.inspection
        .subtitles;
      return subtitles?.map((one) => [
        one.codecLabel,
        one.script ?? one.bitmaps,
        one.isForHearingImpaired,
        one.isForVisualImpaired,
      ]);
    };
    expect(read("D_WEBVTT/SUBTITLES")).toEqual([["WebVTT", "vtt", false, false]]);
    expect(read("D_WEBVTT/CAPTIONS")).toEqual([["WebVTT", "vtt", true, false]]);
    expect(read("D_WEBVTT/DESCRIPTIONS", 33)).toEqual([["WebVTT", "vtt", false, true]]);
    expect(read("D_WEBVTT/METADATA", 33)).toEqual([]);
    expect(read("S_HDMV/PGS")).toEqual([["PGS", "pgs", false, false]]);
    expect(read("S_VOBSUB")).toEqual([["VobSub", "vobsub", false, false]]);
    expect(read("S_TEXT/USF")).toEqual([["TEXT/USF", null, false, false]]);
  });

  test("says how wide a picture is shown if its pixels are not square", () => {
    const shownAs = (width: number, height: number) => {
      const size = [element(ids.pixelWidth, 720), element(ids.pixelHeight, 480)];
      const shape = [element(ids.displayWidth, width), element(ids.displayHeight, height)];
      const fields = [
        element(ids.trackNumber, 1),
        element(ids.trackType, 1),
        element(ids.codecId, "V_MPEG2"),
      ];
      const track = element(ids.trackEntry, ...fields, element(ids.video, ...size, ...shape));
      return inspect(element(ids.tracks, track)).inspection.video[0]?.shownWidthPx;
    };
    // The second size is only a shape.
    expect([shownAs(853, 480), shownAs(16, 9), shownAs(720, 480), shownAs(0, 0)]).toEqual([
      853,
      853,
      undefined,
      undefined,
    ]);
  });

  test("takes no cover for the picture of the film, even if it is the first track", () => {
    const cover = element(
      ids.trackEntry,
      element(ids.trackNumber, 5),
      element(ids.trackType, 1),
      element(ids.codecId, "V_MJPEG"),
    );
    const { video } = inspect(element(ids.tracks, cover, picture)).inspection;
    expect(video.map(({ number }) => number)).toEqual([1, 5]);
  });

  test("with an index it names the key frames that the file holds, and none behind its end", () => {
    const tracks = element(ids.tracks, picture);
    const cues = element(ids.cues, cue(0, 0), cue(2000, 20), cue(4000, 60_000));
    const { keyFrames, inspection } = inspect(tracks, cues);
    expect(keyFrames?.map(({ seconds }) => seconds)).toEqual([0, 2]);
    expect(inspection.obstacle).toBeNull();
  });

  test("with an index of all pictures counts as one without an index, because segments begin at key frames", () => {
    const tracks = element(ids.tracks, picture);
    const cues = (at: number) => element(ids.cues, ...[0, 40, 80].map((ticks) => cue(ticks, at)));
    const pictures = (isFirstKey: boolean, isKey: boolean) =>
      cluster(0, block(1, 0, isFirstKey), block(1, 40, isKey), block(1, 80, isKey));
    const begin = tracks.length + cues(0).length;
    expect(inspect(tracks, cues(begin), pictures(true, true)).keyFrames).toHaveLength(3);
    // A program that marks nothing says nothing about its index.
    expect(inspect(tracks, cues(begin), pictures(false, false)).keyFrames).toHaveLength(3);
    const { keyFrames, inspection } = inspect(tracks, cues(begin), pictures(true, false));
    expect([keyFrames, inspection.obstacle]).toEqual([null, "no-index"]);
  });

  test("with an index of 3 MB, as of subtitles in 25 languages, is read", () => {
    const lines = 75_000;
    const one = cue(0, 0, { track: 3 });
    const { inspection, keyFrames } = inspect(
      element(ids.tracks, picture, subtitles("S_HDMV/PGS")),
      element(ids.cues, cue(0, 0), Buffer.alloc(lines * one.length, one)),
    );
    expect(keyFrames).toHaveLength(1);
    expect(inspection).toMatchObject({ obstacle: null, subtitles: [{ lines }] });
  });

  test.each([
    ["IDR pictures", [0x09, 0x65], false],
    ["other pictures", [0x09, 0x06, 0x61], true],
    ["what is no picture", [0x09], false],
  ])("with %s as key frames, says whether groups of pictures are open", (_, units, isOpen) => {
    const key = (ticks: number) =>
      block(
        1,
        ticks,
        true,
        units.flatMap((type) => [0, 0, 0, 3, type, 1, 1]),
      );
    const [tracks, first] = [element(ids.tracks, picture), cluster(0, key(0), block(1, 9, false))];
    const next = cluster(2000, block(1, 0, false), key(5));
    const cues = (...at: [number, number]) => element(ids.cues, cue(0, at[0]), cue(2005, at[1]));
    const begin = tracks.length + cues(0, 0).length;
    const film = [tracks, cues(begin, begin + first.length), first, next];
    expect(inspect(...film).inspection.video[0]?.hasOpenGroups).toBe(isOpen);
    const stripped = film.with(3, cluster(2000, block(1, 5, true, [0x61, 1, 1])));
    expect(inspect(...stripped).inspection.video[0]?.hasOpenGroups).toBe(false);
  });

  test("ends the film with its last picture or sound, even if its head covers a later subtitle", () => {
    const tracks = element(ids.tracks, picture, sound());
    const info = element(ids.info, element(ids.duration, Buffer.from([0x46, 0x1c, 0x40, 0x00])));
    const cues = (at: number) => element(ids.cues, cue(0, at));
    const head = [tracks, info, cues(0)].reduce((sum, { length }) => sum + length, 0);
    const blocks = [block(1, 0, true), block(2, 0, true), block(2, 30, true), block(1, 40, false)];
    const subtitle = line({ ticks: 60, duration: 9000, text: "late" });
    const { inspection } = inspect(tracks, info, cues(head), cluster(0, ...blocks, subtitle));
    expect(inspection.durationSeconds).toBeCloseTo(0.08);
    expect(inspect(tracks, info, cues(0)).inspection.durationSeconds).toBeCloseTo(10);
  });

  test("lets the last picture last as long as the others, even if they are stored after it", () => {
    const [tracks, cues] = [element(ids.tracks, picture), (at: number) => element(ids.cues, cue(0, at))];
    const blocks = [0, 120, 40, 80].map((ticks) => block(1, ticks, ticks === 0));
    const film = inspect(tracks, cues(tracks.length + cues(0).length), cluster(0, ...blocks));
    expect(film.inspection.durationSeconds).toBeCloseTo(0.16);
  });

  test("says so if there is no index, and the index is then made from the blocks", () => {
    const bytes = filmOf(
      element(ids.tracks, picture),
      cluster(0, block(1, 0, true), block(2, 5, true), block(1, 40, false)),
      cluster(1000, block(1, 20, true)),
    );
    expect(inspectMatroska(reader(bytes))!.inspection.obstacle).toBe("no-index");
    const { firstCluster, ...of } = openForIndex(reader(bytes));
    const made = indexKeyFrames(reader(bytes), firstCluster, of, () => false);
    expect(made.keyFrames.map(({ seconds }) => Number(seconds.toFixed(3)))).toEqual([0, 1.02]);
    expect(made.next).toBeNull();
    const cutOff = reader(bytes.subarray(0, bytes.length - 4));
    expect(indexKeyFrames(cutOff, firstCluster, of, () => false).keyFrames).toHaveLength(1);
  });

  test("lets the first key frame be read from before the sound that is stored before it", () => {
    const tracks = element(ids.tracks, picture, sound());
    const waiting = cluster(0, block(2, 0, true), block(2, 9000, true));
    const first = cluster(0, block(1, 5, true));
    const cues = (...at: [number, number]) => element(ids.cues, cue(5, at[0]), cue(9005, at[1]));
    const begin = tracks.length + cues(0, 0).length;
    const places = [begin + waiting.length, begin + waiting.length + first.length] as const;
    const parts = [tracks, cues(...places), waiting, first, cluster(9000, block(1, 5, true))];
    const inSegment = (at: number) => filmOf(...parts).length - Buffer.concat(parts).length + at;
    expect(inspect(...parts).keyFrames?.map(({ at }) => at)).toEqual([begin, places[1]].map(inSegment));
  });

  test("reads an ordered edition with its order, and which parts are in other files", () => {
    const own = Buffer.alloc(16, 1);
    const other = Buffer.alloc(16, 2);
    const time = (seconds: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(BigInt(seconds) * 1_000_000_000n);
      return bytes;
    };
    const chapter = (start: number, end: number, ...more: Uint8Array[]) =>
      element(
        ids.chapterAtom,
        element(ids.chapterStart, time(start)),
        element(ids.chapterEnd, time(end)),
        ...more,
      );
    const edition = (...children: Uint8Array[]) =>
      element(ids.chapters, element(ids.edition, element(ids.editionFlagDefault, 1), ...children));
    const ordered = element(ids.editionFlagOrdered, 1);
    const chapters = [
      chapter(3, 4),
      chapter(0, 2, element(ids.chapterSegmentId, own)),
      chapter(0, 1, element(ids.chapterSegmentId, other)),
      chapter(1, 2, element(ids.chapterFlagHidden, 1)),
      chapter(2, 3, element(ids.chapterFlagEnabled, 0)),
    ];
    const info = element(ids.info, element(ids.segmentId, own), element(ids.nextSegmentId, other));
    const read = (...flags: Uint8Array[]) =>
      inspect(element(ids.tracks, picture), info, edition(...flags, ...chapters)).inspection;
    expect(
      read(ordered).edition?.map(({ start, isHidden, otherFile }) => [start, isHidden, otherFile]),
    ).toEqual([
      [3, false, null],
      [0, false, null],
      [0, false, "02".repeat(16)],
      [1, true, null],
    ]);
    // The edition says which other files belong to the film.
    expect(read(ordered).linkedFiles).toEqual([]);
    expect(read().edition).toBeNull();
    expect(read().linkedFiles).toEqual([{ place: "after", segmentId: "02".repeat(16), fileName: null }]);
    const many = Array.from({ length: 501 }, () => chapter(3, 4));
    expect(inspect(element(ids.tracks, picture), edition(ordered, ...many)).inspection.edition).toBeNull();
  });

  test("names a compressed or encrypted track as an obstacle, but not one with stripped headers", () => {
    const encoded = (...fields: Uint8Array[]) =>
      sound(element(ids.contentEncodings, element(ids.contentEncoding, ...fields)));
    const compressed = (algorithm: number) =>
      encoded(element(ids.contentCompression, element(ids.contentCompressionAlgorithm, algorithm)));
    const obstacleOf = (track: Uint8Array) =>
      inspect(element(ids.tracks, picture, track), element(ids.cues, cue(0, 0))).inspection.obstacle;
    expect(obstacleOf(compressed(0))).toBe("compressed");
    expect(obstacleOf(compressed(3))).toBeNull();
    expect(obstacleOf(encoded(element(ids.contentEncryption)))).toBe("encrypted");
  });
});

describe("a hostile film", () => {
  const damaged = (...parts: Uint8Array[]) => expect(() => inspect(...parts)).toThrow(DamagedFilm);

  test("with an element that extends past its parent is refused", () => {
    damaged(element(ids.tracks, Buffer.concat([idBytes(ids.trackEntry), sizeBytes(1000), picture])));
  });

  test("with a list of tracks larger than 2 MB is refused", () => {
    damaged(element(ids.tracks, picture, element(unused, Buffer.alloc(2 * 1024 * 1024))));
  });

  test.each<[string, Uint8Array]>([
    ["an index of more than 8 MB", element(unused, Buffer.alloc(8 * 1024 * 1024))],
    ["an index of more than 150,000 entries", Buffer.alloc(150_000 * smallCue.length, smallCue)],
  ])("with %s counts as a film without an index", (_, rest) => {
    const { inspection, keyFrames } = inspect(
      element(ids.tracks, picture),
      element(ids.cues, smallCue, rest),
      cluster(0, block(1, 0, true)),
    );
    expect(inspection).toMatchObject({ obstacle: "no-index", video: [{ number: 1 }] });
    expect(keyFrames).toBeNull();
  });

  test("with too many tracks is refused", () => {
    damaged(element(ids.tracks, ...Array.from({ length: 201 }, () => picture)));
  });

  test("with 10,000 attachments and one of 2 GB is read without reading their bytes", () => {
    const font = element(
      ids.attachedFile,
      element(ids.fileName, "a.ttf"),
      element(ids.fileMediaType, "font/ttf"),
      element(ids.fileData, "abc"),
    );
    const many = inspect(element(ids.attachments, ...Array.from({ length: 10_000 }, () => font)));
    expect(many.inspection.fonts).toHaveLength(1000);
    const huge = Buffer.concat([
      header,
      idBytes(ids.segment),
      sizeBytes(2 ** 31 + 100),
      idBytes(ids.attachments),
      sizeBytes(2 ** 31 + 50),
      idBytes(ids.attachedFile),
      sizeBytes(2 ** 31 + 20),
      idBytes(ids.fileData),
      sizeBytes(2 ** 31),
    ]);
    const read = inspectMatroska(reader(huge, 2 ** 31 + 1000));
    expect(read?.inspection.fonts).toEqual([]);
  });

  test("of any bytes is either refused or read", () => {
    const sane = filmOf(element(ids.tracks, picture), cluster(0, block(1, 0, true)));
    const changed = fc.array(fc.tuple(fc.nat(sane.length - 1), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(changed, (changes) => {
        const bytes = Buffer.from(sane);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          inspectMatroska(reader(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedFilm);
        }
      }),
    );
  });
});
