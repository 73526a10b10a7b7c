import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codecOfMp4 } from "#app/media/film/codecs.ts";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { box } from "#app/media/mp4/boxes.ts";
import { inspectMp4 } from "#app/media/mp4/inspect-mp4.ts";
import { pieceHead, pieceTimescale } from "#app/media/mp4/piece-head.ts";
import { cutInit, cutPiece, cutSegment } from "#app/media/segments/cut-segment.ts";
import { firstShownSeconds } from "#app/media/segments/segment-plan.ts";
import { reader } from "#tests/support/data/matroska-bytes.ts";
import { indexFirst } from "#tests/support/data/mp4-bytes.ts";

const file = readFileSync("tests/fixtures/films/two-sounds.mp4");
const film = reader(file);
const [picture, english] = [1, 3];

describe("an MP4", () => {
  test("says its codecs, bit depth, languages, and where its groups of pictures begin", async () => {
    const { inspection, keyFrames } = await inspectMp4(film);
    const { container, video, audio, durationSeconds } = inspection;
    expect(container).toBe("mp4");
    expect(durationSeconds).toBeGreaterThan(10);
    expect(video).toEqual([expect.objectContaining({ number: picture, codecLabel: "H.264", bitDepth: 8 })]);
    expect(audio.map(({ language, codecLabel }) => [language, codecLabel])).toEqual([
      ["ja", "AAC"],
      ["en", "Opus"],
    ]);
    expect(keyFrames?.length).toBeGreaterThan(2);
  });

  test("takes no cover for the picture of the film, even if it is the first track", async () => {
    const { inspection, keyFrames } = await inspectMp4(
      reader(readFileSync("tests/fixtures/films/cover-first.mp4")),
    );
    expect(inspection.video.map(({ codecLabel }) => codecLabel)).toEqual(["H.264", "MPEG-4 ASP"]);
    expect(keyFrames).toHaveLength(2);
  });

  test.each([
    ["open-groups.mp4", true],
    ["two-sounds.mp4", false],
  ])("%s says whether its groups of pictures are open", async (name, isOpen) => {
    const { inspection } = await inspectMp4(reader(readFileSync(`tests/fixtures/films/${name}`)));
    expect(inspection.video[0]?.hasOpenGroups).toBe(isOpen);
  });

  test("has no tracks if its index is cut off", async () => {
    const { inspection, keyFrames } = await inspectMp4(reader(file.subarray(0, 2000)));
    expect([inspection.video, inspection.audio, keyFrames]).toEqual([[], [], null]);
  });

  const [type, media] = [box("ftyp", Buffer.from("isom\0\0\0\0")), box("mdat", Buffer.alloc(3000))];
  test.each<[string, Uint8Array, "cut-off" | null]>([
    ["ends within its pictures", Buffer.concat([type, media.subarray(0, 1000)]), "cut-off"],
    ["ends after its pictures", Buffer.concat([type, media]), "cut-off"],
    [
      "ends within its index",
      Buffer.concat([type, media, box("moov", Buffer.alloc(90)).subarray(0, 60)]),
      "cut-off",
    ],
    ["has an index without tracks", Buffer.concat([type, media, box("moov")]), null],
    ["is a part of a film", Buffer.concat([type, box("moof", Buffer.alloc(90)), media]), null],
    ["has no boxes", Buffer.alloc(4000), null],
  ])("that %s is unreadable, and the reason is known", async (_, bytes, obstacle) => {
    const { inspection } = await inspectMp4(reader(bytes));
    expect(inspection).toMatchObject({ container: "other", video: [], obstacle });
  });

  test("that ends before its last pictures says so, and has its tracks", async () => {
    const whole = indexFirst(file);
    const obstacleOf = async (bytes: Uint8Array) => {
      const { inspection } = await inspectMp4(reader(bytes));
      return [inspection.container, inspection.video.length, inspection.obstacle];
    };
    expect(await obstacleOf(whole)).toEqual(["mp4", 1, null]);
    expect(await obstacleOf(whole.subarray(0, 36_000))).toEqual(["mp4", 1, "cut-off"]);
  });

  test.each([
    [200, "mp4"],
    [201, "other"],
  ])("with %i tracks counts as %s", async (count, container) => {
    const indexAt = file.indexOf("moov") - 4;
    const pictureAt = file.indexOf("trak") - 4;
    const soundAt = pictureAt + file.readUInt32BE(pictureAt);
    const sound = file.subarray(soundAt, soundAt + file.readUInt32BE(soundAt));
    // The film has a picture and two sounds.
    const sounds = Array.from({ length: count - 3 }, (_, index) => {
      const copy = Buffer.from(sound);
      copy.writeUInt32BE(100 + index, copy.indexOf("tkhd") + 16);
      return copy;
    });
    const index = box("moov", file.subarray(indexAt + 8), ...sounds);
    const { inspection } = await inspectMp4(reader(Buffer.concat([file.subarray(0, indexAt), index])));
    expect(inspection.container).toBe(container);
  });

  test.each(["encv", "enca", "drmi", "drms"])("with a track of type %s is encrypted", async (entry) => {
    const described = Buffer.concat([Buffer.alloc(8), box(entry, Buffer.alloc(4))]);
    const path = ["stsd", "stbl", "minf", "mdia", "trak", "moov"];
    const index = path.reduce<Uint8Array>((content, name) => box(name, content), described);
    const { inspection } = await inspectMp4(reader(Buffer.concat([type, index, media])));
    expect(inspection).toMatchObject({ container: "mp4", obstacle: "encrypted" });
  });

  test.each([
    ["avc1.6e0028", "avc1", "avc1.6e0028", "H.264", 10],
    ["avc1.640028", "avc1", "avc1.640028", "H.264", 8],
    ["hev1.2.4.L120.90", "hev1", "hvc1.2.4.L120.90", "HEVC", 10],
    ["av01.0.08M.10", "av01", "av01.0.08M.10", "AV1", 10],
    ["vp09.02.31.10", "vp09", "vp09.02.31.10", "VP9", 10],
    ["mp3", "mp4a", "mp4a.6B", "MP3", null],
    ["pcm-s16", "sowt", null, "PCM", null],
    [null, "alac", null, "ALAC", null],
    [null, "mp4v", null, "MPEG-4 ASP", null],
    [null, null, null, "an unknown codec", null],
  ])("with the codec %s in %s names it as browsers and as people do", (named, entry, codec, label, depth) =>
    expect(codecOfMp4(named, entry)).toEqual({ codec, codecLabel: label, bitDepth: depth }),
  );
});

describe("the part of an MP4 that a converter reads", () => {
  test("is the description of the track, and pieces that contain every packet once", async () => {
    const head = Buffer.from(pieceHead(film, picture));
    expect(head.indexOf("avcC")).toBeGreaterThan(0);
    const times = (await inspectMp4(film)).keyFrames?.map(({ seconds }) => seconds) ?? [];
    let count = 0;
    for (const [sequence, from] of times.entries()) {
      const cut = { track: picture, at: 0, from, to: times[sequence + 1] ?? null, sequence };
      const [piece, segment] = [await cutPiece(film, cut), await cutSegment(film, cut)].map(framesOf);
      expect(piece).toBe(segment);
      count += piece ?? Number.NaN;
    }
    const whole = { track: picture, at: 0, from: times[0] ?? 0, to: null, sequence: 0 };
    expect(count).toBe(framesOf(await cutPiece(film, whole)));
  });

  test.each<[string, number[], number[]]>([
    ["on its side", [0, 1, -1, 0], [0, 1, -1, 0]],
    ["upside down", [-1, 0, 0, -1], [-1, 0, 0, -1]],
    ["nearly on its side", [0.5, 0.8, -0.8, 0.5], [0, 1, -1, 0]],
  ])("is turned as the film is, of which the picture lies %s", async (_, turn, expected) => {
    const turned = Buffer.from(file);
    turned.set(matrixOf(turn), turned.lastIndexOf("tkhd", turned.indexOf("avcC")) + matrixAt);
    const turnOf = (head: Uint8Array) => {
      const bytes = Buffer.from(head);
      const at = bytes.indexOf("tkhd") + matrixAt;
      return bytes.subarray(at, at + 20);
    };
    const head = turnOf(pieceHead(reader(turned), picture));
    expect(head).toEqual(matrixOf(expected));
    expect(turnOf(await cutInit(reader(turned), { track: picture, at: 0 }))).toEqual(head);
  });

  test("begins at zero if the film was cut between two key frames, and moves no track", async () => {
    const early = Buffer.from(file);
    // In the list of the picture, an empty edit comes before the one that says where the film begins.
    const begin = early.indexOf("elst") + 12 + 12 + 4;
    early.writeInt32BE(early.readInt32BE(begin) + 16_000, begin);
    const beginOf = async (bytes: Uint8Array) =>
      (await inspectMp4(reader(bytes))).keyFrames?.[0]?.seconds ?? Number.NaN;
    expect(await beginOf(early)).toBeLessThan(-0.9);
    const cut = { track: picture, at: 0, from: await beginOf(early), to: null, sequence: 0 };
    const [shown, next] = timesOf(await cutPiece(reader(early), cut)).filter(
      (time) => time >= firstShownSeconds,
    );
    expect(shown).toBe(firstShownSeconds);
    expect(next).toBeLessThan(0.2);
    const whole = await cutSegment(film, { ...cut, from: await beginOf(file) });
    for (const parts of [await cutSegment(reader(early), cut), await cutPiece(reader(early), cut)])
      expect(framesOf(parts)).toBe(framesOf(whole));
    for (const track of [picture, english])
      expect(Buffer.from(await cutInit(reader(early), { track, at: 0 })).includes("elst")).toBe(false);
  });

  test("is an empty piece after the end of the sound", async () => {
    const cut = { track: english, at: 0, from: 1000, to: null, sequence: 9 };
    expect(await cutPiece(film, cut)).toHaveLength(0);
  });

  test("is refused for a track that the film lacks", () =>
    expect(() => pieceHead(film, 9)).toThrow(DamagedFilm));

  test("ends with a refusal, whatever sizes the boxes state", () => {
    const index = file.lastIndexOf("moov") - 4;
    fc.assert(
      fc.property(fc.nat(400), fc.uint8Array({ minLength: 4, maxLength: 4 }), (at, bytes) => {
        const lying = Buffer.from(file);
        lying.set(bytes, index + at);
        try {
          expect(pieceHead(reader(lying), picture).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedFilm);
        }
      }),
    );
  });
});

/** Behind the name of the box: the version, and the times and numbers of version 0. */
const matrixAt = 4 + 40;
/** The first two lines of a matrix, which has two more columns of zeros. */
function matrixOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Buffer {
  const bytes = Buffer.alloc(20);
  for (const [index, value] of [a, b, 0, c, d].entries()) bytes.writeInt32BE(value * 0x10000, 4 * index);
  return bytes;
}

/** When the pictures of a piece are shown, in order. */
function timesOf(parts: readonly Uint8Array[]): number[] {
  const fragment = Buffer.concat(parts);
  const rows = fragment.indexOf("trun") + 16;
  let decodedAt = Number(fragment.readBigUInt64BE(fragment.indexOf("tfdt") + 8));
  const times: number[] = [];
  for (let row = rows; times.length < framesOf(parts); row += 16) {
    times.push((decodedAt + fragment.readInt32BE(row + 12)) / pieceTimescale);
    decodedAt += fragment.readUInt32BE(row);
  }
  return times.sort((one, other) => one - other);
}

const framesOf = (parts: readonly Uint8Array[]): number => {
  const fragment = Buffer.concat(parts);
  return fragment.readUInt32BE(fragment.indexOf("trun") + 8);
};
