/** Small subtitles that are pictures, written by hand: PGS as on Blu-ray discs, VobSub as on DVDs. */

const words = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 255, value & 255]);

const pgsSegment = (type: number, ...content: number[]) => [type, ...words(content.length), ...content];

type Placed = { object?: number; x: number; y: number; crop?: [x: number, y: number, w: number, h: number] };
type PgsComposition = { screen?: [number, number]; state?: number; palette?: number; objects: Placed[] };

export const pgsComposition = ({
  screen = [1920, 1080],
  state = 0x80,
  palette = 0,
  objects,
}: PgsComposition) =>
  pgsSegment(
    0x16,
    ...words(...screen),
    0x10,
    ...words(0),
    state,
    0,
    palette,
    objects.length,
    ...objects.flatMap(({ object = 0, x, y, crop }) => [
      ...words(object),
      0,
      crop ? 0x80 : 0,
      ...words(x, y, ...(crop ?? [])),
    ]),
  );
/** Entries of luma, red, blue and opacity. */
export const pgsPalette = (...entries: [entry: number, y: number, cr: number, cb: number, a: number][]) =>
  pgsSegment(0x14, 0, 0, ...entries.flat());
type PgsObject = { size: [number, number]; runs: number[]; flags?: number };
export const pgsObject = ({ size, runs, flags = 0xc0 }: PgsObject) =>
  pgsSegment(0x15, 0, 0, 0, flags, 0, ...words(runs.length + 4, ...size), ...runs);
export const pgsEnd = pgsSegment(0x80);

/** A run of one entry other than 0, with up to 16383 pixels. */
export const pgsRun = (entry: number, length: number) => [0, 0xc0 | (length >> 8), length & 255, entry];
/** A box that is filled with entry 1. */
export const pgsBox = ([width, height]: [number, number]) =>
  Array.from({ length: height }, () => [...pgsRun(1, width), 0, 0]).flat();

/** White in video. */
export const white: [number, number, number, number] = [235, 128, 128, 255];

/** Writes a `.sup` file of display sets. */
export const supOf = (...sets: { ms: number; segments: number[][] }[]) =>
  Buffer.concat(
    sets.flatMap(({ ms, segments }) =>
      segments.map((bytes) => {
        const head = Buffer.alloc(10);
        head.write("PG");
        head.writeUInt32BE(ms * 90, 2);
        return Buffer.concat([head, Buffer.from(bytes)]);
      }),
    ),
  );

type Unit = {
  area: [left: number, right: number, top: number, bottom: number];
  /** The nibbles of each line. */
  lines: number[][];
  colors?: [number, number];
  opacities?: [number, number];
  /** When it is hidden, in units of 1024 / 90 ms. */
  hiddenAt?: number | null;
};

export function vobSubUnit({
  area: [left, right, top, bottom],
  lines,
  colors = [0x32, 0x10],
  opacities = [0xff, 0xf0],
  hiddenAt = 100,
}: Unit): Buffer {
  const packed = lines.map((line) => {
    const whole = line.length % 2 === 0 ? line : [...line, 0];
    return Buffer.from(whole.map((nibble) => nibble.toString(16)).join(""), "hex");
  });
  const even = Buffer.concat(packed.filter((_, at) => at % 2 === 0));
  const odd = Buffer.concat(packed.filter((_, at) => at % 2 === 1));
  const first = 4 + even.length + odd.length;
  const area = [left >> 4, ((left & 15) << 4) | (right >> 8), right & 255];
  area.push(top >> 4, ((top & 15) << 4) | (bottom >> 8), bottom & 255);
  const show = [1, 3, ...colors, 4, ...opacities, 5, ...area, 6, ...words(4, 4 + even.length), 0xff];
  const second = first + 4 + show.length;
  const shows = [...words(0, hiddenAt === null ? first : second), ...show];
  const hides = hiddenAt === null ? [] : [...words(hiddenAt, second), 2, 0xff];
  const size = first + shows.length + hides.length;
  return Buffer.from([...words(size, first), ...even, ...odd, ...shows, ...hides]);
}

/** A run in as few nibbles as VobSub has for it. A length of 0 lasts up to the end of the line. */
export function vobSubRun(value: number, length: number): number[] {
  const code = (length << 2) | value;
  const nibbles = length === 0 || code >= 0x100 ? 4 : code >= 0x40 ? 3 : code >= 0x10 ? 2 : 1;
  return Array.from({ length: nibbles }, (_, at) => (code >> (4 * (nibbles - 1 - at))) & 15);
}

export const vobSubHead = `# VobSub index file, v7\nsize: 720x480\npalette: 000000, ff0000, 00ff00, ffffff, 888888, 888888, 888888, 888888, 888888, 888888, 888888, 888888, 888888, 888888, 888888, 888888\n`;

/** The packets of a `.sub` file: each picture in packs of 2048 bytes, as on a DVD. `at`: where each one begins. */
export function vobSubPackets(units: readonly { stream: number; unit: Uint8Array }[]) {
  const at: number[] = [];
  const packs: Buffer[] = [];
  const [packHead, packetHead] = [14, 10];
  const most = 2048 - packHead - packetHead;
  for (const { stream, unit } of units) {
    at.push(2048 * packs.length);
    for (let from = 0; from < unit.length; from += most) {
      const part = unit.subarray(from, from + most);
      const pack = Buffer.alloc(2048);
      pack.set([0, 0, 1, 0xba, 0x44]);
      pack.set([0, 0, 1, 0xbd, ...words(4 + part.length), 0x81, 0, 0, 0x20 + stream], packHead);
      pack.set(part, packHead + packetHead);
      const padding = most - part.length - 6;
      if (padding >= 0) pack.set([0, 0, 1, 0xbe, ...words(padding)], packHead + packetHead + part.length);
      packs.push(pack);
    }
  }
  return { bytes: Buffer.concat(packs), at };
}

/** A white box at the bottom from 2 to 4 seconds, and a red one at the top from 6 to 8. */
export function discSubtitles(): Buffer {
  const red: [number, number, number, number] = [63, 240, 102, 255];
  const box = (ms: number, place: { x: number; y: number }, color: typeof white, size: [number, number]) => [
    {
      ms,
      segments: [
        pgsComposition({ objects: [place] }),
        pgsPalette([1, ...color]),
        pgsObject({ size, runs: pgsBox(size) }),
        pgsEnd,
      ],
    },
    { ms: ms + 2000, segments: [pgsComposition({ state: 0, objects: [] }), pgsEnd] },
  ];
  return supOf(
    ...box(2000, { x: 480, y: 900 }, white, [960, 108]),
    ...box(6000, { x: 192, y: 54 }, red, [192, 108]),
  );
}

/** When a `.sup` file shows another composition, in milliseconds. */
export function compositionTimes(sup: Uint8Array): number[] {
  const view = new DataView(sup.buffer, sup.byteOffset, sup.byteLength);
  const times: number[] = [];
  for (let at = 0; at < sup.length; at += 13 + view.getUint16(at + 11))
    if (view.getUint8(at + 10) === 0x16) times.push(Math.round(view.getUint32(at + 2) / 90));
  return times;
}
