import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BitmapFormat } from "#app/media/film/inspection.ts";
import { writeBitmaps } from "#app/media/subtitles/bitmaps.ts";
import { packLines } from "#app/media/subtitles/block-lines.ts";
import {
  pgsBox,
  pgsComposition,
  pgsEnd,
  pgsObject,
  pgsPalette,
  pgsRun,
  vobSubHead,
  vobSubRun,
  vobSubUnit,
  white,
} from "#tests/support/data/bitmap-subtitles.ts";

type Line = { ms: number; durationMs?: number | null; bytes: readonly number[] | Uint8Array };
const maxBytes = 1024 * 1024;

const supOfLines = (format: BitmapFormat, lines: readonly Line[], head = vobSubHead, most = maxBytes) =>
  writeBitmaps({
    kind: "bitmaps",
    bytes: packLines(
      lines.map(({ ms, durationMs = null, bytes }) => ({
        startMs: ms,
        durationMs,
        text: Uint8Array.from(bytes),
      })),
    ),
    format,
    head,
    pieces: null,
    maxBytes: most,
  });

type Box = { x: number; y: number; width: number; height: number; pixels: string };
type Shown = { ms: number; screen: string; boxes: Box[]; colors: Record<number, string> };

/**
 * Reads a `.sup` file as libpgs does: the first palette and all parts of an object since the last start of an epoch
 * count.
 */
function read(sup: Uint8Array): Shown[] {
  const view = new DataView(sup.buffer, sup.byteOffset, sup.byteLength);
  const shown: Shown[] = [];
  const objects = new Map<number, { width: number; height: number; runs: number[] }>();
  const palettes = new Map<number, Record<number, string>>();
  let composition = { ms: 0, at: 0 };
  for (let at = 0; at < sup.length; ) {
    expect(view.getUint16(at)).toBe(0x5047);
    const ms = view.getUint32(at + 2) / 90;
    const [type, length] = [view.getUint8(at + 10), view.getUint16(at + 11)];
    const content = at + 13;
    at = content + length;
    if (type === 0x16) {
      composition = { ms, at: content };
      if (view.getUint8(content + 7) !== 0) {
        objects.clear();
        palettes.clear();
      }
    }
    if (type === 0x14) {
      const colors: Record<number, string> = {};
      for (let entry = content + 2; entry < at; entry += 5)
        colors[view.getUint8(entry)] = rgba(...(sup.subarray(entry + 1, entry + 5) as unknown as Four));
      const number = view.getUint8(content);
      if (!palettes.has(number)) palettes.set(number, colors);
    }
    if (type === 0x15) {
      const [number, isFirst] = [view.getUint16(content), (view.getUint8(content + 3) & 0x80) !== 0];
      const known = objects.get(number) ?? { width: 0, height: 0, runs: [] };
      if (isFirst)
        Object.assign(known, { width: view.getUint16(content + 7), height: view.getUint16(content + 9) });
      objects.set(number, {
        ...known,
        runs: [...known.runs, ...sup.subarray(content + (isFirst ? 11 : 4), at)],
      });
    }
    if (type !== 0x80) continue;
    const { at: head } = composition;
    const boxes = Array.from({ length: view.getUint8(head + 10) }, (_, index): Box => {
      const place = head + 11 + 8 * index;
      const { width = 0, height = 0, runs = [] } = objects.get(view.getUint16(place)) ?? {};
      return {
        x: view.getUint16(place + 4),
        y: view.getUint16(place + 6),
        width,
        height,
        pixels: pixelsOf(runs),
      };
    });
    shown.push({
      ms: composition.ms,
      screen: `${view.getUint16(head)}x${view.getUint16(head + 2)}`,
      boxes,
      colors: boxes.length === 0 ? {} : (palettes.get(view.getUint8(head + 9)) ?? {}),
    });
  }
  return shown;
}

type Four = [number, number, number, number];
function rgba(y: number, cr: number, cb: number, a: number) {
  const channels = [
    y + 1.402 * (cr - 128),
    y - 0.34414 * (cb - 128) - 0.71414 * (cr - 128),
    y + 1.772 * (cb - 128),
  ];
  return [...channels.map((one) => Math.max(0, Math.min(255, Math.round(one)))), a].join(" ");
}

/** The character of an entry: for the first ten, its digit. */
const characterOf = (entry: number) => String.fromCharCode("0".charCodeAt(0) + entry);

/** The lines of a bitmap, each pixel as one character. */
function pixelsOf(runs: readonly number[]): string {
  let text = "";
  for (let at = 0; at < runs.length; ) {
    const first = runs[at++] ?? 0;
    if (first !== 0) {
      text += characterOf(first);
      continue;
    }
    const head = runs[at++] ?? 0;
    if (head === 0) text += "\n";
    const length = (head & 0x40) === 0 ? head & 63 : ((head & 63) << 8) | (runs[at++] ?? 0);
    text += characterOf((head & 0x80) === 0 ? 0 : (runs[at++] ?? 0)).repeat(length);
  }
  return text.trimEnd();
}

const noBoxes = (ms: number, screen = "1920x1080") => ({ ms, screen, boxes: [], colors: {} });
const size: [number, number] = [4, 2];
const shows = [
  pgsComposition({ objects: [{ x: 900, y: 1000 }] }),
  pgsPalette([1, ...white]),
  pgsObject({ size, runs: pgsBox(size) }),
  pgsEnd,
].flat();
const clears = [pgsComposition({ state: 0, objects: [] }), pgsEnd].flat();
const box = { x: 900, y: 1000, width: 4, height: 2, pixels: "1111\n1111" };
const whiteColors = { 1: "255 255 255 255" };

describe("the pictures of a Blu-ray disc", () => {
  test("are shown in their place and time, in the colours of video", () => {
    expect(
      read(
        supOfLines("pgs", [
          { ms: 1000, bytes: shows },
          { ms: 3000, bytes: clears },
        ]),
      ),
    ).toEqual([
      noBoxes(0),
      { ms: 1000, screen: "1920x1080", boxes: [box], colors: whiteColors },
      noBoxes(3000),
    ]);
  });

  test("without an end are hidden after five seconds", () => {
    expect(read(supOfLines("pgs", [{ ms: 1000, bytes: shows }])).map(({ ms }) => ms)).toEqual([
      0, 1000, 6000,
    ]);
  });

  test("that fade use a bitmap of the set before with another palette", () => {
    const fades = (opacity: number) =>
      [
        pgsComposition({ state: 0, objects: [{ x: 900, y: 1000 }] }),
        pgsPalette([1, 235, 128, 128, opacity]),
        pgsEnd,
      ].flat();
    const steps = Array.from({ length: 300 }, (_, at) => ({ ms: 2000 + 10 * at, bytes: fades(at % 256) }));
    const shown = read(
      supOfLines("pgs", [{ ms: 1000, bytes: shows }, ...steps, { ms: 9000, bytes: clears }]),
    );
    expect(shown).toHaveLength(303);
    expect(shown.slice(1, -1).map(({ boxes }) => boxes)).toEqual(Array(301).fill([box]));
    expect(shown.slice(2, -1).map(({ colors }) => colors[1])).toEqual(
      steps.map((_, at) => `255 255 255 ${at % 256}`),
    );
  });

  test("in several segments are put together", () => {
    const runs = pgsBox(size);
    const whole = pgsObject({ size, runs: runs.slice(0, 5), flags: 0x80 });
    // The length is that of all parts.
    whole[8] = 0;
    whole[9] = runs.length + 4;
    const rest = [0x15, 0, 4 + runs.length - 5, 0, 0, 0, 0x40, ...runs.slice(5)];
    const bytes = [
      pgsComposition({ objects: [{ x: 900, y: 1000 }] }),
      pgsPalette([1, ...white]),
      whole,
      rest,
      pgsEnd,
    ].flat();
    expect(read(supOfLines("pgs", [{ ms: 0, bytes }]))[1]?.boxes).toEqual([box]);
  });

  test.each<[string, number[]]>([
    ["has runs longer than itself", pgsObject({ size, runs: pgsRun(1, 9) })],
    ["ends within a run", pgsObject({ size, runs: [0, 0xc0, 1] })],
    ["is larger than any screen", pgsObject({ size: [60_000, 60_000], runs: pgsRun(1, 9) })],
    ["is missing", []],
    ["has no room for its size", [0x15, 0, 4, 0, 0, 0, 0xc0]],
  ])("whose bitmap %s are left out, and the next are shown", (_, object) => {
    const bytes = [
      pgsComposition({ objects: [{ x: 0, y: 0 }] }),
      pgsPalette([1, ...white]),
      object,
      pgsEnd,
    ].flat();
    const shown = read(
      supOfLines("pgs", [
        { ms: 1000, bytes },
        { ms: 2000, bytes: shows },
      ]),
    );
    expect(shown.map(({ ms, boxes }) => [ms, boxes])).toEqual([
      [0, []],
      [2000, [box]],
      [7000, []],
    ]);
  });

  test("for a screen without a size, or a huge one, are left out", () => {
    for (const screen of [
      [0, 0],
      [65_535, 65_535],
    ] as [number, number][]) {
      const bytes = [pgsComposition({ screen, objects: [] }), pgsEnd].flat();
      expect(read(supOfLines("pgs", [{ ms: 1000, bytes }]))).toEqual([noBoxes(0)]);
    }
  });

  test("that are too many or too large are refused", () => {
    const many = Array.from({ length: 20_001 }, (_, ms) => ({ ms, bytes: clears }));
    expect(supOfLines("pgs", many, "", 1e9)).toHaveLength(0);
    expect(supOfLines("pgs", [{ ms: 0, bytes: shows }], "", 100)).toHaveLength(0);
  });
});

describe("the pictures of a DVD", () => {
  const lines = [
    [...vobSubRun(1, 3), ...vobSubRun(2, 2), ...vobSubRun(3, 1)],
    [...vobSubRun(0, 0)],
    [...vobSubRun(3, 6)],
  ];
  const unit = vobSubUnit({ area: [100, 105, 400, 402], lines });
  const dvdBox = { x: 100, y: 400, width: 6, height: 3, pixels: "222334\n111111\n444444" };

  test("are shown in their place and time, in the colours of the index", () => {
    expect(read(supOfLines("vobsub", [{ ms: 1000, bytes: unit }]))).toEqual(
      [
        noBoxes(0, "720x480"),
        {
          ms: 1000,
          screen: "720x480",
          boxes: [dvdBox],
          // The palette of a `.sup` file has whole numbers of luma and chroma.
          colors: { 1: "0 0 0 0", 2: "254 0 0 255", 3: "0 255 1 255", 4: "255 255 255 255" },
        },
        noBoxes(1000 + (100 * 1024) / 90, "720x480"),
      ].map((one) => ({ ...one, ms: expect.closeTo(one.ms, 1) })),
    );
  });

  test("without a command that hides them end with their block, and the next ones end them too", () => {
    const endless = vobSubUnit({ area: [100, 105, 400, 402], lines, hiddenAt: null });
    const shown = read(
      supOfLines("vobsub", [
        { ms: 1000, durationMs: 1500, bytes: endless },
        { ms: 4000, durationMs: 9000, bytes: endless },
        { ms: 5000, durationMs: 1000, bytes: endless },
      ]),
    );
    expect(shown.map(({ ms, boxes }) => [ms, boxes.length])).toEqual([
      [0, 0],
      [1000, 1],
      [2500, 0],
      [4000, 1],
      [5000, 1],
      [6000, 0],
    ]);
  });

  const wide = vobSubUnit({
    area: [0, 719, 0, 479],
    lines: Array.from({ length: 480 }, () => vobSubRun(1, 0)),
  });
  test("that fill the screen in a few bytes need few bytes", () => {
    expect(supOfLines("vobsub", [{ ms: 0, bytes: wide }]).length).toBeLessThan(4000);
  });

  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(unit);
    change(bytes);
    return bytes;
  };
  test.each<[string, Uint8Array]>([
    ["outside the screen", vobSubUnit({ area: [700, 799, 400, 402], lines })],
    ["with a negative width", vobSubUnit({ area: [105, 100, 400, 402], lines })],
    ["with lines longer than their area", vobSubUnit({ area: [100, 103, 400, 402], lines })],
    [
      "whose lines lie behind the unit",
      changed((bytes) => bytes.writeUInt16BE(0xfff0, bytes.indexOf(6) + 1)),
    ],
    ["shorter than they say", unit.subarray(0, unit.length - 1)],
    ["whose commands lie outside", changed((bytes) => bytes.writeUInt16BE(0xfff0, 2))],
    ["of no bytes", new Uint8Array()],
  ])("%s are left out", (_, bytes) => {
    expect(read(supOfLines("vobsub", [{ ms: 0, bytes }]))).toEqual([
      { ...noBoxes(0), screen: expect.any(String) },
    ]);
  });

  test("whose commands contain other commands are read without these, so that no byte is read twice", () => {
    const shows = vobSubUnit({ area: [100, 105, 400, 402], lines, hiddenAt: null });
    const [size, first] = [shows.readUInt16BE(0), shows.readUInt16BE(2)];
    // A second area, which is ignored. Its numbers would hide the picture after 100 units of time.
    const inner = [0x05, 0, 100, size >> 8, size & 255, 0x02, 0xff, 0xff];
    const nested = Buffer.from([...shows.subarray(0, -1), ...inner]);
    nested.writeUInt16BE(nested.length, 0);
    nested.writeUInt16BE(size, first + 2);
    const shown = read(supOfLines("vobsub", [{ ms: 1000, durationMs: 9000, bytes: nested }]));
    expect(shown.map(({ ms, boxes }) => [ms, boxes.length])).toEqual([
      [0, 0],
      [1000, 1],
      [10_000, 0],
    ]);
  });

  test("whose commands name each other in a circle are read once", () => {
    const circle = changed((bytes) => bytes.writeUInt16BE(bytes.readUInt16BE(2), bytes.length - 4));
    expect(read(supOfLines("vobsub", [{ ms: 0, bytes: circle }]))[1]?.boxes).toEqual([dvdBox]);
  });
});

test("no bytes end in anything but a readable file", () => {
  const unit = vobSubUnit({ area: [100, 105, 400, 400], lines: [vobSubRun(1, 6)] });
  const mutated = (source: Uint8Array) =>
    fc
      .array(fc.tuple(fc.nat(source.length - 1), fc.nat(255)), { maxLength: 8 })
      .map((changes) =>
        changes.reduce((bytes, [at, value]) => bytes.with(at, value), Uint8Array.from(source)),
      );
  fc.assert(
    fc.property(
      fc.constantFrom<BitmapFormat>("pgs", "vobsub"),
      fc.array(fc.oneof(mutated(Uint8Array.from(shows)), mutated(unit), fc.uint8Array({ maxLength: 80 })), {
        maxLength: 4,
      }),
      fc.oneof(fc.constant(vobSubHead), fc.string()),
      (format, blocks, head) => {
        const lines = blocks.map((bytes, at) => ({ ms: 1000 * at, bytes }));
        for (const { boxes } of read(supOfLines(format, lines, head)))
          for (const { width, height, pixels } of boxes)
            expect(pixels.replace(/\n/g, "").length).toBeLessThanOrEqual(width * height);
      },
    ),
    { numRuns: 500 },
  );
});
