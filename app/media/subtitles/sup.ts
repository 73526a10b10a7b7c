import { type Piece, spansInEdition } from "../film/edition.ts";

/** Writes subtitles that are pictures as a `.sup` file: the PGS of Blu-ray discs, which the player draws. */

/** The pixels are runs of entries of a palette, encoded as in PGS. */
export type Bitmap = { widthPx: number; heightPx: number; runs: Uint8Array };
export type PlacedBitmap = { x: number; y: number; bitmap: Bitmap; crop: BitmapPart | null };
/** The part of a bitmap that is shown. */
export type BitmapPart = { x: number; y: number; widthPx: number; heightPx: number };
export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];
export type Screen = { widthPx: number; heightPx: number };
export type ShownBitmaps = {
  screen: Screen;
  startMs: number;
  /** Null: until the next ones. */
  endMs: number | null;
  /** The format of `packPalette`. */
  palette: Uint8Array;
  /** Empty: nothing is shown from `startMs` on. */
  bitmaps: readonly PlacedBitmap[];
};

export const segmentTypes = {
  palette: 0x14,
  object: 0x15,
  composition: 0x16,
  windows: 0x17,
  end: 0x80,
} as const;
/** The state of a composition that uses nothing of the ones before it. */
export const epochStart = 0x80;
export const croppedFlag = 0x80;
export const objectFlags = { first: 0x80, last: 0x40 } as const;
/** The big-endian number of 16 bits at this position. */
export const wordAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
export const toByte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** Discs have 1920 × 1080. Some programs write pictures for screens of twice that size. */
const maxScreen = { widthPx: 3840, heightPx: 2160 };
export const isUsableScreen = ({ widthPx, heightPx }: Screen) =>
  widthPx > 0 && heightPx > 0 && widthPx <= maxScreen.widthPx && heightPx <= maxScreen.heightPx;

/** An episode has about 400 sets. A fade has one for each step. */
const maxSets = 20_000;
/** How long the last bitmaps are shown if nothing ends them. */
const usualMs = 5000;

type Writing = {
  /** Null: the pictures are shown at the times that they have. */
  pieces: readonly Piece[] | null;
  maxBytes: number;
};

/** Null: the pictures are too many, or need more than `maxBytes`. */
export function writeSup(
  all: Iterable<ShownBitmaps>,
  { pieces, maxBytes }: Writing,
): Uint8Array<ArrayBuffer> | null {
  const read = inOrder(all, maxBytes);
  const events = read && pieces ? inOrder(inEdition(read, pieces), maxBytes) : read;
  if (!events) return null;
  const sets: Buffer[] = [];
  let length = 0;
  const toSet = createSetWriter();
  for (const shown of withEnds(events)) {
    const set = toSet(shown);
    length += set.length;
    if (length > maxBytes) return null;
    sets.push(set);
  }
  const sup = new Uint8Array(length);
  let at = 0;
  for (const set of sets) {
    sup.set(set, at);
    at += set.length;
  }
  return sup;
}

/**
 * Null: the pictures are too many, or their runs take more than `maxBytes`. Those of VobSub can be twelve times as large
 * as the bytes that they are made from, so they are counted while they are read.
 */
function inOrder(all: Iterable<ShownBitmaps>, maxBytes: number): ShownBitmaps[] | null {
  const events: ShownBitmaps[] = [];
  const counted = new Set<Bitmap>();
  let length = 0;
  for (const shown of all) {
    if (events.push(shown) > maxSets) return null;
    for (const { bitmap } of shown.bitmaps) {
      if (!counted.has(bitmap)) length += bitmap.runs.length;
      counted.add(bitmap);
    }
    if (length > maxBytes) return null;
  }
  return events.sort((one, other) => one.startMs - other.startMs);
}

/** The end of each picture becomes explicit, because the one after it may be in another piece. */
function* inEdition(events: readonly ShownBitmaps[], pieces: readonly Piece[]): Generator<ShownBitmaps> {
  for (const [index, shown] of events.entries()) {
    if (shown.bitmaps.length === 0) continue;
    const next = events[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const lasting = next === Number.POSITIVE_INFINITY ? shown.startMs + usualMs : next;
    const endMs = Math.min(shown.endMs ?? lasting, next);
    for (const { start, end } of spansInEdition({ start: shown.startMs / 1000, end: endMs / 1000 }, pieces))
      yield { ...shown, startMs: start * 1000, endMs: end * 1000 };
  }
}

type SetContent = Omit<ShownBitmaps, "endMs">;

export const nothingAt = (startMs: number, screen: Screen): SetContent => ({
  screen,
  startMs,
  palette: new Uint8Array(),
  bitmaps: [],
});
const usualScreen = { widthPx: 1920, heightPx: 1080 };

/**
 * Adds a set that shows nothing wherever bitmaps end before the next ones begin. The first set also shows nothing: the
 * player reads the size of the screen there, and does not draw the first set of a file when it begins within it. The
 * last one ends the bitmaps before it, which the player would not show otherwise.
 */
function* withEnds(events: readonly ShownBitmaps[]): Generator<SetContent> {
  yield nothingAt(0, events[0]?.screen ?? usualScreen);
  for (const [index, shown] of events.entries()) {
    yield shown;
    const next = events[index + 1]?.startMs;
    const endMs = shown.endMs ?? (next === undefined ? shown.startMs + usualMs : null);
    if (shown.bitmaps.length > 0 && endMs !== null && (next === undefined || endMs < next))
      yield nothingAt(Math.max(endMs, shown.startMs), shown.screen);
  }
}

/** The number of a palette is one byte. */
const maxPalettes = 256;

/**
 * A bitmap is written once in an epoch, because a fade shows it again and again with other palettes. Each palette gets
 * a new number: the player uses the first palette of an epoch that has the wanted number.
 */
function createSetWriter() {
  const numbers = new Map<Bitmap, number>();
  let palettes = 0;
  let sets = 0;
  return ({ screen, startMs, palette, bitmaps }: SetContent): Buffer => {
    const isAdded = bitmaps.length > 0;
    const continues =
      sets > 0 && palettes < maxPalettes && (!isAdded || bitmaps.some(({ bitmap }) => numbers.has(bitmap)));
    if (!continues) {
      numbers.clear();
      palettes = 0;
    }
    const added = [...new Set(bitmaps.map(({ bitmap }) => bitmap))].filter((one) => !numbers.has(one));
    for (const one of added) numbers.set(one, numbers.size);
    const placed = bitmaps.map((one) => ({ ...one, number: numbers.get(one.bitmap) ?? 0 }));
    const head = { state: continues ? 0 : epochStart, number: sets++, palette: palettes };
    const parts = [
      segment(startMs, segmentTypes.composition, composition(screen, head, placed)),
      segment(startMs, segmentTypes.windows, windows(placed)),
      ...(isAdded ? [segment(startMs, segmentTypes.palette, paletteSegment(palettes++, palette))] : []),
      ...added.flatMap((one) =>
        objectParts(numbers.get(one) ?? 0, one).map((part) => segment(startMs, segmentTypes.object, part)),
      ),
      segment(startMs, segmentTypes.end, Buffer.alloc(0)),
    ];
    return Buffer.concat(parts);
  };
}

/** The clock of PGS. */
export const ticksPerMs = 90;
const maxTicks = 0xffffffff;

function segment(startMs: number, type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.write("PG", 0, "latin1");
  head.writeUInt32BE(Math.min(maxTicks, Math.max(0, Math.round(startMs * ticksPerMs))), 2);
  head.writeUInt8(type, 10);
  head.writeUInt16BE(content.length, 11);
  return Buffer.concat([head, content]);
}

type Numbered = PlacedBitmap & { number: number };
const wordsOf = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 255, value & 255]);

function composition(
  { widthPx, heightPx }: Screen,
  { state, number, palette }: { state: number; number: number; palette: number },
  placed: readonly Numbered[],
): Buffer {
  const frameRate = 0x10;
  const bytes = [...wordsOf(widthPx, heightPx), frameRate, ...wordsOf(number & 0xffff), state, 0, palette];
  bytes.push(placed.length);
  for (const [window, { number: object, x, y, crop }] of placed.entries()) {
    bytes.push(...wordsOf(object), window, crop ? croppedFlag : 0, ...wordsOf(x, y));
    if (crop) bytes.push(...wordsOf(crop.x, crop.y, crop.widthPx, crop.heightPx));
  }
  return Buffer.from(bytes);
}

const windows = (placed: readonly Numbered[]) =>
  Buffer.from([
    placed.length,
    ...placed.flatMap(({ x, y, bitmap: { widthPx, heightPx } }, window) => [
      window,
      ...wordsOf(x, y, widthPx, heightPx),
    ]),
  ]);

const paletteSegment = (number: number, palette: Uint8Array) =>
  Buffer.concat([Buffer.from([number, 0]), palette]);

/** Each entry's number and its colour. Packed, because hostile subtitles have thousands of palettes. */
export const packPalette = (entries: Iterable<readonly [entry: number, color: Rgba]>) =>
  Uint8Array.from([...entries].flatMap(([entry, color]) => [entry, ...toYcc(color)]));

/** The player reads colours as JPEG has them: BT.601 with all values from 0 to 255. */
function toYcc([red, green, blue, opacity]: Rgba): number[] {
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  return [luma, 128 + (red - luma) / 1.402, 128 + (blue - luma) / 1.772, opacity].map(toByte);
}

const maxSegmentBytes = 65_535;
const partHeadBytes = 4;
const firstHeadBytes = 11;

/** The description of a bitmap, in as many segments as its runs need. */
function objectParts(number: number, { widthPx, heightPx, runs }: Bitmap): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  do {
    const isFirst = at === 0;
    const end = Math.min(runs.length, at + maxSegmentBytes - (isFirst ? firstHeadBytes : partHeadBytes));
    const flags = (isFirst ? objectFlags.first : 0) | (end === runs.length ? objectFlags.last : 0);
    // The length counts the size of the bitmap too.
    const length = runs.length + 4;
    const size = isFirst ? [length >> 16, ...wordsOf(length & 0xffff, widthPx, heightPx)] : [];
    parts.push(Buffer.concat([Buffer.from([...wordsOf(number), 0, flags, ...size]), runs.subarray(at, end)]));
    at = end;
  } while (at < runs.length);
  return parts;
}

/** One run of PGS. Entry 0 has its own form, and a single pixel of another entry is that entry alone. */
export function encodeRun(entry: number, length: number): number[] {
  if (entry !== 0 && length < 4) return Array.from({ length }, () => entry);
  const color = entry === 0 ? [] : [entry];
  const flag = entry === 0 ? 0 : 0x80;
  return length < 64
    ? [0, flag | length, ...color]
    : [0, flag | 0x40 | (length >> 8), length & 255, ...color];
}
export const maxRunLength = 0x3fff;
export const endOfLine = [0, 0];
