import { mix } from "./palettes.ts";
import {
  formatCoordinate as at,
  birds,
  circle,
  disc,
  hill,
  layers,
  line,
  list,
  many,
  type Random,
  rect,
  ridge,
  type Scene,
  sheetHeight,
  sheetWidth,
  stars,
  svgPath,
} from "./svg-shapes.ts";

/** Scenes around one object that tells the kind of story. It stands above the title, in the upper two thirds. */

const onCircle = (x: number, y: number, r: number, turn: number): [number, number] => [
  x + r * Math.cos(turn * 2 * Math.PI),
  y + r * Math.sin(turn * 2 * Math.PI),
];
const polygon = (points: readonly (readonly [number, number])[], fill: string, extra = "") =>
  svgPath(`M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join("L")}Z`, fill, extra);
const opacity = (value: number) => `opacity="${value.toFixed(2)}"`;

/** Rays from a point behind the horizon. */
const rays = (x: number, y: number, count: number, turn: number, fill: string, strength: number) =>
  many(count, (index) => {
    const from = turn + index / count;
    return polygon(
      [[x, y], onCircle(x, y, 900, from), onCircle(x, y, 900, from + 0.45 / count)],
      fill,
      opacity(strength),
    );
  });

export const castle: Scene = (random, palette) => {
  const x = random.between(150, 270);
  const foot = random.between(330, 360);
  const stone = mix(palette.far, palette.near, 0.55);
  const towers = list(7, (index) => {
    const middle = 1 - Math.abs(index - 3) / 4;
    const width = random.between(16, 26);
    const top = foot - 50 - middle * random.between(110, 170);
    const left = x + (index - 3) * 27 - width / 2;
    const tip = top - random.between(30, 58);
    const flag = polygon(
      [
        [left + width / 2, tip - 16],
        [left + width / 2 + random.between(12, 20), tip - 11],
        [left + width / 2, tip - 6],
      ],
      palette.accent,
    );
    return (
      rect(left, top, width, 300, mix(stone, palette.near, random() * 0.4)) +
      polygon(
        [
          [left - 4, top],
          [left + width / 2, tip],
          [left + width + 4, top],
        ],
        mix(palette.near, palette.accent, 0.25),
      ) +
      rect(left + width / 2 - 0.7, tip - 16, 1.4, 18, stone) +
      (middle > 0.5 ? flag : "") +
      rect(left + width / 2 - 2, top + 16, 4, 9, palette.light, opacity(0.8))
    );
  });
  return (
    stars(random, 40, 240) +
    disc(x + random.between(-110, 110), random.between(120, 190), random.between(40, 74), palette) +
    svgPath(ridge(random, 330, 90, 0.55), mix(palette.far, palette.sky[2], 0.3)) +
    rect(0, 260, sheetWidth, 140, "url(#mist)", opacity(0.6)) +
    towers.join("") +
    rect(x - 108, foot - 34, 216, 300, stone) +
    many(14, (index) => rect(x - 108 + index * 16, foot - 43, 9, 10, stone)) +
    birds(random, palette.near, x + random.between(-90, 90), foot - 230) +
    layers(3, palette, (index, color) => svgPath(hill(random, foot + 36 + index * 50, 26), color))
  );
};

/** A house on a hill in front of a large moon, and a bare tree. */
export const manor: Scene = (random, palette) => {
  const side = random() < 0.5 ? 1 : -1;
  const x = 210 + side * random.between(10, 60);
  const foot = random.between(340, 365);
  const ink = palette.near;
  const roof = (left: number, width: number, top: number, high: number) =>
    rect(left, top, width, foot - top + 40, ink) +
    polygon(
      [
        [left - 7, top],
        [left + width / 2, top - high],
        [left + width + 7, top],
      ],
      ink,
    );
  const twig = (bx: number, by: number, turn: number, length: number, width: number): string => {
    const [ex, ey] = onCircle(bx, by, length, turn);
    const more =
      length < 12
        ? ""
        : twig(ex, ey, turn - random.between(0.05, 0.1), length * 0.7, width * 0.62) +
          twig(ex, ey, turn + random.between(0.04, 0.11), length * 0.64, width * 0.62);
    return line(`M${at(bx)} ${at(by)}L${at(ex)} ${at(ey)}`, ink, width) + more;
  };
  const windows = many(9, () =>
    rect(
      x + random.between(-50, 44),
      foot - random.between(14, 88),
      6,
      10,
      palette.accent,
      opacity(random.between(0.5, 1)),
    ),
  );
  return (
    rect(0, 0, sheetWidth, sheetHeight, palette.near, opacity(0.3)) +
    disc(x + random.between(-30, 30), random.between(190, 230), random.between(105, 140), palette) +
    many(3, (index) =>
      rect(
        random.between(-80, 180),
        170 + index * 50,
        260,
        random.between(5, 12),
        palette.sky[1],
        `rx="6" ${opacity(0.45)}`,
      ),
    ) +
    roof(x - 58, 44, foot - 92, random.between(50, 80)) +
    roof(x - 16, 60, foot - 62, random.between(34, 52)) +
    roof(x + 36, 26, foot - 118, random.between(58, 92)) +
    windows +
    svgPath(hill(random, foot + 12, 20), ink) +
    twig(x - side * random.between(150, 180), foot + 40, -0.25 + side * 0.02, 78, 10) +
    many(6, () => {
      const [bx, by, s] = [random.between(40, 380), random.between(90, 240), random.between(5, 10)];
      return svgPath(
        `M${at(bx)} ${at(by)}q${at(-s * 0.6)} ${at(-s)} ${at(-s * 1.6)} ${at(-s * 0.5)}q${at(s * 0.9)} ${at(s * 0.3)} ${at(s * 1.6)} ${at(s * 1.1)}q${at(s * 0.7)} ${at(-s * 0.8)} ${at(s * 1.6)} ${at(-s * 1.1)}q${at(-s)} ${at(-s * 0.5)} ${at(-s * 1.6)} ${at(s * 0.5)}Z`,
        ink,
      );
    })
  );
};

/** A blade in front of rays, with sparks. */
export const blade: Scene = (random, palette) => {
  const x = random.between(170, 250);
  const y = random.between(200, 250);
  const lean = random.between(24, 52) * (random() < 0.5 ? 1 : -1);
  const steel = mix(palette.light, palette.sky[1], 0.15);
  return (
    rays(x, y, random.whole(11, 17), random(), palette.light, 0.22) +
    disc(x, y, random.between(78, 112), palette) +
    `<g transform="rotate(${at(lean)} ${at(x)} ${at(y)})">` +
    polygon(
      [
        [x - 7, y + 110],
        [x - 8, y - 150],
        [x + 4, y - 186],
        [x + 8, y - 140],
        [x + 7, y + 110],
      ],
      steel,
    ) +
    polygon(
      [
        [x, y + 110],
        [x - 1, y - 150],
        [x + 4, y - 186],
        [x + 8, y - 140],
        [x + 7, y + 110],
      ],
      mix(steel, palette.near, 0.45),
    ) +
    rect(x - 34, y + 108, 68, 9, palette.accent, 'rx="4"') +
    rect(x - 6, y + 117, 12, 70, palette.near) +
    many(6, (index) => rect(x - 6, y + 122 + index * 11, 12, 3, palette.accent, opacity(0.6))) +
    "</g>" +
    many(36, () => {
      const [sx, sy] = onCircle(x, y, random.between(90, 300), random());
      return circle(sx, sy, random.between(0.8, 3), palette.accent, opacity(random.between(0.4, 1)));
    }) +
    layers(3, palette, (index, color) => svgPath(ridge(random, 420 + index * 50, 60, 0.6), color))
  );
};

/** Floodlights over a field with its lines. */
export const stadium: Scene = (random, palette) => {
  const vanish = random.between(150, 270);
  const horizon = random.between(300, 330);
  const grass = mix(palette.far, palette.near, 0.35);
  const ball = {
    x: vanish + random.between(-90, 90),
    y: random.between(150, 220),
    r: random.between(24, 38),
  };
  const lamp = (x: number, top: number) =>
    polygon(
      [
        [x - 26, top + 12],
        [x + 26, top + 12],
        [vanish + 190, horizon + 80],
        [vanish - 190, horizon + 80],
      ],
      palette.light,
      opacity(0.1),
    ) +
    rect(x - 2.5, top, 5, horizon - top, palette.near) +
    rect(x - 30, top - 14, 60, 28, palette.near, 'rx="3"') +
    many(8, (index) =>
      circle(x - 22 + (index % 4) * 15, top - 6 + Math.floor(index / 4) * 13, 4.6, palette.light),
    );
  return (
    stars(random, 30, 200) +
    svgPath(
      `M0 ${at(horizon - 46)}Q${at(vanish)} ${at(horizon - 92)} ${sheetWidth} ${at(horizon - 46)}V${at(horizon + 6)}H0Z`,
      mix(palette.far, palette.near, 0.7),
    ) +
    many(150, () =>
      circle(
        random.between(0, sheetWidth),
        horizon - random.between(2, 52),
        1.5,
        random() < 0.3 ? palette.accent : palette.light,
        opacity(random.between(0.2, 0.8)),
      ),
    ) +
    lamp(random.between(40, 80), random.between(90, 130)) +
    lamp(random.between(340, 380), random.between(90, 130)) +
    rect(0, horizon, sheetWidth, sheetHeight, grass) +
    many(9, (index) =>
      polygon(
        [
          [vanish + (index - 4.5) * 20, horizon],
          [vanish + (index - 4) * 20, horizon],
          [vanish + (index - 4) * 210, sheetHeight],
          [vanish + (index - 4.5) * 210, sheetHeight],
        ],
        palette.light,
        opacity(0.1),
      ),
    ) +
    `<ellipse cx="${at(vanish)}" cy="${at(horizon + 74)}" rx="120" ry="24" fill="none" stroke="${palette.light}" stroke-width="3" ${opacity(0.6)}/>` +
    rect(0, horizon + 73, sheetWidth, 3, palette.light, opacity(0.6)) +
    many(7, (index) =>
      circle(
        ball.x - index * random.between(8, 14),
        ball.y + index * index * 2.2,
        ball.r * (1 - index * 0.1),
        palette.accent,
        opacity(0.16),
      ),
    ) +
    circle(ball.x, ball.y, ball.r, palette.light) +
    line(
      `M${at(ball.x - ball.r)} ${at(ball.y)}Q${at(ball.x)} ${at(ball.y - ball.r * 0.8)} ${at(ball.x + ball.r)} ${at(ball.y)}M${at(ball.x - ball.r * 0.5)} ${at(ball.y + ball.r * 0.85)}Q${at(ball.x)} ${at(ball.y - ball.r * 0.1)} ${at(ball.x + ball.r * 0.5)} ${at(ball.y + ball.r * 0.85)}`,
      mix(palette.near, palette.accent, 0.4),
      2.4,
    )
  );
};

/** Stage light, a wave of sound, and notes. */
export const stage: Scene = (random, palette) => {
  const beams = many(6, (index) => {
    const x = 20 + index * 76 + random.between(-14, 14);
    const target = random.between(20, 400);
    return polygon(
      [
        [x - 3, 0],
        [x + 3, 0],
        [target + 52, 430],
        [target - 52, 430],
      ],
      index % 2 ? palette.light : palette.accent,
      opacity(random.between(0.1, 0.24)),
    );
  });
  const middle = random.between(225, 265);
  const bars = many(35, (index) => {
    const swing = Math.sin((index / 34) * Math.PI) * random.between(30, 150) + 6;
    return rect(
      8 + index * 11.8,
      middle - swing / 2,
      6.4,
      swing,
      mix(palette.light, palette.accent, index / 34),
      `rx="3" ${opacity(0.9)}`,
    );
  });
  const note = () => {
    const [x, y, s] = [random.between(40, 370), random.between(70, 400), random.between(8, 17)];
    const ink = random() < 0.5 ? palette.light : palette.accent;
    const head = (cx: number) =>
      `<ellipse cx="${at(cx)}" cy="${at(y)}" rx="${at(s * 0.62)}" ry="${at(s * 0.45)}" fill="${ink}"/>` +
      rect(cx + s * 0.46, y - s * 2, s * 0.16, s * 2, ink);
    return `<g ${opacity(random.between(0.5, 0.95))}>${head(x)}${head(x + s * 1.5)}${rect(x + s * 0.46, y - s * 2.2, s * 1.66, s * 0.42, ink)}</g>`;
  };
  return (
    rect(0, 0, sheetWidth, sheetHeight, palette.near, opacity(0.5)) +
    circle(210, middle, 230, "url(#halo)", opacity(0.8)) +
    beams +
    bars +
    many(random.whole(5, 8), note) +
    many(13, (index) => circle(index * 36 - 6, 470 + random.between(-12, 12), 26, palette.near)) +
    rect(0, 470, sheetWidth, 200, palette.near)
  );
};

/** A school with its clock tower behind the gate. */
export const school: Scene = (random, palette) => {
  const x = random.between(165, 255);
  const foot = random.between(350, 372);
  const wall = mix(palette.light, palette.far, random.between(0.25, 0.4));
  const glass = mix(palette.sky[1], palette.near, 0.4);
  const hour = random();
  const wing = (from: number, to: number, top: number) =>
    rect(from, top, to - from, foot - top, wall) +
    rect(from, top - 6, to - from, 7, mix(wall, palette.near, 0.45)) +
    many(3, (row) =>
      many(Math.floor((to - from - 10) / 21), (column) =>
        rect(
          from + 9 + column * 21,
          top + 12 + row * 34,
          14,
          20,
          random() < 0.2 ? palette.accent : glass,
          opacity(0.85),
        ),
      ),
    );
  const top = foot - random.between(176, 206);
  const [hx, hy] = onCircle(x, top + 30, 9, hour);
  const [mx, my] = onCircle(x, top + 30, 13, hour * 12);
  return (
    disc(x + random.between(-130, 130), random.between(90, 150), random.between(26, 50), palette) +
    many(
      3,
      (index) =>
        `<ellipse cx="${at(random.between(0, 420))}" cy="${at(130 + index * 46)}" rx="${at(random.between(50, 110))}" ry="${at(random.between(10, 20))}" fill="${palette.light}" ${opacity(0.35)}/>`,
    ) +
    svgPath(hill(random, foot - 40, 26), mix(palette.far, palette.sky[2], 0.35)) +
    wing(x - 190, x - 30, foot - 116) +
    wing(x + 30, x + 190, foot - 116) +
    rect(x - 34, top, 68, foot - top, mix(wall, palette.light, 0.35)) +
    polygon(
      [
        [x - 42, top],
        [x, top - 36],
        [x + 42, top],
      ],
      mix(palette.near, palette.accent, 0.35),
    ) +
    circle(x, top + 30, 18, "#ffffff") +
    line(
      `M${at(x)} ${at(top + 30)}L${at(hx)} ${at(hy)}M${at(x)} ${at(top + 30)}L${at(mx)} ${at(my)}`,
      palette.near,
      2,
    ) +
    many(2, (row) => rect(x - 14, top + 64 + row * 36, 28, 22, glass)) +
    rect(0, foot, sheetWidth, sheetHeight, mix(palette.far, palette.near, 0.5)) +
    polygon(
      [
        [x - 26, foot],
        [x + 26, foot],
        [x + 150, sheetHeight],
        [x - 150, sheetHeight],
      ],
      palette.light,
      opacity(0.22),
    ) +
    many(9, (index) => {
      const tx = index < 5 ? index * 30 - 16 : 300 + (index - 5) * 36;
      return circle(
        tx,
        foot + random.between(-4, 26),
        random.between(20, 40),
        mix(palette.far, palette.near, random.between(0.35, 0.75)),
      );
    })
  );
};

/** A bowl with steam and sticks, in front of a lamp. */
export const bowl: Scene = (random, palette) => {
  const x = random.between(195, 225);
  const y = random.between(300, 325);
  const r = random.between(108, 126);
  const clay = mix(palette.accent, palette.near, 0.35);
  const pattern = random.whole(5, 9);
  return (
    disc(x, y - 90, r * 0.95, palette) +
    many(4, (index) => {
      const sx = x - 60 + index * 40 + random.between(-8, 8);
      return line(
        `M${at(sx)} ${at(y - 20)}q-26 -40 0 -74t${at(random.between(-6, 10))} -80`,
        "#ffffff",
        random.between(5, 10),
        opacity(0.4),
      );
    }) +
    line(`M${at(x + 10)} ${at(y + 4)}L${at(x + 172)} ${at(y - 128)}`, palette.near, 6) +
    line(`M${at(x + 34)} ${at(y + 6)}L${at(x + 188)} ${at(y - 102)}`, palette.near, 6) +
    `<ellipse cx="${at(x)}" cy="${at(y)}" rx="${at(r)}" ry="26" fill="${mix(palette.light, palette.accent, 0.3)}"/>` +
    many(14, () => {
      const [cx, cy] = [x + random.between(-r * 0.72, r * 0.72), y + random.between(-12, 12)];
      const fill = [palette.light, palette.accent, palette.sky[1], palette.sky[2]][random.whole(0, 3)];
      return circle(cx, cy, random.between(6, 15), fill ?? palette.light, opacity(0.85));
    }) +
    svgPath(
      `M${at(x - r)} ${at(y)}Q${at(x - r)} ${at(y + 108)} ${at(x - 34)} ${at(y + 116)}H${at(x + 34)}Q${at(x + r)} ${at(y + 108)} ${at(x + r)} ${at(y)}Q${at(x)} ${at(y + 52)} ${at(x - r)} ${at(y)}Z`,
      clay,
    ) +
    many(pattern, (index) =>
      circle(
        x + (index - (pattern - 1) / 2) * ((r * 1.5) / pattern),
        y + 58 - Math.abs(index - (pattern - 1) / 2) * 6,
        7,
        palette.light,
        opacity(0.6),
      ),
    ) +
    rect(x - 36, y + 110, 72, 14, mix(clay, palette.near, 0.4)) +
    rect(0, y + 122, sheetWidth, sheetHeight, mix(palette.far, palette.near, 0.6))
  );
};

/** A grid that leads to the horizon, and blocks that float above it. */
export const grid: Scene = (random, palette) => {
  const horizon = random.between(300, 330);
  const x = random.between(150, 270);
  const sun = random.between(80, 112);
  const cube = () => {
    const [cx, cy, s] = [random.between(30, 390), random.between(80, 270), random.between(9, 26)];
    const top = [
      [cx, cy - s],
      [cx + s, cy - s / 2],
      [cx, cy],
      [cx - s, cy - s / 2],
    ] as const;
    const left = [
      [cx - s, cy - s / 2],
      [cx, cy],
      [cx, cy + s],
      [cx - s, cy + s / 2],
    ] as const;
    const right = [
      [cx + s, cy - s / 2],
      [cx, cy],
      [cx, cy + s],
      [cx + s, cy + s / 2],
    ] as const;
    return (
      polygon(top, palette.light) +
      polygon(left, palette.accent) +
      polygon(right, mix(palette.accent, palette.near, 0.5))
    );
  };
  return (
    rect(0, 0, sheetWidth, sheetHeight, palette.near, opacity(0.35)) +
    stars(random, 80, 280) +
    disc(x, horizon - 40, sun, palette) +
    many(7, (index) => rect(x - 160, horizon - 84 + index * 13, 320, 1.5 + index * 0.9, palette.sky[1])) +
    rect(0, horizon, sheetWidth, sheetHeight, palette.near) +
    many(25, (index) =>
      line(
        `M${at(x + (index - 12) * 15)} ${at(horizon)}L${at(x + (index - 12) * 150)} ${sheetHeight}`,
        palette.accent,
        1.3,
        opacity(0.7),
      ),
    ) +
    many(13, (index) =>
      rect(0, horizon + (index / 12) ** 2.1 * 290, sheetWidth, 1.5, palette.accent, opacity(0.7)),
    ) +
    many(random.whole(5, 9), cube)
  );
};

const cog = (x: number, y: number, r: number, teeth: number, turn: number, color: string, hole: string) => {
  const points = list(teeth * 4, (index) => {
    const isOut = index % 4 === 1 || index % 4 === 2;
    return onCircle(
      x,
      y,
      isOut ? r : r * 0.84,
      turn + (index + (isOut ? 0 : 0.16 * (index % 4 === 0 ? -1 : 1))) / (teeth * 4),
    );
  });
  return (
    polygon(points, color) +
    circle(x, y, r * 0.62, hole) +
    many(5, (index) => {
      const [ex, ey] = onCircle(x, y, r * 0.7, turn + index / 5);
      return line(`M${at(x)} ${at(y)}L${at(ex)} ${at(ey)}`, color, r * 0.13);
    }) +
    circle(x, y, r * 0.24, color) +
    circle(x, y, r * 0.1, hole)
  );
};

/** A giant of iron before the sky, and the wheels that drive it. */
export const machine: Scene = (random, palette) => {
  const x = random.between(180, 240);
  const y = random.between(190, 215);
  const iron = mix(palette.far, palette.near, 0.82);
  const edge = mix(palette.far, palette.light, 0.25);
  const horn = random.between(40, 78);
  const both = (draw: (side: 1 | -1) => string) => draw(1) + draw(-1);
  return (
    rays(x, y, 12, random(), palette.light, 0.14) +
    disc(x, y - 20, random.between(104, 128), palette) +
    cog(
      x + random.between(110, 150),
      random.between(110, 150),
      62,
      12,
      random(),
      mix(palette.far, palette.sky[1], 0.4),
      palette.sky[1],
    ) +
    cog(
      x - random.between(120, 160),
      random.between(190, 250),
      84,
      16,
      random(),
      mix(palette.far, palette.sky[1], 0.5),
      palette.sky[1],
    ) +
    both((side) =>
      polygon(
        [
          [x + side * 12, y - 34],
          [x + side * (26 + horn * 0.5), y - 40 - horn],
          [x + side * 34, y - 22],
        ],
        palette.accent,
      ),
    ) +
    both((side) =>
      polygon(
        [
          [x, y - 48],
          [x + side * 38, y - 30],
          [x + side * 46, y + 14],
          [x + side * 26, y + 60],
          [x, y + 72],
        ],
        side === 1 ? iron : mix(iron, edge, 0.28),
      ),
    ) +
    both((side) =>
      polygon(
        [
          [x + side * 9, y + 6],
          [x + side * 36, y - 6],
          [x + side * 32, y + 10],
          [x + side * 12, y + 16],
        ],
        palette.light,
      ),
    ) +
    polygon(
      [
        [x - 9, y + 46],
        [x + 9, y + 46],
        [x + 5, y + 64],
        [x - 5, y + 64],
      ],
      palette.accent,
    ) +
    both((side) =>
      polygon(
        [
          [x + side * 14, y + 84],
          [x + side * 70, y + 58],
          [x + side * 156, y + 84],
          [x + side * 176, y + 190],
          [x + side * 60, y + 220],
          [x, y + 300],
          [x, y + 90],
        ],
        side === 1 ? iron : mix(iron, edge, 0.2),
      ),
    ) +
    both((side) => rect(x + side * 100 - 26, y + 106, 52, 7, palette.accent, opacity(0.8))) +
    both((side) => rect(x + side * 100 - 26, y + 120, 52, 3, edge, opacity(0.5))) +
    svgPath(ridge(random, 470, 40, 0.6), palette.near)
  );
};

/** A road at speed, with the trails of lamps. */
export const road: Scene = (random, palette) => {
  const horizon = random.between(270, 310);
  const x = random.between(140, 280);
  const bend = random.between(-90, 90);
  const toEdge = (share: number) => x + (share - 0.5) * 900;
  return (
    stars(random, 50, 220) +
    disc(x + random.between(-70, 70), random.between(130, 200), random.between(34, 60), palette) +
    svgPath(ridge(random, horizon - 30, 90, 0.55), mix(palette.far, palette.sky[1], 0.3)) +
    svgPath(ridge(random, horizon + 4, 40, 0.6), palette.far) +
    rect(0, horizon, sheetWidth, sheetHeight, mix(palette.far, palette.near, 0.6)) +
    svgPath(
      `M${at(x - 5)} ${at(horizon)}Q${at(x + bend)} ${at(horizon + 90)} ${at(x - 270)} ${sheetHeight}H${at(x + 270)}Q${at(x + bend + 40)} ${at(horizon + 90)} ${at(x + 5)} ${at(horizon)}Z`,
      palette.near,
    ) +
    many(9, (index) => {
      const share = 0.18 + index * 0.08;
      return line(
        `M${at(x)} ${at(horizon)}Q${at(x + bend + (share - 0.5) * 90)} ${at(horizon + 90)} ${at(toEdge(share))} ${sheetHeight}`,
        index < 4 ? palette.light : palette.accent,
        random.between(1.2, 4.5),
        opacity(random.between(0.35, 0.9)),
      );
    }) +
    many(16, () => {
      const y = random.between(60, horizon + 60);
      return line(
        `M${at(random.between(-80, 380))} ${at(y)}h${at(random.between(60, 200))}`,
        palette.light,
        1,
        opacity(0.25),
      );
    }) +
    many(5, (index) => {
      const side = index % 2 ? 1 : -1;
      const scale = 0.3 + index * 0.24;
      const lx = x + side * (34 + index * 40);
      return (
        rect(lx, horizon - 70 * scale, 3 * scale, 80 * scale, palette.near) +
        circle(lx, horizon - 70 * scale, 6 * scale, palette.accent)
      );
    })
  );
};

/** Rings that wind inwards around an eye. */
export const spiral: Scene = (random, palette) => {
  const x = random.between(180, 240);
  const y = random.between(210, 245);
  const turn = random();
  const rings = many(15, (index) => {
    const r = 330 - index * 21;
    const [cx, cy] = onCircle(x, y, (15 - index) * 3, turn + index * 0.06);
    return circle(
      cx,
      cy,
      r,
      index % 2 ? mix(palette.sky[1], palette.near, 0.55) : mix(palette.sky[2], palette.sky[0], index / 18),
    );
  });
  const lid = random.between(30, 46);
  return (
    rings +
    svgPath(
      `M${at(x - 92)} ${at(y)}Q${at(x)} ${at(y - lid * 2)} ${at(x + 92)} ${at(y)}Q${at(x)} ${at(y + lid * 2)} ${at(x - 92)} ${at(y)}Z`,
      palette.light,
    ) +
    circle(x, y, lid * 0.86, palette.accent) +
    circle(x, y, lid * 0.62, mix(palette.accent, palette.near, 0.6)) +
    circle(x, y, lid * 0.34, palette.near) +
    circle(x + lid * 0.3, y - lid * 0.3, lid * 0.16, "#ffffff") +
    many(24, () => {
      const [sx, sy] = onCircle(x, y, random.between(110, 300), random());
      const s = random.between(3, 10);
      return polygon(
        [
          [sx, sy - s],
          [sx + s * 0.5, sy + s * 0.3],
          [sx - s * 0.4, sy + s * 0.7],
        ],
        palette.light,
        opacity(random.between(0.2, 0.7)),
      );
    })
  );
};

const star = (x: number, y: number, r: number, turn: number, fill: string, extra = "") =>
  polygon(
    list(10, (index) => onCircle(x, y, index % 2 ? r * 0.45 : r, turn - 0.25 + index / 10)),
    fill,
    extra,
  );

/** A wand with a star, ribbons and sparkles. */
export const wand: Scene = (random, palette) => {
  const x = random.between(160, 260);
  const y = random.between(180, 215);
  const lean = random.between(-34, 34);
  const r = random.between(58, 76);
  const ribbon = (side: number) =>
    line(
      `M${at(x)} ${at(y + r)}c${at(side * 90)} ${at(random.between(-40, 40))} ${at(side * 150)} ${at(random.between(20, 110))} ${at(side * random.between(200, 260))} ${at(random.between(-40, 120))}`,
      side === 1 ? palette.accent : palette.light,
      9,
      opacity(0.75),
    );
  return (
    circle(x, y, 230, "url(#halo)") +
    many(4, (index) =>
      circle(x, y, 110 + index * 46, "none", `stroke="${palette.light}" stroke-width="2" ${opacity(0.3)}`),
    ) +
    ribbon(1) +
    ribbon(-1) +
    `<g transform="rotate(${at(lean)} ${at(x)} ${at(y)})">` +
    rect(x - 5, y + r * 0.6, 10, 190, palette.light, 'rx="5"') +
    many(5, (index) => rect(x - 5, y + r * 0.9 + index * 34, 10, 12, palette.accent)) +
    star(x, y, r * 1.16, 0, palette.accent) +
    star(x, y, r * 0.86, 0, palette.light) +
    circle(x, y, r * 0.24, palette.accent) +
    "</g>" +
    many(30, () => {
      const [sx, sy] = onCircle(x, y, random.between(90, 320), random());
      return star(
        sx,
        sy,
        random.between(3, 12),
        random(),
        random() < 0.5 ? "#ffffff" : palette.accent,
        opacity(random.between(0.4, 0.95)),
      );
    }) +
    layers(2, palette, (index, color) => svgPath(hill(random, 460 + index * 50, 22), color))
  );
};

/** A burst of rays with dots, as on the first page of a comic. */
export const burst: Scene = (random, palette) => {
  const x = random.between(150, 270);
  const y = random.between(190, 250);
  const turn = random();
  const points = (r: number, depth: number) =>
    list(26, (index) =>
      onCircle(x, y, index % 2 ? r * depth : r * random.between(0.9, 1.12), turn + index / 26),
    );
  return (
    rays(x, y, 14, turn, palette.light, 0.4) +
    many(14, (row) =>
      many(11, (column) =>
        circle(
          column * 42 + (row % 2) * 21,
          20 + row * 22,
          1.5 + (row / 14) * 7,
          palette.accent,
          opacity(0.3),
        ),
      ),
    ) +
    polygon(points(150, 0.72), palette.near) +
    polygon(points(132, 0.72), palette.accent) +
    polygon(points(96, 0.74), palette.light) +
    face(random, x, y, mix(palette.near, palette.accent, 0.2)) +
    layers(2, palette, (index, color) => svgPath(hill(random, 450 + index * 50, 26), color))
  );
};

const face = (random: Random, x: number, y: number, ink: string) => {
  const eye = (side: number) =>
    random() < 0.5
      ? line(`M${at(x + side * 26 - 9)} ${at(y - 4)}q9 -16 18 0`, ink, 5)
      : circle(x + side * 26, y - 8, 7, ink);
  const mouth =
    random() < 0.5
      ? svgPath(`M${at(x - 20)} ${at(y + 14)}h40q-4 26 -20 26t-20 -26Z`, ink)
      : line(`M${at(x - 16)} ${at(y + 18)}q8 12 16 0q8 12 16 0`, ink, 5);
  return eye(-1) + eye(1) + mouth;
};

/** A meadow with a cat on the fence. */
export const meadow: Scene = (random, palette) => {
  const fence = random.between(318, 340);
  const x = random.between(110, 310);
  const s = random.between(0.9, 1.2);
  const ink = palette.near;
  const wood = mix(palette.light, palette.far, 0.45);
  const side = random() < 0.5 ? 1 : -1;
  const cat =
    `<g transform="translate(${at(x)} ${at(fence)}) scale(${at(s * side)} ${at(s)})">` +
    svgPath("M-22 2q-10 -46 14 -62q-6 -30 12 -40l4 -14l10 10h12l8 -10l4 18q6 26 -14 34q20 30 12 64Z", ink) +
    line("M-18 0q-34 10 -28 44", ink, 8) +
    circle(16, -84, 2.6, palette.accent) +
    circle(30, -84, 2.6, palette.accent) +
    "</g>";
  return (
    disc(x + side * random.between(20, 90), random.between(170, 230), random.between(64, 96), palette) +
    many(
      3,
      () =>
        `<ellipse cx="${at(random.between(20, 400))}" cy="${at(random.between(90, 240))}" rx="${at(random.between(40, 90))}" ry="${at(random.between(9, 18))}" fill="${palette.light}" ${opacity(0.5)}/>`,
    ) +
    layers(2, palette, (index, color) =>
      svgPath(hill(random, 330 + index * 40, 30), mix(color, palette.sky[2], 0.3)),
    ) +
    many(8, (index) => rect(index * 60 - 20, fence - 16, 13, 130, wood, 'rx="3"')) +
    rect(0, fence, sheetWidth, 11, wood) +
    rect(0, fence + 44, sheetWidth, 11, wood) +
    cat +
    many(90, () => {
      const gx = random.between(-10, 430);
      return line(
        `M${at(gx)} ${at(random.between(410, 470))}q${at(random.between(-8, 8))} -26 ${at(random.between(-14, 14))} -48`,
        mix(palette.far, ink, random()),
        2.4,
      );
    }) +
    many(22, () =>
      circle(
        random.between(0, 420),
        random.between(370, 440),
        random.between(3, 6),
        random() < 0.5 ? palette.accent : palette.light,
      ),
    ) +
    rect(0, 450, sheetWidth, 200, ink)
  );
};
