import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DamagedFilm, type FilmBytes } from "#app/media/film/film-bytes.ts";
import { maxPackets, packetsOfBlocks } from "#app/media/matroska/block-packets.ts";
import { openMatroska } from "#app/media/matroska/matroska-file.ts";
import { cutInit, cutSegment } from "#app/media/segments/cut-segment.ts";
import { type FilmTrack, packetsFrom, withTrack } from "#app/media/segments/film-track.ts";
import {
  block,
  cluster,
  compression,
  element,
  filmOf,
  idBytes,
  ids,
  picture,
  sizeBytes,
  sound,
} from "#tests/support/data/matroska-bytes.ts";

/**
 * The site reads packets directly from the blocks of a film, and returns the same packets as mediabunny without reading
 * other tracks.
 */

function countedFilm(bytes: Uint8Array): FilmBytes & { readBytes(): number } {
  let count = 0;
  return {
    size: bytes.length,
    read(at, length) {
      const read = bytes.subarray(at, at + length);
      count += read.length;
      return read;
    },
    readBytes: () => count,
  };
}

async function listPackets(track: FilmTrack) {
  const listed: object[] = [];
  for await (const { data, type, timestamp, duration } of packetsFrom(track, 0))
    listed.push({ data: Buffer.from(data).toString("hex"), type, timestamp, duration });
  return listed;
}

async function withTrackOf<Result>(
  name: string,
  number: number,
  work: (track: FilmTrack) => Promise<Result>,
) {
  const film = countedFilm(readFileSync(`tests/fixtures/films/${name}`));
  return withTrack(film, { track: number, at: openMatroska(film)?.firstCluster ?? 0 }, work);
}

test.each([
  ["two-sounds.mkv", 1],
  // Its blocks hold several packets.
  ["two-sounds.mkv", 2],
  ["dolby.mkv", 1],
  ["dolby.mkv", 2],
  ["dub.mka", 1],
] as const)("%s, track %i, has the same packets as for mediabunny", async (name, number) => {
  await withTrackOf(name, number, async (opened) => {
    expect(opened.blocks).not.toBeNull();
    const packets = await listPackets(opened);
    expect(packets.length).toBeGreaterThan(10);
    expect(packets).toEqual(await listPackets({ ...opened, blocks: null }));
  });
});

const info = element(ids.info, element(ids.timestampScale, Buffer.from([0x0f, 0x42, 0x40])));
const aac = sound(element(ids.codecId, "A_AAC"), element(ids.codecPrivate, Buffer.from([0x11, 0x90])));
const tracks = element(ids.tracks, picture, aac);

function soundCut(...clusters: Uint8Array[]) {
  const bytes = filmOf(info, tracks, ...clusters);
  const film = countedFilm(bytes);
  const at = openMatroska(film)?.firstCluster ?? 0;
  return { film, cut: { track: 2, at, from: 0, to: null, sequence: 0 } };
}

test("reading sound beside a large picture does not read the picture", async () => {
  const large = Array.from({ length: 400_000 }, () => 7);
  const { film, cut } = soundCut(
    cluster(0, block(1, 0, true, large), block(2, 0, true, [1, 1, 1]), block(2, 21, true, [2, 2, 2])),
  );
  // Making the init segment needs the first packet, which mediabunny reads with its cluster.
  await cutSegment(film, cut);
  const before = film.readBytes();
  const segment = Buffer.concat(await cutSegment(film, cut));
  expect(segment.subarray(-6)).toEqual(Buffer.from([1, 1, 1, 2, 2, 2]));
  expect(film.readBytes() - before).toBeLessThan(50_000);
});

test("each of several packets in one block is in the segment", async () => {
  // Two packets of 3 bytes. The length of the first is written by Xiph's lacing.
  const laced = element(ids.simpleBlock, Buffer.from([0x82, 0, 21, 0x82, 1, 3, 2, 2, 2, 3, 3, 3]));
  const { film, cut } = soundCut(cluster(0, block(2, 0, true, [1, 1, 1]), laced));
  const segment = Buffer.concat(await cutSegment(film, cut));
  expect(segment.subarray(-9)).toEqual(Buffer.from([1, 1, 1, 2, 2, 2, 3, 3, 3]));
});

test("a cluster of more packets than a part of any film is refused before its last packet", () => {
  const packet = Buffer.concat([idBytes(ids.simpleBlock), Buffer.of(0x84, 0x82, 0, 0, 0x80)]);
  const film = countedFilm(Buffer.alloc(2 * maxPackets * packet.length, packet));
  const track = { number: 2, ticksPerSecond: 1000, defaultTicks: 0, header: new Uint8Array() };
  expect(() => packetsOfBlocks(film, track, 0).next()).toThrow(DamagedFilm);
  expect(film.readBytes()).toBeLessThan(0.6 * film.size);
});

test("packets of hundreds of megabytes are refused before they are read", async () => {
  const size = 100 * 1024 * 1024;
  const head = Buffer.concat([idBytes(ids.simpleBlock), sizeBytes(size), Buffer.of(0x81, 0, 0, 0x80)]);
  const period = head.length - 4 + size;
  const film = {
    size: 10 * period,
    read: (at: number, length: number) =>
      Buffer.concat([head.subarray(at % period), Buffer.alloc(length)], length),
  };
  const track = { number: 1, ticksPerSecond: 1000, defaultTicks: 0, header: new Uint8Array() };
  const opened = {
    track: {} as FilmTrack["track"],
    isIndexed: false,
    head: null,
    blocks: { film, track, at: 0 },
  };
  const readAll = async () => {
    for await (const { byteLength } of packetsFrom(opened, 0)) expect(byteLength).toBe(size - 4);
  };
  await expect(readAll()).rejects.toThrow(DamagedFilm);
});

describe("packets without the bytes that they all begin with", () => {
  const stripped = sound(
    element(ids.codecId, "A_AAC"),
    element(ids.codecPrivate, Buffer.from([0x11, 0x90])),
    compression(3, Buffer.from([9, 8])),
  );
  const cutOf = async (...blocks: Uint8Array[]) => {
    const film = countedFilm(filmOf(info, element(ids.tracks, picture, stripped), cluster(0, ...blocks)));
    const place = { track: 2, at: openMatroska(film)?.firstCluster ?? 0 };
    expect((await cutInit(film, place)).length).toBeGreaterThan(100);
    return Buffer.concat(await cutSegment(film, { ...place, from: 0, to: null, sequence: 0 }));
  };
  const laced = (flags: number, ...content: number[]) =>
    element(ids.simpleBlock, Buffer.from([0x82, 0, 21, 0x80 | flags, ...content]));

  test("get them back, one in a block", async () => {
    const segment = await cutOf(block(2, 0, true, [1]), block(2, 21, true, [2]));
    expect(segment.subarray(-6)).toEqual(Buffer.from([9, 8, 1, 9, 8, 2]));
  });

  test.each([
    ["by Xiph's lengths", laced(2, 2, 1, 2, 4, 5, 5, 6)],
    ["of one length", laced(4, 1, 4, 4, 5, 5)],
    ["by EBML's lengths", laced(6, 2, 0x81, 0xc0, 4, 5, 5, 6)],
  ])("get them back, several in a block %s", async (_, several) => {
    const segment = await cutOf(block(2, 0, true, [1]), several);
    const text = segment.toString("hex");
    expect(text).toContain("090801");
    expect(text).toMatch(/0908(?:04|0404)0908(?:0505)(?:090806)?$/);
  });

  test("that are less than a block lists are refused", async () => {
    for (const several of [laced(2, 2, 200, 200, 1), laced(4, 2, 1, 1), laced(6, 1, 0xff, 1), laced(6, 9)])
      await expect(cutOf(block(2, 0, true, [1]), several)).rejects.toThrow(DamagedFilm);
  });
});
