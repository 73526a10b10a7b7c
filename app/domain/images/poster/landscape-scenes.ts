import { mix } from "./palettes.ts";
import {
  birds,
  circle,
  cloud,
  disc,
  formatCoordinate,
  hill,
  layers,
  line,
  list,
  many,
  rect,
  ridge,
  type Scene,
  sheetHeight,
  sheetWidth,
  svgPath,
} from "./svg-shapes.ts";

export const mountains: Scene = (random, palette) => {
  const x = random.between(90, 330);
  const y = random.between(150, 250);
  return (
    disc(x, y, random.between(34, 80), palette) +
    birds(random, palette.near, random.between(80, 340), random.between(120, 220)) +
    layers(
      5,
      palette,
      (index, color) =>
        svgPath(ridge(random, 300 + index * 62, 130 - index * 18, random.between(0.5, 0.6)), color) +
        (index < 4 ? rect(0, 330 + index * 62, sheetWidth, 90, "url(#mist)", 'opacity="0.5"') : ""),
    )
  );
};

export const sea: Scene = (random, palette) => {
  const horizon = random.between(310, 370);
  const x = random.between(120, 300);
  const r = random.between(46, 90);
  const glints = many(46, (index) => {
    const depth = (index / 46) ** 1.5;
    const half = (r * 0.5 + depth * 110) * random.between(0.15, 1);
    return rect(
      x - half + random.between(-20, 20),
      horizon + 4 + depth * 250,
      half * 2,
      1 + depth * 4,
      palette.light,
      `opacity="${formatCoordinate(0.75 - depth * 0.5)}" rx="1.5"`,
    );
  });
  return (
    many(3, () =>
      cloud(
        random,
        random.between(0, sheetWidth),
        random.between(120, horizon - 40),
        random.between(40, 110),
        palette.light,
        0.22,
      ),
    ) +
    disc(x, horizon - r * random.between(-0.1, 0.8), r, palette) +
    rect(0, horizon, sheetWidth, sheetHeight - horizon, mix(palette.sky[1], palette.near, 0.35)) +
    rect(0, horizon, sheetWidth, sheetHeight - horizon, "url(#depth)") +
    glints +
    svgPath(
      ridge(random, horizon + 4, 18, 0.5)
        .replace(`M0 ${sheetHeight}`, `M0 ${formatCoordinate(horizon)}`)
        .replace(`L${sheetWidth} ${sheetHeight}Z`, `L${sheetWidth} ${formatCoordinate(horizon)}Z`),
      palette.far,
      'opacity="0.8"',
    )
  );
};

export const wires: Scene = (random, palette) => {
  const slope = random.between(-0.12, 0.12);
  const poles = list(4, (index) => ({
    x: -20 + index * 150 + random.between(-14, 14),
    scale: 1 - index * 0.12,
  }));
  const ink = mix(palette.far, palette.near, 0.85);
  const pole = ({ x, scale }: { x: number; scale: number }) => {
    const top = 190 + x * slope + (1 - scale) * 160;
    const bars = many(3, (bar) => rect(x - 26 * scale, top + 10 + bar * 16 * scale, 56 * scale, 3, ink));
    return rect(x, top, 5 * scale + 1, 400, ink) + bars;
  };
  const strands = many(3, (bar) =>
    many(poles.length - 1, (index) => {
      const [a, b] = [poles[index], poles[index + 1]] as [(typeof poles)[0], (typeof poles)[0]];
      const y = (p: { x: number; scale: number }) =>
        190 + p.x * slope + (1 - p.scale) * 160 + 10 + bar * 16 * p.scale;
      return line(
        `M${formatCoordinate(a.x)} ${formatCoordinate(y(a))}Q${formatCoordinate((a.x + b.x) / 2)} ${formatCoordinate((y(a) + y(b)) / 2 + 34)} ${formatCoordinate(b.x)} ${formatCoordinate(y(b))}`,
        ink,
        1.2,
      );
    }),
  );
  return (
    disc(random.between(60, 360), random.between(90, 200), random.between(24, 48), palette) +
    many(5, (index) =>
      cloud(
        random,
        random.between(-20, sheetWidth + 20),
        230 + index * 28,
        random.between(70, 150),
        mix(palette.light, palette.sky[2], index * 0.12),
        0.85,
      ),
    ) +
    layers(3, palette, (index, color) => svgPath(hill(random, 400 + index * 50, 22), color)) +
    poles.map(pole).join("") +
    strands
  );
};

export const forest: Scene = (random, palette) =>
  disc(random.between(120, 300), random.between(150, 260), random.between(40, 90), palette) +
  layers(5, palette, (index, color) => {
    const trunks = many(12 - index * 2, () => {
      const x = random.between(-10, sheetWidth + 10);
      const width = random.between(3, 6) + index * 4;
      const lean = random.between(-10, 10);
      const branches = many(3 + index, () => {
        const y = random.between(60, 380);
        const reach = random.between(14, 40) * (random() < 0.5 ? -1 : 1);
        return line(
          `M${formatCoordinate(x)} ${formatCoordinate(y)}q${formatCoordinate(reach * 0.5)} -4 ${formatCoordinate(reach)} ${formatCoordinate(-random.between(12, 34))}`,
          color,
          Math.max(1, width * 0.22),
        );
      });
      return (
        svgPath(
          `M${formatCoordinate(x - width / 2)} ${sheetHeight}L${formatCoordinate(x - width / 3 + lean)} 0H${formatCoordinate(x + width / 3 + lean)}L${formatCoordinate(x + width / 2)} ${sheetHeight}Z`,
          color,
        ) + branches
      );
    });
    return `${trunks}${svgPath(hill(random, 430 + index * 34, 14), color)}${index < 4 ? rect(0, 200, sheetWidth, 400, "url(#mist)", 'opacity="0.3"') : ""}`;
  });

const blossomColor = "#ffdfe8";

export const blossom: Scene = (random, palette) => {
  const side = random() < 0.5 ? 1 : -1;
  const edge = side === 1 ? -10 : sheetWidth + 10;
  const petal = (x: number, y: number, size: number, color: string) =>
    svgPath(
      `M${formatCoordinate(x)} ${formatCoordinate(y)}q${formatCoordinate(size * 0.9)} ${formatCoordinate(-size)} ${formatCoordinate(size * 1.6)} ${formatCoordinate(-size * 0.1)}q${formatCoordinate(-size * 0.3)} ${formatCoordinate(size * 0.9)} ${formatCoordinate(-size * 1.6)} ${formatCoordinate(size * 0.1)}Z`,
      color,
      `opacity="${formatCoordinate(random.between(0.6, 1))}" transform="rotate(${random.whole(0, 360)} ${formatCoordinate(x)} ${formatCoordinate(y)})"`,
    );
  const branches = many(3, (index) => {
    const y = 60 + index * random.between(50, 80);
    const reach = random.between(190, 330);
    const drop = random.between(-10, 90);
    const flowers = many(16, () => {
      const share = random.between(0.2, 1);
      const [x, fy] = [
        edge + side * reach * share + random.between(-20, 20),
        y + drop * share + random.between(-22, 22),
      ];
      const size = random.between(6, 11);
      return (
        many(5, (leaf) => {
          const angle = (leaf / 5) * Math.PI * 2;
          return circle(
            x + Math.cos(angle) * size * 0.55,
            fy + Math.sin(angle) * size * 0.55,
            size * 0.5,
            blossomColor,
          );
        }) + circle(x, fy, size * 0.24, "#e0567f")
      );
    });
    return (
      line(
        `M${edge} ${formatCoordinate(y)}q${formatCoordinate(side * reach * 0.5)} ${formatCoordinate(drop * 0.1)} ${formatCoordinate(side * reach)} ${formatCoordinate(drop)}`,
        palette.near,
        7 - index * 1.6,
      ) + flowers
    );
  });
  return (
    disc(random.between(130, 290), random.between(210, 290), random.between(70, 120), palette) +
    layers(3, palette, (index, color) => svgPath(hill(random, 410 + index * 60, 30), color)) +
    branches +
    many(34, () =>
      petal(random.between(0, sheetWidth), random.between(60, 560), random.between(3, 8), blossomColor),
    )
  );
};

export const waves: Scene = (random, palette) => {
  const r = random.between(34, 52);
  const rows = Math.ceil(330 / (r * 0.5));
  const scales = many(rows, (row) =>
    many(Math.ceil(sheetWidth / (r * 2)) + 2, (column) => {
      const x = column * r * 2 - (row % 2 ? r : 0);
      const y = 300 + row * r * 0.5 + r;
      const tone = mix(palette.far, palette.near, Math.min(1, row / rows + 0.1));
      return many(4, (ringIndex) =>
        circle(
          x,
          y,
          r * (1 - ringIndex * 0.25),
          ringIndex % 2 ? mix(tone, palette.light, 0.3 - (row / rows) * 0.22) : tone,
        ),
      );
    }),
  );
  return (
    disc(random.between(110, 310), random.between(190, 260), random.between(70, 115), palette) +
    many(2, () =>
      cloud(
        random,
        random.between(20, 400),
        random.between(140, 250),
        random.between(50, 90),
        palette.light,
        0.5,
      ),
    ) +
    scales
  );
};

export const snow: Scene = (random, palette) => {
  const pine = (x: number, foot: number, size: number, color: string) =>
    many(4, (tier) => {
      const y = foot - size + tier * size * 0.22;
      const half = size * (0.12 + tier * 0.075);
      return svgPath(
        `M${formatCoordinate(x)} ${formatCoordinate(y - size * 0.16)}L${formatCoordinate(x + half)} ${formatCoordinate(y + size * 0.2)}Q${formatCoordinate(x)} ${formatCoordinate(y + size * 0.12)} ${formatCoordinate(x - half)} ${formatCoordinate(y + size * 0.2)}Z`,
        color,
      );
    }) + rect(x - size * 0.02, foot - size * 0.2, size * 0.04, size * 0.24, color);
  return (
    disc(random.between(80, 340), random.between(110, 220), random.between(30, 60), palette) +
    svgPath(ridge(random, 300, 120, 0.55), mix(palette.far, palette.light, 0.3)) +
    layers(
      4,
      palette,
      (index, color) =>
        svgPath(hill(random, 390 + index * 46, 22), color) +
        many(11 - index * 2, () =>
          pine(
            random.between(0, sheetWidth),
            402 + index * 46 + random.between(-8, 14),
            random.between(34, 60) + index * 30,
            mix(color, palette.near, 0.25),
          ),
        ),
    ) +
    many(130, () =>
      circle(
        random.between(0, sheetWidth),
        random.between(0, sheetHeight),
        random.between(0.7, 3),
        "#fff",
        `opacity="${formatCoordinate(random.between(0.3, 0.95))}"`,
      ),
    )
  );
};
