import { mix, type Palette } from "./palettes.ts";

/** A repeatable random generator and the SVG shapes that scenes are drawn from. */

export const sheet = { width: 420, height: 600 } as const;
export const { width: sheetWidth, height: sheetHeight } = sheet;

export type Random = {
  (): number;
  between(min: number, max: number): number;
  whole(min: number, max: number): number;
};

/** The finalizer of MurmurHash3, so that neighbouring ids get very different seeds. */
function scatteredSeed(id: number): number {
  let hash = id ^ 0x9e3779b9;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** mulberry32, seeded with the id, so that a title gets the same poster on every machine. */
export function randomFrom(id: number): Random {
  let state = scatteredSeed(id);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return Object.assign(next, {
    between: (min: number, max: number) => min + next() * (max - min),
    whole: (min: number, max: number) => Math.floor(min + next() * (max - min + 1)),
  });
}

export type Scene = (random: Random, palette: Palette) => string;

export const formatCoordinate = (value: number) => value.toFixed(1);
export const list = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
export const many = (count: number, make: (index: number) => string) => list(count, make).join("");
export const circle = (x: number, y: number, r: number, fill: string, extra = "") =>
  `<circle cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}" r="${formatCoordinate(r)}" fill="${fill}" ${extra}/>`;
export const rect = (x: number, y: number, width: number, height: number, fill: string, extra = "") =>
  `<rect x="${formatCoordinate(x)}" y="${formatCoordinate(y)}" width="${formatCoordinate(width)}" height="${formatCoordinate(height)}" fill="${fill}" ${extra}/>`;
export const svgPath = (d: string, fill: string, extra = "") => `<path d="${d}" fill="${fill}" ${extra}/>`;
export const line = (d: string, stroke: string, width: number, extra = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${formatCoordinate(width)}" stroke-linecap="round" ${extra}/>`;

/** A sun or moon with its halo. */
export function disc(x: number, y: number, r: number, { light }: Palette) {
  return `${circle(x, y, r * 3.4, "url(#halo)")}${circle(x, y, r, light)}`;
}

export const downpour = (random: Random, color: string) =>
  many(110, () => {
    const [x, y, length] = [
      random.between(-40, sheetWidth + 60),
      random.between(-20, sheetHeight),
      random.between(14, 54),
    ];
    const strength = `opacity="${formatCoordinate(random.between(0.1, 0.5))}"`;
    return line(
      `M${formatCoordinate(x)} ${formatCoordinate(y)}l${formatCoordinate(-length * 0.2)} ${formatCoordinate(length)}`,
      color,
      random.between(0.5, 1.4),
      strength,
    );
  });

export const stars = (random: Random, count: number, lowest: number) =>
  many(count, () =>
    circle(
      random.between(0, sheetWidth),
      random.between(0, lowest) * random(),
      random.between(0.4, 1.5),
      "#fff",
      `opacity="${formatCoordinate(random.between(0.3, 1))}"`,
    ),
  );

/** A mountain ridge by midpoint displacement. */
export function ridge(random: Random, base: number, height: number, roughness: number): string {
  let points = [
    base + random.between(-height, height) / 2,
    base - random() * height,
    base + random.between(-height, height) / 2,
  ];
  let swing = height / 2;
  while (points.length < 65) {
    points = points.flatMap((y, index) => {
      const next = points[index + 1];
      return next === undefined ? [y] : [y, (y + next) / 2 + random.between(-swing, swing)];
    });
    swing *= roughness;
  }
  const step = sheetWidth / (points.length - 1);
  return `M0 ${sheetHeight}${points.map((y, index) => `L${formatCoordinate(index * step)} ${formatCoordinate(y)}`).join("")}L${sheetWidth} ${sheetHeight}Z`;
}

export function hill(random: Random, base: number, height: number): string {
  const [a, b, c] = list(3, () => base + random.between(-height, height)) as [number, number, number];
  return `M0 ${sheetHeight}L0 ${formatCoordinate(a)}C${sheetWidth * 0.3} ${formatCoordinate(a - height)} ${sheetWidth * 0.45} ${formatCoordinate(b + height)} ${sheetWidth * 0.6} ${formatCoordinate(b)}S${sheetWidth * 0.85} ${formatCoordinate(c)} ${sheetWidth} ${formatCoordinate(c)}L${sheetWidth} ${sheetHeight}Z`;
}

export const layers = (count: number, palette: Palette, make: (index: number, color: string) => string) =>
  many(count, (index) =>
    make(index, mix(palette.far, palette.near, (index / Math.max(1, count - 1)) ** 1.2)),
  );

/** A cloud of overlapping half circles on a flat bottom. */
export function cloud(
  random: Random,
  x: number,
  y: number,
  size: number,
  color: string,
  opacity: number,
): string {
  const rounds = list(9, (index) => {
    const along = (index - 4) / 4;
    const r = size * (0.2 + (1 - along * along) * random.between(0.12, 0.3));
    return `M${formatCoordinate(x + along * size - r)} ${formatCoordinate(y)}a${formatCoordinate(r)} ${formatCoordinate(r)} 0 0 1 ${formatCoordinate(r * 2)} 0Z`;
  });
  const lifted = list(5, (index) => {
    const r = size * random.between(0.2, 0.34);
    const cx = x + (index - 2) * size * 0.3;
    return `M${formatCoordinate(cx - r)} ${formatCoordinate(y - size * 0.3)}a${formatCoordinate(r)} ${formatCoordinate(r)} 0 1 1 ${formatCoordinate(r * 2)} 0V${formatCoordinate(y)}H${formatCoordinate(cx - r)}Z`;
  });
  return svgPath(`${rounds.join("")}${lifted.join("")}`, color, `opacity="${formatCoordinate(opacity)}"`);
}

export const birds = (random: Random, color: string, x: number, y: number) =>
  many(random.whole(3, 7), () => {
    const [bx, by, s] = [x + random.between(-60, 60), y + random.between(-30, 30), random.between(3, 7)];
    return line(
      `M${formatCoordinate(bx - s)} ${formatCoordinate(by - s * 0.3)}Q${formatCoordinate(bx - s * 0.4)} ${formatCoordinate(by - s * 0.7)} ${formatCoordinate(bx)} ${formatCoordinate(by)}Q${formatCoordinate(bx + s * 0.4)} ${formatCoordinate(by - s * 0.7)} ${formatCoordinate(bx + s)} ${formatCoordinate(by - s * 0.3)}`,
      color,
      1.1,
    );
  });
