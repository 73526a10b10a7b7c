import {
  type Bitmap,
  type BitmapPart,
  croppedFlag,
  epochStart,
  isUsableScreen,
  nothingAt,
  objectFlags,
  type PlacedBitmap,
  packPalette,
  type Rgba,
  type Screen,
  type ShownBitmaps,
  segmentTypes,
  toByte,
  wordAt,
} from "./sup.ts";

/**
 * Reads the subtitles of Blu-ray discs (PGS). A display set may use the bitmaps and palettes of sets before it, so all
 * of them are read in order. A set that breaks a rule is left out, and the others are shown.
 */

type TimedBytes = { startMs: number; bytes: Uint8Array };
type Composition = {
  screen: Screen;
  startMs: number;
  palette: number;
  objects: (Omit<PlacedBitmap, "bitmap"> & { number: number })[];
};
type Palettes = Map<number, Map<number, Rgba>>;
type Assembled = { number: number; widthPx: number; heightPx: number; length: number; parts: Uint8Array[] };

/** Each of `blocks` holds segments without the heads that they have in a `.sup` file. */
export function* readPgs(blocks: Iterable<TimedBytes>): Generator<ShownBitmaps> {
  const read = createReader();
  for (const { startMs, bytes } of blocks)
    for (const { type, content } of segmentsOf(bytes)) {
      const shown = read(type, content, startMs);
      if (shown) yield shown;
    }
}

function* segmentsOf(bytes: Uint8Array): Generator<{ type: number; content: Uint8Array }> {
  const headBytes = 3;
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const end = at + headBytes + wordAt(bytes, at + 1);
    if (end > bytes.length) return;
    yield { type: bytes[at] ?? 0, content: bytes.subarray(at + headBytes, end) };
    at = end;
  }
}

/** A disc allows two. */
const maxObjects = 8;
/** The buffer of a disc player for the bitmaps of an epoch has 4 MiB, before they are decoded 1 MiB. */
const maxObjectBytes = 2 ** 20;
const maxEpochObjects = 64;

function createReader() {
  const objects = new Map<number, Bitmap>();
  const palettes: Palettes = new Map();
  let composition: Composition | null = null;
  let assembled: Assembled | null = null;

  function begin(content: Uint8Array, startMs: number) {
    const screen = { widthPx: wordAt(content, 0), heightPx: wordAt(content, 2) };
    const placed = readPlaced(content);
    composition =
      placed && isUsableScreen(screen)
        ? { screen, startMs, palette: content[9] ?? 0, objects: placed }
        : null;
    if (content[7] !== epochStart) return;
    objects.clear();
    palettes.clear();
  }

  function addObject(content: Uint8Array) {
    const number = wordAt(content, 0);
    const flags = content[3] ?? 0;
    if ((flags & objectFlags.first) !== 0) {
      const widthPx = wordAt(content, 7);
      const heightPx = wordAt(content, 9);
      const length = (((content[4] ?? 0) << 16) | wordAt(content, 5)) - 4;
      const isPossible =
        content.length >= 11 && isUsableScreen({ widthPx, heightPx }) && length <= maxObjectBytes;
      assembled = isPossible ? { number, widthPx, heightPx, length, parts: [content.subarray(11)] } : null;
    } else if (assembled?.number === number) assembled.parts.push(content.subarray(4));
    if ((flags & objectFlags.last) === 0 || !assembled) return;
    const { widthPx, heightPx, length, parts } = assembled;
    const bitmap = { widthPx, heightPx, runs: Buffer.concat(parts) };
    if (bitmap.runs.length === length && hasFittingRuns(bitmap) && objects.size < maxEpochObjects)
      objects.set(number, bitmap);
    assembled = null;
  }

  function end(): ShownBitmaps | null {
    const shown = composition;
    composition = null;
    if (!shown) return null;
    const { screen, startMs } = shown;
    if (shown.objects.length === 0) return { ...nothingAt(startMs, screen), endMs: null };
    const palette = palettes.get(shown.palette);
    const bitmaps = shown.objects.flatMap(({ number, ...place }) => {
      const bitmap = objects.get(number);
      return bitmap && isInside(place.crop, bitmap) ? [{ ...place, bitmap }] : [];
    });
    if (!palette || bitmaps.length === 0) return null;
    return { screen, startMs, endMs: null, palette: packPalette(palette), bitmaps };
  }

  return (type: number, content: Uint8Array, startMs: number): ShownBitmaps | null => {
    if (type === segmentTypes.composition) begin(content, startMs);
    else if (type === segmentTypes.palette) addPalette(palettes, content, composition?.screen ?? null);
    else if (type === segmentTypes.object) addObject(content);
    return type === segmentTypes.end ? end() : null;
  };
}

/** Null: the segment has no room for its objects. */
function readPlaced(content: Uint8Array): Composition["objects"] | null {
  const count = content[10] ?? 0;
  if (count > maxObjects) return null;
  const placed: Composition["objects"] = [];
  let at = 11;
  for (let index = 0; index < count; index++) {
    const isCropped = ((content[at + 3] ?? 0) & croppedFlag) !== 0;
    const next = at + (isCropped ? 16 : 8);
    if (next > content.length) return null;
    const x = wordAt(content, at + 4);
    const y = wordAt(content, at + 6);
    const crop = isCropped
      ? {
          x: wordAt(content, at + 8),
          y: wordAt(content, at + 10),
          widthPx: wordAt(content, at + 12),
          heightPx: wordAt(content, at + 14),
        }
      : null;
    // The player puts the shown part at its own place in the bitmap, so the bitmap begins before the place that is meant.
    const left = x - (crop?.x ?? 0);
    const top = y - (crop?.y ?? 0);
    if (left >= 0 && top >= 0) placed.push({ number: wordAt(content, at), x: left, y: top, crop });
    at = next;
  }
  return placed;
}

const isInside = (crop: BitmapPart | null, { widthPx, heightPx }: Bitmap) =>
  crop === null || (crop.x + crop.widthPx <= widthPx && crop.y + crop.heightPx <= heightPx);

/** Changes single entries of a palette and keeps the others. */
function addPalette(palettes: Palettes, content: Uint8Array, screen: Screen | null) {
  const [number = 0] = content;
  const palette = palettes.get(number) ?? new Map<number, Rgba>();
  palettes.set(number, palette);
  for (let at = 2; at + 5 <= content.length; at += 5) {
    const [entry = 0, y = 0, cr = 0, cb = 0, opacity = 0] = content.subarray(at, at + 5);
    palette.set(entry, [...toRgb(y, cr, cb, screen), opacity]);
  }
}

/** Video levels, from 16 to 235, become RGB: by BT.709, or by BT.601 on screens no larger than a DVD's. */
function toRgb(y: number, cr: number, cb: number, screen: Screen | null): [number, number, number] {
  const isLarge = (screen?.heightPx ?? 1080) > 576;
  const [red, blue] = isLarge ? [0.2126, 0.0722] : [0.299, 0.114];
  const luma = ((y - 16) * 255) / 219;
  const fromRed = ((cr - 128) * 255) / 224;
  const fromBlue = ((cb - 128) * 255) / 224;
  const r = luma + 2 * (1 - red) * fromRed;
  const b = luma + 2 * (1 - blue) * fromBlue;
  const g = (luma - red * r - blue * b) / (1 - red - blue);
  return [toByte(r), toByte(g), toByte(b)];
}

/** Whether the runs are whole, and do not fill more than the bitmap. Looks at each run, not at each pixel. */
function hasFittingRuns({ widthPx, heightPx, runs }: Bitmap): boolean {
  let pixels = 0;
  for (let at = 0; at < runs.length; ) {
    if (runs[at++] !== 0) {
      pixels++;
      continue;
    }
    const head = runs[at++];
    if (head === undefined) return false;
    const isLong = (head & 0x40) !== 0;
    pixels += isLong ? ((head & 0x3f) << 8) | (runs[at] ?? 0) : head & 0x3f;
    at += (isLong ? 1 : 0) + ((head & 0x80) === 0 ? 0 : 1);
    if (at > runs.length) return false;
  }
  return pixels <= widthPx * heightPx;
}
