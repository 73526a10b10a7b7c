import {
  blend,
  colourAt,
  during,
  faded,
  glow,
  height,
  layer,
  mix,
  number,
  ramp,
  ridge,
  verticalGradient,
  width,
} from "./drawing.mjs";
import {
  clouds,
  fireflies,
  ground,
  hedge,
  moon,
  moonInPond,
  pine,
  snowCover,
  stars,
  stoneLantern,
  train,
} from "./garden.mjs";
import { cat, eaves, falling, floor, paperDoor, posts, tea, windChime } from "./porch.mjs";

/** The first two episodes. `picture` draws the picture of an episode at a second. */

export const lengthSeconds = 126;
const introSeconds = 10;

const rainEvening = {
  title: ["第一話　雨やどり", "1. Waiting Out the Rain"],
  high: [
    [0, "#1c2440"],
    [14, "#3a4372"],
    [40, "#4b4f6e"],
    [70, "#2b3352"],
    [96, "#141b38"],
    [126, "#0b1026"],
  ],
  low: [
    [0, "#38335a"],
    [14, "#f09a6b"],
    [36, "#a98a8c"],
    [66, "#55608a"],
    [96, "#2d3a68"],
    [126, "#1b2550"],
  ],
  green: [
    [0, "#16231f"],
    [16, "#30503f"],
    [60, "#223c36"],
    [100, "#14272a"],
    [126, "#0f1f24"],
  ],
  wood: [
    [0, "#2c1d1a"],
    [16, "#7a4c36"],
    [60, "#4d342e"],
    [100, "#2f2326"],
    [126, "#271d22"],
  ],
};

const snowNight = {
  title: ["第二話　終電", "2. The Last Train"],
  high: [
    [0, "#0a1024"],
    [40, "#101a3a"],
    [92, "#16244c"],
    [112, "#54618f"],
    [126, "#8698c2"],
  ],
  low: [
    [0, "#182448"],
    [40, "#22315f"],
    [92, "#2f4172"],
    [112, "#d99a86"],
    [126, "#ffcf9e"],
  ],
  green: [
    [0, "#101b26"],
    [60, "#1d2c3c"],
    [104, "#33475c"],
    [126, "#5b6f86"],
  ],
  wood: [
    [0, "#241a1c"],
    [60, "#3a2a28"],
    [104, "#4d3834"],
    [126, "#7d5a48"],
  ],
};

export const episodes = [rainEvening, snowNight];

export function picture(number1, time) {
  const palette = episodes[number1 - 1];
  const at = Object.fromEntries(
    ["high", "low", "green", "wood"].map((name) => [name, colourAt(palette[name], time)]),
  );
  const pan = Math.sin((time / lengthSeconds) * Math.PI * 2 - 1.2) * 26;
  const body = number1 === 1 ? rainScene(time, at, pan) : snowScene(time, at, pan);
  const shade = 1 - during(time, 0, lengthSeconds, 2.2);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${definitions(at, number1, time)}</defs>${body}${titleCard(palette, time)}${endCard(time)}<rect width="${width}" height="${height}" opacity="${number(shade * 100) / 100}"/></svg>`;
}

function definitions(at, episode, time) {
  const warmth = episode === 1 ? ramp(time, 30, 70) : 1 - ramp(time, 104, 122);
  return [
    verticalGradient("sky", [
      [0, at.high],
      [0.62, at.low],
      [1, blend(at.low, "#ffffff", 0.1)],
    ]),
    verticalGradient("pond", [
      [0, blend(at.low, at.high, 0.3)],
      [1, blend(at.high, "#000000", 0.2)],
    ]),
    verticalGradient("paper", [
      [0, blend("#6b665e", "#fbe2ae", warmth)],
      [1, blend("#4d4a47", "#e9b877", warmth)],
    ]),
    verticalGradient("floorlight", [
      [0, "#ffd9a0", 0],
      [1, "#ffb566", 0.5],
    ]),
    glow("moonglow", "#fdf3d8", 0.5),
    glow("lampglow", "#ffc978", 0.75),
    glow("fireglow", "#e4ff8a", 0.7),
  ].join("");
}

function rainScene(time, at, pan) {
  const rain = during(time, 16, 86, 8);
  const clear = ramp(time, 84, 100);
  const dark = blend(at.wood, "#000000", 0.45);
  const hill = (share) => blend(at.low, at.green, share);
  return [
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    faded(clear, layer(pan * 0.1, stars(5, 60, time))),
    faded(clear, layer(pan * 0.15, moon(mix(690, 640, clear), mix(300, 196, clear)))),
    faded(
      0.25 + 0.6 * ramp(time, 8, 30) - 0.55 * clear,
      layer(pan * 0.2, clouds(9, time, blend(at.low, at.high, 0.55))),
    ),
    layer(pan * 0.25, ridge(3, 402, 52, hill(0.35))),
    layer(pan * 0.4, ridge(8, 440, 40, hill(0.6))),
    layer(pan * 0.6, hedge(2, 470, hill(0.85))),
    layer(pan * 0.8, `${ground(at.green, at.low, time, rain)}${faded(clear * 0.8, moonInPond(time, 640))}`),
    layer(pan * 0.85, pine(876, 500, 0.92, dark, blend(at.green, "#000000", 0.12))),
    layer(pan * 0.8, stoneLantern(226, 512, "#7b7f86", ramp(time, 40, 60))),
    fireflies(time, ramp(time, 92, 112)),
    rain > 0.02 ? falling({ time, count: Math.round(70 * rain), kind: "rain", seed: 12 }) : "",
    porch(time, at, dark, { door: ramp(time, 30, 70), wind: 0.5 + rain }),
    visitor(time),
    tea(time, 0.4 + 0.6 * ramp(time, 14, 24)),
  ].join("");
}

/** The cat comes in out of the rain and sits until the end. */
function visitor(time) {
  const coat = "#17161c";
  if (time < 34) return "";
  if (time < 48) return cat({ x: mix(-90, 470, (time - 34) / 14), y: 648, time, gait: 1, coat });
  return cat({ x: 470, y: 656, time, gait: 0, coat });
}

function snowScene(time, at, pan) {
  const dawn = ramp(time, 100, 122);
  const cover = ramp(time, 10, 90);
  const dark = blend(at.wood, "#000000", 0.4);
  const hill = (share) => blend(at.low, blend(at.green, "#c7d5ea", cover * 0.35), share);
  return [
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    faded(0.8 - 0.8 * dawn, layer(pan * 0.1, stars(6, 90, time))),
    faded(
      1 - dawn,
      layer(pan * 0.15, moon(mix(420, 780, time / lengthSeconds), 190 + Math.abs(time - 60) * 0.5)),
    ),
    layer(pan * 0.2, ridge(14, 372, 70, hill(0.3))),
    layer(pan * 0.35, ridge(21, 420, 40, hill(0.5))),
    layer(pan * 0.45, train(time, 52, 72, blend(at.green, "#000000", 0.35))),
    layer(pan * 0.6, hedge(4, 476, hill(0.8))),
    layer(pan * 0.8, `${ground(at.green, at.low, time, 0)}${snowCover(cover)}`),
    layer(pan * 0.85, pine(900, 500, 0.92, dark, blend(at.green, "#dfe8f5", cover * 0.5))),
    layer(pan * 0.8, stoneLantern(226, 512, blend("#6d7178", "#e6ecf5", cover * 0.4), 1 - dawn)),
    faded(1 - ramp(time, 94, 108), falling({ time, count: 90, kind: "snow", seed: 31 })),
    porch(time, at, dark, { door: 1 - dawn, wind: 0.25 }),
    cat({ x: 500, y: 662, time, gait: 0, coat: "#1a181e", asleep: time > 18 && time < 108 ? 1 : 0 }),
    tea(time, 1),
  ].join("");
}

const porch = (time, at, dark, { door, wind }) =>
  [
    paperDoor(dark, door),
    posts(dark),
    floor(at.wood, door),
    windChime(time, wind, "#9fd3e0"),
    eaves(blend(dark, "#000000", 0.3)),
  ].join("");

function titleCard({ title }, time) {
  const seen = during(time, 2, introSeconds, 1.6);
  const words = (y, size, text, weight = 400, spacing = 2) =>
    `<text x="640" y="${y}" font-size="${size}" font-weight="${weight}" letter-spacing="${spacing}" text-anchor="middle" fill="#fdf6e6" font-family="Noto Sans CJK JP, sans-serif">${text}</text>`;
  return faded(
    seen,
    `<rect width="${width}" height="${height}" fill="#05060c" opacity="0.35"/>${words(322, 92, "縁側", 700, 26)}${words(376, 22, "E N G A W A", 400, 8)}<rect x="560" y="402" width="160" height="2" fill="#fdf6e6" opacity="0.7"/>${words(446, 26, title[0])}${words(482, 20, title[1], 400, 1)}`,
  );
}

const endCard = (time) =>
  faded(
    during(time, lengthSeconds - 9, lengthSeconds, 2),
    `<rect width="${width}" height="${height}" fill="#05060c" opacity="0.5"/><text x="640" y="330" font-size="34" letter-spacing="10" text-anchor="middle" fill="#fdf6e6" font-family="Noto Sans CJK JP, sans-serif">また、ここで。</text><text x="640" y="372" font-size="18" letter-spacing="2" text-anchor="middle" fill="#fdf6e6" font-family="Noto Sans CJK JP, sans-serif">Here again, some evening.</text>`,
  );
