import { mix } from "./palettes.ts";
import {
  circle,
  disc,
  downpour,
  formatCoordinate,
  hill,
  layers,
  many,
  rect,
  ridge,
  type Scene,
  sheetHeight,
  sheetWidth,
  stars,
  svgPath,
} from "./svg-shapes.ts";

export const city: Scene = (random, palette) => {
  const towers = (index: number, color: string) => {
    const parts: string[] = [];
    for (let x = -10; x < sheetWidth; ) {
      const width = random.between(22, 58);
      const top = 250 + index * 70 + random.between(-90, 60);
      parts.push(rect(x, top, width, sheetHeight - top, color));
      if (random() < 0.25) parts.push(rect(x + width / 2 - 1, top - random.between(14, 44), 2, 50, color));
      for (let wy = top + 8; wy < sheetHeight - 20 && index > 0; wy += 11)
        for (let wx = x + 5; wx < x + width - 6; wx += 8)
          if (random() < 0.16 + index * 0.05)
            parts.push(
              rect(
                wx,
                wy,
                3.4,
                5,
                random() < 0.8 ? palette.light : palette.accent,
                `opacity="${formatCoordinate(random.between(0.35, 0.95))}"`,
              ),
            );
      x += width + random.between(-2, 8);
    }
    return parts.join("");
  };
  return (
    stars(random, 60, 300) +
    disc(random.between(80, 340), random.between(110, 220), random.between(26, 70), palette) +
    layers(
      4,
      palette,
      (index, color) =>
        towers(index, color) +
        (index < 3 ? rect(0, 330 + index * 60, sheetWidth, 160, "url(#mist)", 'opacity="0.35"') : ""),
    )
  );
};

export const space: Scene = (random, palette) => {
  const x = random.between(120, 300);
  const y = random.between(190, 300);
  const r = random.between(80, 130);
  const tilt = random.between(-32, 32);
  const ring = (half: string) =>
    `<g transform="rotate(${formatCoordinate(tilt)} ${formatCoordinate(x)} ${formatCoordinate(y)})"><path d="M${formatCoordinate(x - r * 1.75)} ${formatCoordinate(y)}a${formatCoordinate(r * 1.75)} ${formatCoordinate(r * 0.34)} 0 0 ${half} ${formatCoordinate(r * 3.5)} 0" fill="none" stroke="${palette.light}" stroke-opacity="0.75" stroke-width="7"/><path d="M${formatCoordinate(x - r * 1.5)} ${formatCoordinate(y)}a${formatCoordinate(r * 1.5)} ${formatCoordinate(r * 0.27)} 0 0 ${half} ${formatCoordinate(r * 3)} 0" fill="none" stroke="${palette.accent}" stroke-opacity="0.6" stroke-width="3"/></g>`;
  const bands = many(
    5,
    (index) =>
      `<ellipse cx="${formatCoordinate(x)}" cy="${formatCoordinate(y - r + (index + 0.7) * r * 0.36)}" rx="${formatCoordinate(r * 1.1)}" ry="${formatCoordinate(random.between(5, 16))}" fill="${index % 2 ? palette.light : palette.near}" opacity="0.16"/>`,
  );
  return (
    rect(0, 0, sheetWidth, sheetHeight, palette.near, 'opacity="0.62"') +
    stars(random, 190, 620) +
    circle(x, y, r * 2.2, "url(#halo)") +
    ring("1") +
    `<clipPath id="planet"><circle cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}" r="${formatCoordinate(r)}"/></clipPath>` +
    `<g clip-path="url(#planet)">${circle(x, y, r, palette.sky[2])}${`<g transform="rotate(${formatCoordinate(tilt)} ${formatCoordinate(x)} ${formatCoordinate(y)})">${bands}</g>`}${circle(x + r * 0.5, y + r * 0.45, r * 1.15, palette.near, 'opacity="0.45"')}</g>` +
    ring("0") +
    circle(random.between(40, 380), random.between(60, 140), random.between(8, 18), palette.far) +
    svgPath(ridge(random, 520, 60, 0.55), palette.near)
  );
};

/** A street at night: blurred lights, and their reflections on the wet ground. */
export const rain: Scene = (random, palette) => {
  const ground = 400;
  const glow = () =>
    [palette.light, palette.accent, palette.sky[2], "#ffb35c"][random.whole(0, 3)] ?? palette.light;
  const houses = many(9, (index) => {
    const x = index * 52 - 20 + random.between(-12, 12);
    const [width, top] = [random.between(40, 66), random.between(150, 330)];
    const windows = many(10, () =>
      rect(
        x + random.between(4, width - 9),
        random.between(top + 8, 390),
        4,
        6,
        palette.light,
        'opacity="0.45"',
      ),
    );
    return rect(x, top, width, ground - top, mix(palette.near, palette.sky[1], 0.22)) + windows;
  });
  const lights = many(30, () => {
    const [x, y, r, color] = [
      random.between(0, sheetWidth),
      random.between(300, ground - 8),
      random.between(5, 24),
      glow(),
    ];
    const streak = rect(
      x - r * 0.45,
      ground,
      r * 0.9,
      random.between(40, 170),
      color,
      'opacity="0.2" rx="4"',
    );
    return streak + circle(x, y, r, color, `opacity="${formatCoordinate(random.between(0.3, 0.75))}"`);
  });
  return (
    rect(0, 0, sheetWidth, sheetHeight, palette.near, 'opacity="0.35"') +
    houses +
    rect(0, ground, sheetWidth, sheetHeight - ground, mix(palette.near, palette.sky[1], 0.12)) +
    lights +
    rect(0, ground, sheetWidth, sheetHeight - ground, "url(#depth)") +
    downpour(random, palette.light)
  );
};

export const gate: Scene = (random, palette) => {
  const x = random.between(150, 270);
  const horizon = 400;
  const s = random.between(0.9, 1.25);
  const color = mix(palette.near, palette.accent, 0.18);
  const beam = (y: number, half: number, thick: number, lift: number) =>
    svgPath(
      `M${formatCoordinate(x - half)} ${formatCoordinate(y - lift)}Q${formatCoordinate(x)} ${formatCoordinate(y + lift)} ${formatCoordinate(x + half)} ${formatCoordinate(y - lift)}l4 ${formatCoordinate(thick)}Q${formatCoordinate(x)} ${formatCoordinate(y + thick + lift)} ${formatCoordinate(x - half - 4)} ${formatCoordinate(y + thick - lift)}Z`,
      color,
    );
  const torii =
    beam(horizon - 190 * s, 112 * s, 15 * s, 7) +
    rect(x - 92 * s, horizon - 140 * s, 184 * s, 11 * s, color) +
    rect(x - 5 * s, horizon - 178 * s, 10 * s, 42 * s, color) +
    [-1, 1]
      .map((side) =>
        svgPath(
          `M${formatCoordinate(x + side * 66 * s - 7 * s)} ${formatCoordinate(horizon - 176 * s)}h${formatCoordinate(14 * s)}l${formatCoordinate(side * 6 * s)} ${formatCoordinate(176 * s + 20)}h${formatCoordinate(-14 * s)}Z`,
          color,
        ),
      )
      .join("");
  return (
    stars(random, 50, 260) +
    disc(x + random.between(-50, 50), random.between(210, 280), random.between(60, 105), palette) +
    svgPath(ridge(random, 380, 50, 0.55), mix(palette.far, palette.near, 0.2)) +
    rect(0, horizon, sheetWidth, sheetHeight - horizon, mix(palette.sky[1], palette.near, 0.5)) +
    `<g opacity="0.35" transform="matrix(1 0 0 -0.7 0 ${formatCoordinate(horizon * 1.7)})">${torii}</g>` +
    rect(0, horizon, sheetWidth, sheetHeight - horizon, "url(#depth)") +
    many(26, () =>
      rect(
        random.between(-20, sheetWidth),
        random.between(horizon + 4, 560),
        random.between(20, 120),
        1.2,
        palette.light,
        `opacity="${formatCoordinate(random.between(0.08, 0.4))}"`,
      ),
    ) +
    torii
  );
};

export const lanterns: Scene = (random, palette) =>
  rect(0, 0, sheetWidth, sheetHeight, palette.near, 'opacity="0.4"') +
  stars(random, 70, 420) +
  layers(2, palette, (index, color) => svgPath(hill(random, 450 + index * 60, 34), color)) +
  many(26, (index) => {
    const near = (index / 26) ** 1.4;
    const [x, y, s] = [random.between(10, sheetWidth - 10), random.between(50, 470), 5 + near * 26];
    const glow = circle(x, y, s * 2.6, "url(#halo)", `opacity="${formatCoordinate(0.4 + near * 0.5)}"`);
    const body = svgPath(
      `M${formatCoordinate(x - s * 0.62)} ${formatCoordinate(y - s * 0.8)}h${formatCoordinate(s * 1.24)}q${formatCoordinate(s * 0.3)} ${formatCoordinate(s * 0.9)} ${formatCoordinate(-s * 0.12)} ${formatCoordinate(s * 1.7)}h${formatCoordinate(-s)}q${formatCoordinate(-s * 0.42)} ${formatCoordinate(-s * 0.8)} ${formatCoordinate(-s * 0.12)} ${formatCoordinate(-s * 1.7)}Z`,
      mix(palette.accent, palette.light, 0.25 + random() * 0.4),
      `opacity="${formatCoordinate(0.55 + near * 0.45)}"`,
    );
    return glow + body + rect(x - s * 0.5, y + s * 0.72, s, s * 0.16, palette.near, 'opacity="0.5"');
  });
