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
const chunksFrom = (...firsts: number[]) =>
  fullBox("stsc", 0, u32(firsts.length), ...firsts.flatMap((first) => [u32(first), u32(1), u32(1)]));
const trackOf = (...tables: Buffer[]) => box("trak", box("mdia", box("minf", box("stbl", ...tables))));
const filmOf = (...tracks: Buffer[]) => [type, box("moov", ...tracks)];
const fragmentOf = (...counts: number[]) =>
  box("moof", ...counts.map((count) => box("traf", fullBox("trun", 1, u32(count), u32(0)))));
const oneSize = fullBox("stsz", 0, u32(4), u32(345 * million));
const manyPictures = [table("stts", 4 * million), table("ctts", 10)];
const listed = (...fragments: Buffer[]) => {
  const boxes = Buffer.concat(fragments);
  return box("mfra", boxes, fullBox("mfro", 0, u32(8 + boxes.length + 16)));
};
const listedFragments = (count: number) => fullBox("tfra", 0, u32(1), u32(0), u32(count));
const empty = (count: number) => Array<Buffer>(count).fill(box("free"));
/** The first box of a type states one byte more than it has. */
function overrunning(type: string, boxes: Buffer[]): Buffer[] {
  const bytes = Buffer.concat(boxes);
  const at = bytes.indexOf(type) - 4;
  bytes.writeUInt32BE(bytes.readUInt32BE(at) + 1, at);
  return [bytes];
}
const read = (boxes: readonly Buffer[]) => requireFewSamples(reader(Buffer.concat(boxes)));

test.each<[string, Buffer[]]>([
  ["durations", filmOf(trackOf(...manyPictures))],
  ["composition offsets", filmOf(trackOf(table("stts", 10)), trackOf(table("ctts", 2 * million, 1)))],
  ["samples in a chunk without sizes", filmOf(trackOf(chunksOf(10, 4000 * million)))],
  [
    "samples in a chunk",
    filmOf(trackOf(chunksOf(10, 4000 * million), fullBox("stsz", 0, u32(0), u32(2), u32(9), u32(9)))),
  ],
  [
    "samples in a chunk with two tables of sizes",
    filmOf(trackOf(chunksOf(4000 * million), oneSize, fullBox("stsz", 0, u32(0), u32(1), u32(9)))),
  ],
  ["chunks", filmOf(trackOf(chunksFrom(1, 20 * million), oneSize))],
  ["chunks that begin again", filmOf(trackOf(chunksFrom(1, million, 1, million, 1, million), oneSize))],
  [
    "pictures behind a table",
    filmOf(trackOf(fullBox("stts", 0, u32(2)), box("free", u32(4 * million), u32(1)), table("ctts", 10))),
  ],
  ["sizes of no bits", filmOf(trackOf(fullBox("stz2", 0, u32(0), u32(4000 * million))))],
  ["samples of a fragment", [...filmOf(), fragmentOf(10, 4000 * million)]],
  [
    "samples of a fragment after many others",
    [...filmOf(), ...Array(2000).fill(fragmentOf(1)), fragmentOf(million)],
  ],
  ["samples of a fragment in the index", filmOf(fragmentOf(4000 * million))],
  ["boxes before the tables", filmOf(trackOf(...empty(20_000), ...manyPictures))],
  ["boxes before a track", filmOf(...empty(20_000), trackOf(...manyPictures))],
  ["pictures behind a thousand boxes", filmOf(...empty(1000), trackOf(...empty(1000), ...manyPictures))],
  ["boxes before the index", [...empty(200_000), ...filmOf(trackOf(...manyPictures))]],
  ...["dinf", "edts", "sinf", "schi", "mvex"].map((name): [string, Buffer[]] => [
    `pictures in ${name}`,
    filmOf(trackOf(box(name, ...manyPictures))),
  ]),
  ["fragments at the end", [...filmOf(), listed(listedFragments(60_000), listedFragments(60_000))]],
  ["fragments listed in the index", filmOf(listedFragments(60_000), listedFragments(60_000))],
  ["samples in the list of fragments", [...filmOf(), listed(fragmentOf(4000 * million))]],
  ["names of tags", filmOf(box("meta", fullBox("keys", 0, u32(4000 * million), u32(0))))],
  ["names of tags in a box of MP4", filmOf(fullBox("meta", 0, fullBox("keys", 0, u32(4000 * million))))],
  ["names of tags in many boxes", filmOf(...Array(9).fill(box("meta", fullBox("keys", 0, u32(9000)))))],
  ["tags", filmOf(box("udta", fullBox("meta", 0, box("ilst", ...empty(20_000)))))],
  ["boxes before the tags", filmOf(box("udta", ...empty(20_000), box("meta", trackOf(...manyPictures))))],
  ["pictures of a track among the tags", filmOf(fullBox("meta", 0, trackOf(...manyPictures)))],
  ["bytes in the last box of tags", filmOf(box("udta", u32(9 * million), Buffer.from("meta")))],
  ["boxes within each other", filmOf(trackOf(box("dinf", box("dinf", box("dinf", ...manyPictures)))))],
  [
    "bytes in the last table",
    overrunning("stts", filmOf(trackOf(table("ctts", 10), table("stts", 4 * million)))),
  ],
])("a film with too many %s is refused", (_, boxes) => {
  expect(() => read(boxes)).toThrow(DamagedFilm);
});

test.each<[string, Buffer[]]>([
  [
    "nine hours of 60 pictures per second",
    filmOf(trackOf(table("stts", 1_944_000), table("ctts", ...Array(1944).fill(1000)))),
  ],
  [
    "two hours of uncompressed sound",
    filmOf(trackOf(table("stts", 345 * million), chunksOf(345 * million), oneSize)),
  ],
  ["a day in fragments", [...filmOf(), ...Array(3000).fill(fragmentOf(690, 1350))]],
  [
    "thirteen hours in listed fragments",
    [...filmOf(), listed(listedFragments(46_800), listedFragments(46_800))],
  ],
  [
    "a track with tags that no box has",
    filmOf(
      box("trak", box("udta", u32(9 * million), Buffer.from("tags")), box("meta", u32(9 * million), u32(8))),
    ),
  ],
  [
    "texts among its tags",
    filmOf(
      box("udta", u32(4), Buffer.from("some text")),
      box("meta", u32(1), Buffer.from("<xml>tags</xml>")),
    ),
  ],
  ["an hour in one fragment", [...filmOf(), fragmentOf(...Array(7200).fill(36))]],
])("a film of %s is read", (_, boxes) => {
  expect(() => read(boxes)).not.toThrow();
});

test("an MP4 of a few kilobytes that counts millions of pictures is of an unknown format", async () => {
  const file = readFileSync("tests/fixtures/films/open-groups.mp4");
  file.writeUInt32BE(3 * million, file.indexOf("ctts") + 12);
  const { inspection, keyFrames } = await inspectMp4(reader(file));
  expect([inspection.container, inspection.video, keyFrames]).toEqual(["other", [], null]);
});

test("a refused MP4 with many boxes in many tracks is not searched for its encryption to the end", async () => {
  const boxes = [...empty(900), box("stbl", ...empty(900))];
  const track = box("trak", box("mdia", ...empty(900), box("minf", ...boxes)));
  const film = reader(Buffer.concat(filmOf(trackOf(...manyPictures), ...Array(300).fill(track))));
  let reads = 0;
  const read = (at: number, length: number) => {
    reads++;
    return film.read(at, length);
  };
  await expect(inspectMp4({ size: film.size, read })).rejects.toThrow(DamagedFilm);
  expect(reads).toBeLessThan(200_000);
});
