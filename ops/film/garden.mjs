import { blend, chance, during, height, number, ramp, width } from "./drawing.mjs";

/** The view from the porch: sky, hills, pond, pine, stone lantern, fireflies, train. */

export function stars(seed, count, time) {
  const next = chance(seed);
  return Array.from({ length: count }, () => {
    const [x, y, size, phase] = [next() * width, 90 + next() * 260, 0.7 + next() * 1.3, next() * 6];
    return `<circle cx="${number(x)}" cy="${number(y)}" r="${number(size)}" fill="#fff" opacity="${number(5 + 4 * Math.sin(time * 0.8 + phase)) / 10}"/>`;
  }).join("");
}

export const moon = (x, y) =>
  `<circle cx="${number(x)}" cy="${number(y)}" r="190" fill="url(#moonglow)"/><circle cx="${number(x)}" cy="${number(y)}" r="46" fill="#fdf3d8"/><circle cx="${number(x - 13)}" cy="${number(y - 9)}" r="9" fill="#eadfbe"/><circle cx="${number(x + 15)}" cy="${number(y + 12)}" r="12" fill="#eadfbe"/><circle cx="${number(x + 10)}" cy="${number(y - 20)}" r="5" fill="#eadfbe"/>`;

export const moonInPond = (time, x) =>
  [0, 1, 2, 3]
    .map(
      (step) =>
        `<ellipse cx="${number(x + Math.sin(time * 1.4 + step * 1.7) * 4)}" cy="${512 + step * 11}" rx="${34 - step * 6}" ry="3.4" fill="#fdf3d8" opacity="${number(9 - step * 2) / 10}"/>`,
    )
    .join("");

export function clouds(seed, time, colour) {
  const next = chance(seed);
  return Array.from({ length: 6 }, () => {
    const [start, y, scale] = [next() * 1700, 130 + next() * 150, 0.6 + next() * 0.9];
    const x = ((start + time * 5 * scale) % 1700) - 210;
    return `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})" fill="${colour}"><ellipse rx="120" ry="20"/><ellipse cx="-34" cy="-16" rx="58" ry="24"/><ellipse cx="38" cy="-20" rx="46" ry="22"/></g>`;
  }).join("");
}

export function hedge(seed, base, colour) {
  const next = chance(seed);
  return Array.from({ length: 34 }, (_, index) => {
    const radius = 26 + next() * 34;
    return `<circle cx="${index * 44 - 80}" cy="${number(base + 12 - next() * 16)}" r="${number(radius)}" fill="${colour}"/>`;
  }).join("");
}

export function ground(soil, water, time, rings) {
  const ripples = rings > 0.02 ? rippleRings(time, rings, water) : "";
  return `<rect x="-120" y="470" width="${width + 240}" height="${height - 470}" fill="${soil}"/><ellipse cx="520" cy="538" rx="330" ry="44" fill="${blend(soil, "#000000", 0.35)}"/><ellipse cx="520" cy="534" rx="320" ry="40" fill="url(#pond)"/>${ripples}`;
}

function rippleRings(time, rings, water) {
  const next = chance(41);
  return Array.from({ length: 14 }, () => {
    const [x, y, phase] = [290 + next() * 460, 512 + next() * 44, next()];
    const age = (time * 0.9 + phase) % 1;
    return `<ellipse cx="${number(x)}" cy="${number(y)}" rx="${number(4 + age * 40)}" ry="${number(1 + age * 7)}" fill="none" stroke="${blend(water, "#ffffff", 0.55)}" stroke-width="1.6" opacity="${number((1 - age) * rings * 10) / 10}"/>`;
  }).join("");
}

export function pine(x, y, scale, trunk, needles) {
  const pads = [
    [-70, -150, 92, 26],
    [46, -190, 104, 30],
    [-30, -240, 96, 28],
    [26, -292, 70, 24],
    [-4, -336, 44, 18],
  ];
  const drawn = pads.map(
    ([dx, dy, rx, ry]) =>
      `<ellipse cx="${dx}" cy="${dy}" rx="${rx}" ry="${ry}" fill="${needles}"/><ellipse cx="${dx - 8}" cy="${dy - 8}" rx="${rx * 0.72}" ry="${ry * 0.5}" fill="${blend(needles, "#ffffff", 0.1)}"/>`,
  );
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M-14 0q-14-90 10-140t-8-180l14-6q22 100 2 180t8 146z" fill="${trunk}"/><path d="M0-130q-40 0-70-22M6-160q30-6 46-28" stroke="${trunk}" stroke-width="12" fill="none"/>${drawn.join("")}</g>`;
}

export const stoneLantern = (x, y, stone, lit) =>
  `<g transform="translate(${x} ${y})"><circle cy="-78" r="120" fill="url(#lampglow)" opacity="${number(lit * 10) / 10}"/><path d="M-34 0h68l-8-16h-52zM-12-16h24v-40h-24zM-28-56h56v-8h-56zM-44-98L0-128l44 30z" fill="${stone}"/><rect x="-22" y="-98" width="44" height="34" fill="${blend(stone, "#000000", 0.4)}"/><rect x="-13" y="-94" width="26" height="26" fill="${blend(stone, "#ffd27a", lit)}"/><circle cy="-132" r="7" fill="${stone}"/></g>`;

export function fireflies(time, amount) {
  const next = chance(77);
  return Array.from({ length: 26 }, (_, index) => {
    const [x, y, phase, pace] = [120 + next() * 840, 380 + next() * 190, next() * 6.28, 0.25 + next() * 0.4];
    const shine =
      Math.max(0, Math.sin(time * pace * 2.4 + phase * 3)) * amount * (index / 26 < amount ? 1 : 0);
    const dx = Math.sin(time * pace + phase) * 60;
    const dy = Math.cos(time * pace * 1.3 + phase) * 30;
    return shine < 0.05
      ? ""
      : `<g transform="translate(${number(x + dx)} ${number(y + dy)})" opacity="${number(shine * 10) / 10}"><circle r="22" fill="url(#fireglow)"/><circle r="3" fill="#f6ffc4"/></g>`;
  }).join("");
}

/** A lit local train crosses the valley once on its viaduct. */
export function train(time, start, end, night) {
  const arches = Array.from(
    { length: 13 },
    (_, index) =>
      `<path d="M${index * 112 - 60} 470v-40q46-44 92 0v40" fill="none" stroke="${night}" stroke-width="18"/>`,
  );
  const viaduct = `<g>${arches.join("")}<rect x="-120" y="398" width="${width + 240}" height="14" fill="${night}"/></g>`;
  const seen = during(time, start, end, 0.5);
  if (seen <= 0) return viaduct;
  const head = ((time - start) / (end - start)) * (width + 760) - 60;
  const cars = Array.from({ length: 4 }, (_, car) => {
    const x = head - car * 172 - 160;
    const windows = Array.from(
      { length: 6 },
      (_, pane) => `<rect x="${number(x + 12 + pane * 24)}" y="366" width="16" height="15" fill="#ffe3a0"/>`,
    );
    return `<rect x="${number(x)}" y="356" width="164" height="42" rx="8" fill="#8f2f38"/><rect x="${number(x)}" y="386" width="164" height="6" fill="#e9dcc0"/>${windows.join("")}`;
  });
  return `${viaduct}${cars.join("")}<circle cx="${number(head + 8)}" cy="378" r="70" fill="url(#lampglow)" opacity="0.9"/>`;
}

export const snowCover = (amount) => {
  const depth = ramp(amount, 0, 1) * 20;
  return `<ellipse cx="980" cy="486" rx="360" ry="${number(14 + depth)}" fill="#eef3fb" opacity="${number(amount * 9) / 10}"/><ellipse cx="120" cy="490" rx="330" ry="${number(12 + depth)}" fill="#e4ebf7" opacity="${number(amount * 9) / 10}"/><rect x="-120" y="574" width="${width + 240}" height="${number(depth)}" fill="#eef3fb" opacity="${number(amount * 9) / 10}"/>`;
};
