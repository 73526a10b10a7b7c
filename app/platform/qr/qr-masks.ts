import { drawFormat, type Modules } from "./qr-modules.ts";

/** Masks flip modules so that no large areas and no false finder patterns remain (ISO/IEC 18004, section 7.8). */

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Applies the mask that makes the code easiest to read. */
export function maskBest(modules: Modules): boolean[][] {
  const masked = masks.map((_, mask) => withMask(modules, mask));
  const penalties = masked.map(penaltyOf);
  return masked[penalties.indexOf(Math.min(...penalties))] ?? [];
}

function withMask(modules: Modules, mask: number): boolean[][] {
  const copy: Modules = { ...modules, dark: modules.dark.map((row) => [...row]) };
  drawFormat(copy, mask);
  const flips = masks[mask] ?? (() => false);
  return copy.dark.map((row, y) =>
    row.map((isDark, x) => (modules.isFixed[y]?.[x] ? isDark : isDark !== flips(x, y))),
  );
}

const penaltyOf = (dark: boolean[][]) => {
  const columns = dark.map((_, x) => dark.map((row) => row[x] ?? false));
  const lines = [...dark, ...columns];
  const inLines = lines.reduce((sum, line) => sum + runPenalty(line) + finderPenalty(line), 0);
  return inLines + blockPenalty(dark) + balancePenalty(dark);
};

function runPenalty(line: readonly boolean[]): number {
  let [penalty, length] = [0, 0];
  for (const [at, isDark] of line.entries()) {
    length = at > 0 && line[at - 1] === isDark ? length + 1 : 1;
    if (length === 5) penalty += 3;
    else if (length > 5) penalty += 1;
  }
  return penalty;
}

/**
 * Penalises patterns in the proportions of a finder pattern, with four light modules on one side. Modules outside the
 * code count as light.
 */
function finderPenalty(line: readonly boolean[]): number {
  const text = `0000${line.map(Number).join("")}0000`;
  return ["10111010000", "00001011101"].reduce((sum, pattern) => sum + 40 * countOf(text, pattern), 0);
}

function countOf(text: string, pattern: string): number {
  let count = 0;
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) count++;
  return count;
}

function blockPenalty(dark: boolean[][]): number {
  let penalty = 0;
  for (let y = 1; y < dark.length; y++)
    for (let x = 1; x < dark.length; x++) {
      const isDark = dark[y]?.[x];
      if (dark[y]?.[x - 1] === isDark && dark[y - 1]?.[x] === isDark && dark[y - 1]?.[x - 1] === isDark)
        penalty += 3;
    }
  return penalty;
}

function balancePenalty(dark: boolean[][]): number {
  const total = dark.length * dark.length;
  const count = dark.flat().filter(Boolean).length;
  return (Math.ceil(Math.abs(count * 20 - total * 10) / total) - 1) * 10;
}
