import { expect, test } from "vitest";
import { assemble, encodedSamples, planConvertedSound } from "#app/media/converting/converted-track.ts";
import { planPicture } from "#app/media/segments/segment-plan.ts";
import { block, cluster, element, filmOf, ids, picture } from "#tests/support/data/matroska-bytes.ts";

const keyFrames = [0, 5, 10, 15, 20].map((seconds) => ({ seconds, at: 1000 * seconds }));
const segments = planConvertedSound(keyFrames, 20);
const track = { kind: "sound" as const, track: 2, segments, channels: 2 };

/** Frames as a converter writes them. Each contains its number, counted from the start of the encoder. */
const frame = (number: number) => {
  const bytes = Buffer.from([0xff, 0xf1, 0x4c, 0x80, 0x01, 0x7f, 0xfc, 0, 0, 0, 0]);
  bytes.writeUInt32BE(number, 7);
  return bytes;
};
const framesOf = (first: number) => {
  const { from, to } = encodedSamples(segments, first);
  return Buffer.concat(Array.from({ length: (to - from) / 1024 + 1 }, (_, index) => frame(index)));
};

test("segments of converted sound hold whole frames, and the last one ends with the film", () => {
  expect(segments.map(({ start }) => Math.round(start * 1000))).toEqual([0, 6016, 12_032, 18_048]);
  expect(segments.at(-1)?.end).toBeCloseTo(20, 1);
  expect(segments[1]?.at).toBe(0);
  expect(segments[2]?.at).toBe(10_000);
});

test("an encoder begins ten frames before its first segment", () => {
  expect(encodedSamples(segments, 0)).toEqual({ from: 0, to: 938 * 1024 });
  expect(encodedSamples(segments, 2)).toEqual({ from: (2 * 282 - 10) * 1024, to: 938 * 1024 });
});

test("a converter makes segments at the same times wherever it begins, without the frames that only prepare the decoder", () => {
  const made = (first: number, chunkLength: number) => {
    const found: [number, Buffer][] = [];
    const assembler = assemble(track, first, {
      onInit: () => {},
      onSegment: (sequence, bytes) => found.push([sequence, bytes]),
    });
    const bytes = framesOf(first);
    for (let at = 0; at < bytes.length; at += chunkLength)
      assembler.push(bytes.subarray(at, at + chunkLength));
    assembler.end();
    return found;
  };
  const [whole, later] = [made(0, 100_000), made(2, 7)];
  expect(whole.map(([sequence]) => sequence)).toEqual([0, 1, 2, 3]);
  expect(later.map(([sequence]) => sequence)).toEqual([2, 3]);
  const timeOf = (bytes?: Buffer) => bytes?.readBigUInt64BE(bytes.indexOf("tfdt") + 8);
  expect(timeOf(later[0]?.[1])).toBe(timeOf(whole[2]?.[1]));
  expect(timeOf(later[0]?.[1])).toBe(BigInt(2 * 282 * 1024));
  const firstFrame = (bytes?: Buffer) => bytes?.readUInt32BE(bytes.indexOf("mdat") + 4);
  expect(firstFrame(whole[0]?.[1])).toBe(1);
  expect(firstFrame(later[0]?.[1])).toBe(11);
});

test("a segment that the converter did not finish is not returned", () => {
  const found: number[] = [];
  const assembler = assemble(track, 0, { onInit: () => {}, onSegment: (sequence) => found.push(sequence) });
  assembler.push(framesOf(0).subarray(0, 11 * 400));
  assembler.end();
  expect(found).toEqual([0]);
});

/** The only segment of a converted picture that begins at `seconds`: three pictures, the last of which is shown second. */
function convertedFrom(seconds: number): Buffer {
  const planned = planPicture([{ seconds, at: 0 }], 4);
  const pictures = { kind: "picture" as const, track: 1, segments: planned, canBeInterlaced: false };
  const found: Buffer[] = [];
  const assembler = assemble(pictures, 0, {
    onInit: () => {},
    onSegment: (_, bytes) => found.push(bytes),
  });
  const blocks = [block(1, 0, true), block(1, 80, false), block(1, 40, false)];
  assembler.push(filmOf(element(ids.tracks, picture), cluster(1000 * seconds, ...blocks)));
  assembler.end();
  return found[0] ?? Buffer.alloc(0);
}
const beginOf = (segment: Buffer) => Number(segment.readBigUInt64BE(segment.indexOf("tfdt") + 8));

test("a converted picture that begins late is shown from the beginning of the film on", () => {
  expect(beginOf(convertedFrom(2))).toBe(0);
});

test("a converted picture that is held over a gap is decoded last", () => {
  const segment = convertedFrom(0);
  const rows = segment.indexOf("trun") + 16;
  const durations = [0, 1, 2].map((row) => segment.readUInt32BE(rows + 16 * row));
  const offset = segment.readInt32BE(rows + 16 * 2 + 12);
  const shownMs = (beginOf(segment) + (durations[0] ?? 0) + (durations[1] ?? 0) + offset) / 90;
  expect(shownMs).toBe(80);
  expect((durations[2] ?? 0) / 90).toBeCloseTo(4000 - 80, -2);
});
