import { maskBest } from "./qr-masks.ts";
import { alignmentPositions, bitOf, drawFixedPatterns, type Modules } from "./qr-modules.ts";
import { errorCorrectionOf } from "./reed-solomon.ts";

/** Draws texts as QR codes (ISO/IEC 18004): bytes, error correction of level M, versions 1 to 9. */

/** For each version: the error correction codewords of a block, and the number of blocks. */
const blocksOfVersion = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
] as const;

/** Rows of modules, true if dark. Null if the text is too long. */
export function qrModules(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = blocksOfVersion.findIndex((_, at) => bytes.length + 2 <= dataCodewords(at + 1)) + 1;
  if (version === 0) return null;
  const modules = drawFixedPatterns(version);
  drawCodewords(modules, withErrorCorrection(dataOf(bytes, version), version));
  return maskBest(modules);
}

/** The dark modules as a path of squares with sides of 1, for an SVG whose view box has a border of 4 light modules. */
export function qrPath(text: string): { path: string; size: number } | null {
  const modules = qrModules(text);
  if (modules === null) return null;
  const squares = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])),
  );
  return { path: squares.join(""), size: modules.length + 8 };
}

/** The number of codewords that fit into the version. */
function allCodewords(version: number): number {
  const alignments = alignmentPositions(version).length;
  const inAlignments = version === 1 ? 0 : (25 * alignments - 10) * alignments - 55;
  const bits = (16 * version + 128) * version + 64 - inAlignments - (version >= 7 ? 36 : 0);
  return Math.floor(bits / 8);
}

const blocksOf = (version: number) => blocksOfVersion[version - 1] ?? [0, 0];

function dataCodewords(version: number): number {
  const [corrections, blocks] = blocksOf(version);
  return allCodewords(version) - corrections * blocks;
}

/** Four bits mark byte mode and eight bits give the length. The rest is filled with padding. */
function dataOf(bytes: readonly number[], version: number): number[] {
  const nibbles = [
    4,
    bytes.length >> 4,
    bytes.length & 15,
    ...bytes.flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ];
  const data: number[] = [];
  for (let at = 0; at < nibbles.length; at += 2)
    data.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0));
  for (let pad = 0xec; data.length < dataCodewords(version); pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** Splits the data into blocks and interleaves their codewords. The first blocks may be one codeword shorter. */
function withErrorCorrection(data: readonly number[], version: number): number[] {
  const [corrections, count] = blocksOf(version);
  const all = allCodewords(version);
  const shortLength = Math.floor(all / count) - corrections;
  const shortBlocks = count - (all % count);
  let from = 0;
  const blocks = Array.from({ length: count }, (_, at) => {
    const part = data.slice(from, from + shortLength + (at < shortBlocks ? 0 : 1));
    from += part.length;
    return { part, corrected: errorCorrectionOf(part, corrections) };
  });
  const columns = Array.from({ length: shortLength + 1 }, (_, at) =>
    blocks.flatMap(({ part }) => part[at] ?? []),
  );
  const correctionColumns = Array.from({ length: corrections }, (_, at) =>
    blocks.flatMap(({ corrected }) => corrected[at] ?? []),
  );
  return [...columns.flat(), ...correctionColumns.flat()];
}

/** Places the codewords from the lower right, in columns of two, alternately up and down. */
function drawCodewords({ size, dark, isFixed }: Modules, codewords: readonly number[]) {
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFixed[y]?.[x] || bit >= codewords.length * 8) continue;
        (dark[y] as boolean[])[x] = bitOf(codewords[bit >>> 3] ?? 0, 7 - (bit & 7));
        bit++;
      }
    }
  }
}
