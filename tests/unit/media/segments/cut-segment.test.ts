import { expect, test } from "vitest";
import type { FilmBytes } from "#app/media/film/film-bytes.ts";
import { type Cut, cutInit, cutSegment } from "#app/media/segments/cut-segment.ts";
import { planPicture, planSound } from "#app/media/segments/segment-plan.ts";
import {
  block,
  cluster,
  element,
  filmOf,
  ids,
  picture,
  reader,
  sound,
} from "#tests/support/data/matroska-bytes.ts";

/** The segments of an ordered edition hold all sound of their piece, however the blocks of the film divide it. */

const opusHead = Buffer.concat([
  Buffer.from("OpusHead"),
  Buffer.from([1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]),
]);
const opus = (...fields: Uint8Array[]) =>
  sound(
    element(ids.codecId, "A_OPUS"),
    element(ids.codecPrivate, opusHead),
    element(ids.audio, element(ids.channels, Buffer.from([2]))),
    ...fields,
  );
const opusSound = { codec: "opus", channels: 2 };
const packetMs = 20;
/** The length of a packet in nanoseconds. */
const defaultDuration = element(ids.defaultDuration, Buffer.from([0x01, 0x31, 0x2d, 0x00]));

/** Each packet holds its number, after the byte that says how long an Opus packet lasts. */
const packet = (index: number) => [0xfc, index >> 8, index & 255];
const packetsIn = (segment: Buffer): number[] => {
  const found: number[] = [];
  const data = segment.indexOf("mdat") + 4;
  for (let at = data; at < segment.length; at += 3) found.push(segment.readUInt16BE(at + 1));
  return found;
};

/** 40 seconds of packets, `most` in a block. */
function filmWithBlocksOf(most: number, ...fields: Uint8Array[]) {
  const clusters: Buffer[] = [];
  for (let second = 0; second < 40; second += 5) {
    const blocks: Buffer[] = [];
    const end = (1000 * (second + 5)) / packetMs;
    for (let index = (1000 * second) / packetMs; index < end; index += most) {
      const count = Math.min(most, end - index);
      const ticks = packetMs * index - 1000 * second;
      const packets = Array.from({ length: count }, (_, at) => packet(index + at)).flat();
      // All packets of a block have the same size, so it lists only how many there are.
      const head = [0x82, ticks >> 8, ticks & 255, 0x84, count - 1];
      blocks.push(element(ids.simpleBlock, Buffer.from([...head, ...packets])));
    }
    clusters.push(cluster(1000 * second, ...blocks));
  }
  const tracks = element(ids.tracks, picture, opus(...fields));
  const bytes = filmOf(tracks, ...clusters);
  const first = bytes.length - Buffer.concat(clusters).length;
  const keyFrames = clusters.map((_, index) => ({
    seconds: 5 * index,
    at: first + Buffer.concat(clusters.slice(0, index)).length,
  }));
  return { film: reader(bytes), keyFrames };
}

test.each([
  ["one packet", 1, []],
  ["eight packets of one time", 8, []],
  ["eight packets with a length", 8, [defaultDuration]],
  ["seven packets of one time", 7, []],
])("blocks of %s", async (_, most, fields) => {
  const { film, keyFrames } = filmWithBlocksOf(most, ...fields);
  const piece = { from: 3.3, to: 31.7, start: 10 };
  const plan = planSound({ ...opusSound, span: null }, keyFrames, 40, [piece]);
  expect(plan.length).toBeGreaterThan(3);
  const cut = await Promise.all(
    plan.map(async ({ at, from, to, start, end, piece: of }, sequence) => {
      const edition = of && { ...of, start, end };
      const segment = Buffer.concat(await cutSegment(film, { track: 2, at, from, to, sequence, edition }));
      return packetsIn(segment);
    }),
  );
  const all = cut.flat();
  const [first, last] = [piece.from * 1000, piece.to * 1000].map((ms) => ms / packetMs);
  expect(all).toEqual(
    Array.from(
      { length: Math.round((last ?? 0) - (first ?? 0)) },
      (_, index) => Math.round(first ?? 0) + index,
    ),
  );
});

test("silence before sound that begins years later is bounded", async () => {
  const years = Buffer.alloc(8);
  years.writeBigUInt64BE(10n ** 11n);
  const late = element(ids.cluster, element(ids.clusterTimestamp, years), block(2, 0, true, packet(1)));
  const film = reader(filmOf(element(ids.tracks, picture, opus()), late));
  const cut = { track: 2, at: film.size - late.length, from: 0, to: null, sequence: 0 };
  const runs = await runsIn(cut, film);
  const silences = runs.slice(0, -1);
  expect(silences.length).toBeGreaterThan(1);
  for (const { count } of silences) expect(count).toBeLessThanOrEqual(1000);
  expect(runs.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(1_000_000);
  // Each run begins where the one before it ends.
  for (const [index, { begin }] of runs.slice(1).entries()) expect(begin - (runs[index]?.end ?? 0)).toBe(0);
});

test("a picture that begins late is shown from the beginning of the film on", async () => {
  const clusters = [
    cluster(7000, block(1, 0, true), block(1, 80, false), block(1, 40, false)),
    cluster(9000, block(1, 0, true), block(1, 40, false)),
  ];
  const film = reader(filmOf(element(ids.tracks, picture), ...clusters));
  const at = film.size - Buffer.concat(clusters).length;
  const [first, second] = await Promise.all(
    [
      { from: 7, to: 9, sequence: 0 },
      { from: 9, to: null, sequence: 1 },
    ].map((part) => runsIn({ track: 1, at, ...part }, film)),
  );
  expect(first).toMatchObject([{ begin: 0, count: 3 }]);
  expect(second?.[0]?.begin).toBe(first?.[0]?.end);
});

/**
 * A film with a cluster at each of these seconds. The pictures of a cluster are written in the order of `pictureMs`.
 * `heardMs`: from when up to when the film has sound.
 */
function filmOfClusters(
  seconds: readonly number[],
  {
    packetMs = 20,
    pictureMs = [0, 2500],
    heardMs = [0, Number.POSITIVE_INFINITY],
    pictureBytes = 3,
    isSoundMarked = true,
  } = {},
) {
  const [heardFrom = 0, heardUntil = 0] = heardMs;
  const clusters = seconds.map((second) => {
    // Packets go on from cluster to cluster.
    const begin = (packetMs - ((1000 * second) % packetMs)) % packetMs;
    const packets = Array.from({ length: Math.ceil((5000 - begin) / packetMs) }, (_, index) => {
      const at = begin + packetMs * index;
      const isHeard = 1000 * second + at >= heardFrom && 1000 * second + at < heardUntil;
      return isHeard ? block(2, at, isSoundMarked, packet(index)) : Buffer.alloc(0);
    });
    const pictures = pictureMs.map((ms) => block(1, ms, ms === 0, Array(pictureBytes).fill(1)));
    return { second, bytes: cluster(1000 * second, ...pictures, ...packets) };
  });
  const bytes = filmOf(element(ids.tracks, picture, opus()), ...clusters.map((one) => one.bytes));
  let at = bytes.length - clusters.reduce((sum, one) => sum + one.bytes.length, 0);
  const keyFrames = clusters.map((one) => {
    const frame = { seconds: one.second, at };
    at += one.bytes.length;
    return frame;
  });
  return { film: reader(bytes), keyFrames };
}

/** Ten seconds with all packets, and ten after a gap of twenty seconds. */
const secondsWithGap = [0, 5, 30, 35];

test("a gap in the sound of a film is filled with silence", async () => {
  const { film, keyFrames } = filmOfClusters(secondsWithGap);
  const plan = planSound({ ...opusSound, span: { first: 0, last: 40 } }, keyFrames, 40);
  const segments = await Promise.all(
    plan.map(({ at, from, to }, sequence) => runsIn({ track: 2, at, from, to, sequence }, film)),
  );
  const [rate, packetSeconds] = [48_000, packetMs / 1000];
  for (const [index, { start, end }] of plan.entries()) {
    const [run] = segments[index] ?? [];
    expect(Math.abs((run?.begin ?? 0) / rate - start)).toBeLessThan(packetSeconds);
    expect(Math.abs((run?.end ?? 0) / rate - end)).toBeLessThan(2 * packetSeconds);
    // One long packet would be heard as a gap.
    expect(run?.count).toBeGreaterThan((0.9 * (end - start)) / packetSeconds);
  }
});

test.each([
  ["that ends before the picture", 8, { first: 0, last: 8 }],
  ["whose beginning and end were not found", 30, null],
])("sound %s is silent up to the end of the film", async (_, seconds, span) => {
  const { film, keyFrames } = filmOfClusters([0, 5, 10, 15, 20, 25], {
    heardMs: span ? [0, 1000 * seconds] : [14_000, 20_000],
  });
  const plan = planSound({ ...opusSound, span }, keyFrames, 30);
  const segments = await Promise.all(
    plan.map((segment, sequence) => runsIn({ track: 2, ...segment, sequence }, film)),
  );
  const runs = segments.flat();
  expect(runs[0]?.begin).toBe(0);
  const ends = [...runs.slice(1).map(({ begin }) => begin), 30 * 48_000];
  for (const [index, { end }] of runs.entries())
    expect(Math.abs((ends[index] ?? 0) - end)).toBeLessThan(0.1 * 48_000);
});

test("a segment after the end of the sound is cut without reading the film to its end", async () => {
  const seconds = Array.from({ length: 45 }, (_, index) => 5 * index);
  const { film, keyFrames } = filmOfClusters(seconds, { heardMs: [0, 10_000], pictureBytes: 5000 });
  const readAt: number[] = [];
  const read: FilmBytes["read"] = (at, length) => {
    readAt.push(at);
    return film.read(at, length);
  };
  const [segment] = planSound({ ...opusSound, span: { first: 0, last: 10 } }, keyFrames, 225).slice(2);
  const runs = segment ? await runsIn({ track: 2, ...segment, sequence: 2 }, { ...film, read }) : [];
  expect(runs).toMatchObject([{ begin: 12 * 48_000, end: 18 * 48_000 }]);
  expect(Math.max(...readAt)).toBeLessThan(keyFrames.find((one) => one.seconds === 215)?.at ?? 0);
});

test("sound whose packets are not marked as key frames gets the same segments as marked sound", async () => {
  const segmentsOf = async (isSoundMarked: boolean) => {
    const { film, keyFrames } = filmOfClusters([0, 5], { isSoundMarked });
    const place = { track: 2, at: keyFrames[0]?.at ?? 0 };
    const parts = await cutSegment(film, { ...place, from: 0, to: 6, sequence: 0 });
    return Buffer.concat([await cutInit(film, place), ...parts]);
  };
  expect(await segmentsOf(false)).toEqual(await segmentsOf(true));
});

test("sound that is stored a minute after its picture is found", async () => {
  const pictures = Array.from({ length: 12 }, (_, index) => cluster(5000 * index, block(1, 0, true)));
  const late = cluster(
    0,
    ...Array.from({ length: 250 }, (_, index) => block(2, 20 * index, true, packet(index))),
  );
  const film = reader(filmOf(element(ids.tracks, picture, opus()), ...pictures, late));
  const at = film.size - Buffer.concat([...pictures, late]).length;
  const segment = await cutSegment(film, { track: 2, at, from: 0, to: 5, sequence: 0 });
  expect(Buffer.concat(segment).includes(Buffer.from(packet(200)))).toBe(true);
});

test("a last picture stands still until the end of longer sound", async () => {
  const { film, keyFrames } = filmOfClusters([0, 5]);
  const [segment] = planPicture(keyFrames, 60).slice(-1);
  const [run] = segment ? await runsIn({ track: 1, ...segment, sequence: 0 }, film) : [];
  const timescale = 57_600;
  expect(run?.shownUntil).toBe(60 * timescale);
});

test("long packets of sound have no silence between them, and segments meet where one ends", async () => {
  const { film, keyFrames } = filmOfClusters([0, 5, 10, 15, 20], { packetMs: 111 });
  const plan = planSound({ ...opusSound, span: { first: 0, last: 25 } }, keyFrames, 25);
  const segments = await Promise.all(
    plan.map(({ at, from, to }, sequence) => runsIn({ track: 2, at, from, to, sequence }, film)),
  );
  const runs = segments.flat();
  expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(Math.ceil(25_000 / 111));
  for (const [index, { begin }] of runs.slice(1).entries()) expect(runs[index]?.end).toBe(begin);
});

test.each([
  ["in order", [0, 2500]],
  ["decoded before another one", [0, 4000, 3960]],
])("a last picture that is %s stands still until the end of a gap", async (_, pictureMs) => {
  const { film, keyFrames } = filmOfClusters(secondsWithGap, { pictureMs });
  const plan = planPicture(keyFrames, 40);
  const segments = await Promise.all(
    plan.map(({ at, from, to }, sequence) => runsIn({ track: 1, at, from, to, sequence }, film)),
  );
  const runs = segments.flat();
  expect(runs.length).toBe(plan.length);
  const gap = runs[plan.findIndex(({ start }) => start === 30) - 1];
  expect(gap?.shownUntil).toBe(runs[plan.findIndex(({ start }) => start === 30)]?.shownFrom);
  expect(gap?.isLastShownLast).toBe(true);
});

test("pictures that are far from each other keep their places before a gap", async () => {
  const { film, keyFrames } = filmOfClusters(secondsWithGap, { pictureMs: [0, 4000, 2000] });
  const [first] = planPicture(keyFrames, 40);
  const [run] = first ? await runsIn({ track: 1, ...first, sequence: 0 }, film) : [];
  expect(run?.isLastShownLast).toBe(false);
});

/** The runs of samples of a segment, in units of its timescale. */
async function runsIn(cut: Cut, film: FilmBytes) {
  const segment = Buffer.concat(await cutSegment(film, cut));
  const runs = [];
  for (let at = segment.indexOf("moof"); at >= 0; at = segment.indexOf("moof", at + 4)) {
    const begin = Number(segment.readBigUInt64BE(segment.indexOf("tfdt", at) + 8));
    const trun = segment.indexOf("trun", at);
    const count = segment.readUInt32BE(trun + 8);
    let end = begin;
    const shown = [];
    for (let sample = 0; sample < count; sample++) {
      const fields = trun + 16 + 16 * sample;
      const from = end + segment.readInt32BE(fields + 12);
      end += segment.readUInt32BE(fields);
      shown.push({ from, until: from + segment.readUInt32BE(fields) });
    }
    const last = shown.at(-1);
    runs.push({
      begin,
      end,
      count,
      shownFrom: Math.min(...shown.map(({ from }) => from)),
      shownUntil: last?.until,
      isLastShownLast: shown.every(({ from }) => from <= (last?.from ?? 0)),
    });
  }
  return runs;
}
