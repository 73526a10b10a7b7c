/** The square of a QR code while it is drawn: which modules are dark, and which of them carry no data. */

export type Modules = { size: number; dark: boolean[][]; isFixed: boolean[][] };

const sizeOf = (version: number) => version * 4 + 17;

/** Draws everything except the data, the error correction and the format (ISO/IEC 18004, section 6.3). */
export function drawFixedPatterns(version: number): Modules {
  const size = sizeOf(version);
  const square = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const modules: Modules = { size, dark: square(), isFixed: square() };
  for (let at = 0; at < size; at++) {
    setFixed(modules, 6, at, at % 2 === 0);
    setFixed(modules, at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawFinder(modules, x, y);
  drawAlignments(modules, alignmentPositions(version));
  drawVersion(modules, version);
  drawFormat(modules, 0);
  return modules;
}

function setFixed({ dark, isFixed, size }: Modules, x: number, y: number, isDark: boolean) {
  if (x < 0 || y < 0 || x >= size || y >= size) return;
  (dark[y] as boolean[])[x] = isDark;
  (isFixed[y] as boolean[])[x] = true;
}

function drawFinder(modules: Modules, centerX: number, centerY: number) {
  for (let dy = -4; dy <= 4; dy++)
    for (let dx = -4; dx <= 4; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      setFixed(modules, centerX + dx, centerY + dy, ring !== 2 && ring !== 4);
    }
}

export function alignmentPositions(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

function drawAlignments(modules: Modules, positions: readonly number[]) {
  const last = positions.length - 1;
  for (const [row, y] of positions.entries())
    for (const [column, x] of positions.entries()) {
      const isAtFinder =
        (row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0);
      if (isAtFinder) continue;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++)
          setFixed(modules, x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
}

/** Draws the version number twice, in codes from version 7. */
function drawVersion(modules: Modules, version: number) {
  if (version < 7) return;
  let remainder = version;
  for (let step = 0; step < 12; step++) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25);
  const bits = (version << 12) | remainder;
  for (let at = 0; at < 18; at++) {
    const [far, near] = [modules.size - 11 + (at % 3), Math.floor(at / 3)];
    setFixed(modules, far, near, bitOf(bits, at));
    setFixed(modules, near, far, bitOf(bits, at));
  }
}

/** Draws the mask and the error correction level, twice. The level is always M, whose bits are 00. */
export function drawFormat(modules: Modules, mask: number) {
  let remainder = mask;
  for (let step = 0; step < 10; step++) remainder = (remainder << 1) ^ ((remainder >>> 9) * 0x537);
  const bits = ((mask << 10) | remainder) ^ 0x5412;
  const { size } = modules;
  for (let at = 0; at < 15; at++) {
    const isDark = bitOf(bits, at);
    if (at < 8) setFixed(modules, size - 1 - at, 8, isDark);
    else setFixed(modules, 8, size - 15 + at, isDark);
    // Skips the timing patterns at 6.
    if (at < 8) setFixed(modules, 8, at < 6 ? at : at + 1, isDark);
    else setFixed(modules, at === 8 ? 7 : 14 - at, 8, isDark);
  }
  setFixed(modules, 8, size - 8, true);
}

export const bitOf = (bits: number, at: number) => ((bits >>> at) & 1) === 1;
