/** Drawing functions of the demonstration film: colors over time, seeded random numbers, SVG parts. */

export const width = 1280;
export const height = 720;

export function chance(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

export const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
export const mix = (from, to, share) => from + (to - from) * share;
const ease = (share) => share * share * (3 - 2 * share);

/** 0 before `start`, 1 after `end`, eased between. */
export const ramp = (time, start, end) => ease(clamp((time - start) / (end - start)));

/** Rises to 1 over `fade` seconds from `start`, and falls to 0 by `end`. */
export const during = (time, start, end, fade = 2) =>
  ramp(time, start, start + fade) * (1 - ramp(time, end - fade, end));

const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
export const blend = (from, to, share) => {
  const target = channels(to);
  const parts = channels(from).map((value, index) => Math.round(mix(value, target[index], clamp(share))));
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
};

/** The color at `time`, interpolated in a list of `[second, color]` stops. */
export function colourAt(stops, time) {
  const next = stops.findIndex(([at]) => at > time);
  if (next === 0) return stops[0][1];
  if (next === -1) return stops[stops.length - 1][1];
  const [from, to] = [stops[next - 1], stops[next]];
  return blend(from[1], to[1], ease((time - from[0]) / (to[0] - from[0])));
}

export const number = (value) => Math.round(value * 10) / 10;

export const verticalGradient = (id, stops) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops
    .map(
      ([offset, colour, opacity = 1]) =>
        `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join("")}</linearGradient>`;

export const glow = (id, colour, strength = 0.9) =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="0.35" stop-color="${colour}" stop-opacity="${strength * 0.35}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;

/** The outline of hills: summed sines from a seed, filled to the bottom of the picture. */
export function ridge(seed, base, rise, colour) {
  const next = chance(seed);
  const waves = [1, 2, 3.7, 7].map((count) => ({
    count,
    phase: next() * 6.28,
    share: (0.5 + next()) / count,
  }));
  const points = [];
  for (let x = -120; x <= width + 120; x += 20) {
    const lift = waves.reduce(
      (sum, { count, phase, share }) => sum + Math.sin((x / width) * count * 4 + phase) * share,
      0,
    );
    points.push(`${x},${number(base - lift * rise)}`);
  }
  return `<polygon fill="${colour}" points="${points.join(" ")} ${width + 120},${height} -120,${height}"/>`;
}

export const layer = (shift, content) => `<g transform="translate(${number(shift)} 0)">${content}</g>`;
export const faded = (opacity, content) =>
  opacity <= 0.004 ? "" : `<g opacity="${Math.round(opacity * 1000) / 1000}">${content}</g>`;
