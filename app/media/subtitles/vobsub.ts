import {
  encodeRun,
  endOfLine,
  isUsableScreen,
  maxRunLength,
  packPalette,
  type Rgba,
  type Screen,
  type ShownBitmaps,
  wordAt,
} from "./sup.ts";

/**
 * Reads the subtitles of DVDs (VobSub). Each block is a subpicture unit: the pixels of its even and its odd lines, then
 * commands that place, colour, show and hide them. A unit that breaks a rule is left out.
 */

type Rgb = readonly [red: number, green: number, blue: number];
type Index = { screen: Screen; palette: readonly Rgb[] };
export type TimedUnit = { startMs: number; durationMs: number | null; bytes: Uint8Array };

/** `head` is the text of the `.idx` file, which has the size of the screen and a palette. */
export function* readVobSub(head: string, units: Iterable<TimedUnit>): Generator<ShownBitmaps> {
  const index = readIndex(head);
  for (const unit of units) {
    const shown = readUnit(unit, index);
    if (shown) yield shown;
  }
}

const usualScreen = { widthPx: 720, heightPx: 576 };

/** The size and the palette come before the times of the pictures. */
const maxHeadLength = 16_384;

function readIndex(index: string): Index {
  const head = index.slice(0, maxHeadLength);
  const [, width, height] = /^size:[ \t]*(\d{1,4})x(\d{1,4})/m.exec(head) ?? [];
  const screen = { widthPx: Number(width), heightPx: Number(height) };
  const listed = /^palette:[ \t]*([\da-f, \t]{1,400})/im.exec(head)?.[1]?.match(/[\da-f]{6}/gi) ?? [];
  return {
    screen: isUsableScreen(screen) ? screen : usualScreen,
    palette: Array.from({ length: 16 }, (_, entry) => rgbOf(listed[entry]) ?? gray(entry)),
  };
}

function rgbOf(hex: string | undefined): Rgb | null {
  if (hex === undefined) return null;
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
const gray = (entry: number): Rgb => [17 * entry, 17 * entry, 17 * entry];

type Commands = {
  /** In milliseconds after the block. */
  startMs: number | null;
  endMs: number | null;
  /** For each of the four values of a pixel, an entry of the index's palette. */
  colors: number[];
  opacities: number[];
  area: { left: number; right: number; top: number; bottom: number } | null;
  /** Where the even and the odd lines begin in the unit. */
  lines: [even: number, odd: number] | null;
};

function readUnit(
  { startMs, durationMs, bytes }: TimedUnit,
  { screen, palette }: Index,
): ShownBitmaps | null {
  const commands = readCommands(bytes);
  if (!commands?.area || !commands.lines) return null;
  const { left, right, top, bottom } = commands.area;
  if (left > right || top > bottom || right >= screen.widthPx || bottom >= screen.heightPx) return null;
  const widthPx = right - left + 1;
  const heightPx = bottom - top + 1;
  const runs = toRuns(bytes, { widthPx, heightPx, lines: commands.lines });
  if (!runs) return null;
  const colors = commands.colors.map((entry, value): [number, Rgba] => {
    const opacity = 17 * (commands.opacities[value] ?? 0);
    return [entryOf(value), [...(palette[entry] ?? gray(0)), opacity]];
  });
  const begin = startMs + (commands.startMs ?? 0);
  const end = commands.endMs ?? durationMs;
  return {
    screen,
    startMs: begin,
    endMs: end === null ? null : Math.max(begin, startMs + end),
    palette: packPalette(colors),
    bitmaps: [{ x: left, y: top, crop: null, bitmap: { widthPx, heightPx, runs } }],
  };
}

/** Entry 0 of a palette is left out, because its single pixels need two bytes. */
const entryOf = (value: number) => value + 1;

const nibbles = (bytes: Uint8Array, at: number) =>
  // The last of the four values comes first.
  [(bytes[at + 1] ?? 0) & 15, (bytes[at + 1] ?? 0) >> 4, (bytes[at] ?? 0) & 15, (bytes[at] ?? 0) >> 4];

/** The lengths of the commands by their number, with the number. */
const commandBytes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 1, 3: 3, 4: 3, 5: 7, 6: 5 };
const lastCommand = 0xff;
/** The unit of the times of commands is 1024 ticks of a clock of 90 kHz. */
const msPerDelay = 1024 / 90;

/** Each group of commands has a time and names the next one. The last group names itself. */
function readCommands(unit: Uint8Array): Commands | null {
  const size = wordAt(unit, 0);
  const first = wordAt(unit, 2);
  if (size > unit.length || first < 4 || first + 4 > size) return null;
  const bytes = unit.subarray(0, size);
  const commands: Commands = {
    startMs: null,
    endMs: null,
    colors: [0, 0, 0, 0],
    opacities: [0, 0, 0, 0],
    area: null,
    lines: null,
  };
  for (let at = first; ; ) {
    const next = wordAt(bytes, at + 2);
    const end = readGroup(bytes, at, commands);
    if (end === null) return null;
    // Without this check, groups that name an earlier one or lie inside each other would be read again and again.
    if (next < end) return commands;
    if (next + 4 > size) return null;
    at = next;
  }
}

/** Reads the group at `from` and returns where its commands end. Null: the unit ends within a command. */
function readGroup(bytes: Uint8Array, from: number, found: Commands): number | null {
  const delayMs = wordAt(bytes, from) * msPerDelay;
  let at = from + 4;
  while (at < bytes.length) {
    const command = bytes[at] ?? lastCommand;
    if (command === lastCommand) return at + 1;
    const length = commandBytes[command];
    // Command 7 changes colours within the area. It and unknown ones end the group.
    if (length === undefined) return at + 1;
    if (at + length > bytes.length) return null;
    if (command <= 1) found.startMs ??= delayMs;
    else if (command === 2) found.endMs ??= delayMs;
    else if (command === 3) found.colors = nibbles(bytes, at + 1);
    // The steps of a fade come later and are left out.
    else if (command === 4 && found.opacities.every((one) => one === 0))
      found.opacities = nibbles(bytes, at + 1);
    else if (command === 5) found.area ??= areaOf(bytes.subarray(at + 1, at + 7));
    else if (command === 6) found.lines ??= [wordAt(bytes, at + 1), wordAt(bytes, at + 3)];
    at += length;
  }
  return at;
}

/** Four numbers of 12 bits. */
function areaOf([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Uint8Array) {
  return {
    left: (a << 4) | (b >> 4),
    right: ((b & 15) << 8) | c,
    top: (d << 4) | (e >> 4),
    bottom: ((e & 15) << 8) | f,
  };
}

/**
 * The pixels in the encoding of PGS. Goes from run to run, so a unit of a few bytes that claims to fill the screen costs
 * a few bytes. Null: the lines are longer than the area, or the unit ends within them.
 */
function toRuns(
  unit: Uint8Array,
  { widthPx, heightPx, lines }: { widthPx: number; heightPx: number; lines: [number, number] },
): Uint8Array | null {
  const runs: number[] = [];
  const readers = lines.map((at) => nibbleReader(unit, at));
  for (let line = 0; line < heightPx; line++) {
    const next = readers[line % 2];
    for (let x = 0; next && x < widthPx; ) {
      const code = next.code();
      if (code === null) return null;
      const length = code >> 2 === 0 ? widthPx - x : code >> 2;
      if (x + length > widthPx) return null;
      for (let left = length; left > 0; left -= maxRunLength)
        runs.push(...encodeRun(entryOf(code & 3), Math.min(left, maxRunLength)));
      x += length;
    }
    next?.align();
    runs.push(...endOfLine);
  }
  return Uint8Array.from(runs);
}

function nibbleReader(unit: Uint8Array, from: number) {
  let at = 2 * from;
  const nibble = () => {
    const byte = unit[at >> 1];
    if (byte === undefined) return null;
    return at++ % 2 === 0 ? byte >> 4 : byte & 15;
  };
  return {
    /** The length of a run times four, plus its value. It has one nibble more for each two leading zero bits, up to four. */
    code(): number | null {
      let value = 0;
      for (const least of [0x4, 0x10, 0x40, 0]) {
        const next = nibble();
        if (next === null) return null;
        value = (value << 4) | next;
        if (value >= least) return value;
      }
      return value;
    },
    /** Each line begins at a byte. */
    align() {
      at += at % 2;
    },
  };
}
