import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { box, fullBox, u32 } from "#app/media/mp4/boxes.ts";
import { inspectMp4 } from "#app/media/mp4/inspect-mp4.ts";
import { requireFewSamples } from "#app/media/mp4/sample-counts.ts";
import { reader } from "#tests/support/data/matroska-bytes.ts";

const million = 1_000_000;
const type = box("ftyp", Buffer.from("isom\0\0\0\0"));

/** A table with one entry for each count. */
const table = (name: string, ...counts: number[]) =>
  fullBox(name, 0, u32(counts.length), ...counts.flatMap((count) => [u32(count), u32(1)]));
const chunksOf = (...samples: number[]) =>
  fullBox(
    "stsc",
    0,
    u32(samples.length),
    ...samples.flatMap((count, at) => [u32(at + 1), u32(count), u32(1)]),
  );
const trackOf = (...tables: Buffer[]) => box("trak", box("mdia", box("minf", box("stbl", ...tables))));
const filmOf = (...tracks: Buffer[]) => [type, box("moov", ...tracks)];
const fragmentOf = (...counts: number[]) =>
  box("moof", ...counts.map((count) => box("traf", fullBox("trun", 1, u32(count), u32(0)))));
const read = (boxes: readonly Buffer[]) => requireFewSamples(reader(Buffer.concat(boxes)));

test.each<[string, Buffer[]]>([
  ["durations", filmOf(trackOf(table("stts", 10, 4 * million), table("ctts", 10)))],
  ["composition offsets", filmOf(trackOf(table("stts", 10)), trackOf(table("ctts", million, 1)))],
  ["samples in a chunk without sizes", filmOf(trackOf(chunksOf(10, 4000 * million)))],
  [
    "samples in a chunk",
    filmOf(trackOf(chunksOf(10, 4000 * million), fullBox("stsz", 0, u32(0), u32(1), u32(9)))),
  ],
  ["sizes of no bits", filmOf(trackOf(fullBox("stz2", 0, u32(0), u32(4000 * million))))],
  ["samples of a fragment", [...filmOf(), fragmentOf(10, 4000 * million)]],
  [
    "samples of a fragment after many others",
    [...filmOf(), ...Array(2000).fill(fragmentOf(1)), fragmentOf(million)],
  ],
])("a film with too many %s is refused", (_, boxes) => {
  expect(() => read(boxes)).toThrow(DamagedFilm);
});

test.each<[string, Buffer[]]>([
  ["ten hours of pictures", filmOf(trackOf(table("stts", 900_000), table("ctts", ...Array(900).fill(1000))))],
  [
    "two hours of uncompressed sound",
    filmOf(
      trackOf(
        table("stts", 345 * million),
        chunksOf(345 * million),
        fullBox("stsz", 0, u32(4), u32(345 * million)),
      ),
    ),
  ],
  ["a day in fragments", [...filmOf(), ...Array(3000).fill(fragmentOf(690, 1350))]],
  ["a table that says more entries than it has", filmOf(trackOf(fullBox("ctts", 0, u32(4000 * million))))],
])("a film of %s is read", (_, boxes) => {
  expect(() => read(boxes)).not.toThrow();
});

test("an MP4 of a few kilobytes that counts millions of pictures is of an unknown format", async () => {
  const file = readFileSync("tests/fixtures/films/open-groups.mp4");
  file.writeUInt32BE(3 * million, file.indexOf("ctts") + 12);
  const { inspection, keyFrames } = await inspectMp4(reader(file));
  expect([inspection.container, inspection.video, keyFrames]).toEqual(["other", [], null]);
});
