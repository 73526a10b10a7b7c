import { blend, chance, height, number, width } from "./drawing.mjs";

/** The porch in the foreground of the film: eaves, posts, floor, paper door, and the cat. */

export function eaves(dark) {
  const rafters = Array.from({ length: 14 }, (_, index) => {
    const x = -40 + index * 104;
    return `<polygon fill="${blend(dark, "#000000", 0.25)}" points="${x},0 ${x + 46},0 ${x + 34},78 ${x + 6},78"/>`;
  }).join("");
  return `<rect x="-60" y="-4" width="${width + 120}" height="62" fill="${dark}"/>${rafters}<rect x="-60" y="74" width="${width + 120}" height="16" fill="${blend(dark, "#000000", 0.4)}"/>`;
}

export function floor(wood, light) {
  const top = 590;
  const planks = Array.from({ length: 15 }, (_, index) => {
    const far = -100 + index * 106;
    const near = width / 2 + (far - width / 2) * 1.9;
    return `<line x1="${far}" y1="${top}" x2="${number(near)}" y2="${height}" stroke="${blend(wood, "#000000", 0.35)}" stroke-width="3"/>`;
  }).join("");
  return `<rect x="-60" y="${top}" width="${width + 120}" height="140" fill="${wood}"/><rect x="-60" y="${top}" width="${width + 120}" height="140" fill="url(#floorlight)" opacity="${light}"/>${planks}<rect x="-60" y="${top - 10}" width="${width + 120}" height="12" fill="${blend(wood, "#ffffff", 0.12)}"/><rect x="-60" y="${top + 2}" width="${width + 120}" height="4" fill="#000000" opacity="0.35"/>`;
}

export const posts = (dark) =>
  `<rect x="52" y="60" width="30" height="534" fill="${dark}"/><rect x="52" y="60" width="7" height="534" fill="${blend(dark, "#ffffff", 0.12)}"/>`;

export function paperDoor(dark, warmth) {
  const cells = [];
  for (let column = 0; column < 3; column++)
    for (let row = 0; row < 6; row++)
      cells.push(
        `<rect x="${1010 + column * 94}" y="${96 + row * 84}" width="86" height="76" fill="url(#paper)"/>`,
      );
  return `<rect x="990" y="60" width="330" height="540" fill="${dark}"/><g opacity="${0.25 + warmth * 0.75}">${cells.join("")}</g>`;
}

export function windChime(time, wind, colour) {
  const swing = Math.sin(time * 1.9) * 5 * wind + Math.sin(time * 3.1) * 3 * wind;
  const ring = Math.sin(time * 1.9 - 0.6) * 14 * wind;
  return `<g transform="translate(300 88) rotate(${number(swing)})"><line y2="34" stroke="#e8e2d4" stroke-width="1.5"/><path d="M-24 62a24 26 0 0 1 48 0l-4 7h-40z" fill="${colour}" opacity="0.75"/><path d="M-14 50q10-12 24-6" stroke="#ffffff" stroke-width="3" fill="none" opacity="0.6"/><circle cx="8" cy="58" r="5" fill="#e4572e" opacity="0.8"/><g transform="translate(0 66) rotate(${number(ring)})"><line y2="30" stroke="#e8e2d4" stroke-width="1.5"/><rect x="-10" y="30" width="20" height="62" fill="#f4efe2"/><path d="M0 40v40M-4 48h8M-5 60h10" stroke="#b2413a" stroke-width="2"/></g></g>`;
}

/** The cat walks while `gait` is above 0, else it sits. Its tail always moves. */
export function cat({ x, y, time, gait, coat, asleep = 0, facing = 1 }) {
  const body = gait > 0 ? walking(time, gait, coat) : asleep > 0.5 ? curled(time, coat) : sitting(time, coat);
  return `<g transform="translate(${number(x)} ${y}) scale(${facing} 1)">${body}</g>`;
}

const face = (coat, blink) =>
  `<path d="M-19-2l2-24 13 11h10l13-11 2 24q2 19-20 20-22-1-20-20z" fill="${coat}"/>${
    blink
      ? `<path d="M-11 0q4 4 8 0M5 0q4 4 8 0" stroke="#f3d58a" stroke-width="2" fill="none"/>`
      : `<ellipse cx="-7" cy="0" rx="3.4" ry="4.4" fill="#f3d58a"/><ellipse cx="9" cy="0" rx="3.4" ry="4.4" fill="#f3d58a"/><circle cx="-7" cy="0" r="1.8"/><circle cx="9" cy="0" r="1.8"/>`
  }<path d="M-1 7h4l-2 2.5z" fill="#d98a86"/>`;

function walking(time, gait, coat) {
  const leg = (at, phase) => {
    const swing = Math.sin(time * 6 + phase) * 17 * gait;
    return `<line x1="${at}" y1="-22" x2="${number(at + swing)}" y2="8" stroke="${coat}" stroke-width="11" stroke-linecap="round"/>`;
  };
  const bob = Math.abs(Math.sin(time * 6)) * 3;
  const tail = Math.sin(time * 2.4) * 12;
  return `<g transform="translate(0 ${number(-bob)})"><path d="M-58-40q-40-12-${number(34 + tail)}-62" stroke="${coat}" stroke-width="11" fill="none" stroke-linecap="round"/>${leg(-44, 0)}${leg(-34, 3.1)}<ellipse cx="-6" cy="-36" rx="56" ry="23" fill="${coat}"/>${leg(28, 1.6)}${leg(38, 4.7)}<g transform="translate(56 -58)">${face(coat, false)}</g></g>`;
}

function sitting(time, coat) {
  const tail = Math.sin(time * 1.3) * 16;
  const turn = Math.sin(time * 0.33) * 4;
  const blink = time % 5.2 < 0.25;
  return `<path d="M-34 4q-46 6-${number(52 + tail)}-${number(22 + tail)}" stroke="${coat}" stroke-width="12" fill="none" stroke-linecap="round"/><path d="M-44 10q-6-76 40-92 40 10 38 92z" fill="${coat}"/><ellipse cx="-14" cy="8" rx="32" ry="10" fill="${coat}"/><g transform="translate(${number(4 + turn)} -92)">${face(coat, blink)}</g>`;
}

function curled(time, coat) {
  const breath = 1 + Math.sin(time * 1.1) * 0.03;
  return `<g transform="scale(1 ${number(breath * 100) / 100})"><ellipse cx="0" cy="-14" rx="62" ry="27" fill="${coat}"/><path d="M-50 0q-18-30 12-30M54-6q-30 20-80 12" stroke="${blend(coat, "#ffffff", 0.14)}" stroke-width="4" fill="none" stroke-linecap="round"/></g><g transform="translate(40 -14) rotate(22)">${face(coat, true)}</g>`;
}

export function tea(time, warmth) {
  const wisp = (shift, lag) => {
    const rise = (time * 0.35 + lag) % 1;
    const sway = Math.sin(time * 1.2 + lag * 9) * 8;
    return `<path d="M${shift} ${number(-26 - rise * 42)}q${number(sway)}-14 0-26t${number(-sway)}-24" stroke="#ffffff" stroke-width="5" fill="none" stroke-linecap="round" opacity="${number(Math.sin(rise * 3.14) * 3.2 * warmth) / 10}"/>`;
  };
  return `<g transform="translate(690 668)"><ellipse cx="0" cy="22" rx="70" ry="11" fill="#000000" opacity="0.3"/><ellipse cx="0" cy="16" rx="66" ry="10" fill="#5a3526"/><path d="M-26-22h52l-6 34h-40z" fill="#3f6f73"/><ellipse cx="0" cy="-22" rx="26" ry="6" fill="#86a35a"/>${wisp(-6, 0)}${wisp(6, 0.5)}</g>`;
}

/** Rain or snow in front of the garden. Each drop falls on its own path. */
export function falling({ time, count, kind, seed }) {
  const next = chance(seed);
  const drops = [];
  for (let index = 0; index < count; index++) {
    const [column, phase, depth] = [next(), next(), next()];
    const speed = kind === "rain" ? 1.5 + depth * 0.9 : 0.055 + depth * 0.07;
    const fall = (time * speed + phase) % 1;
    const drift = kind === "rain" ? -fall * 46 : Math.sin(time * (0.4 + depth) + phase * 20) * 26;
    const x = number(column * (width + 80) + drift);
    const y = number(86 + fall * 520);
    drops.push(
      kind === "rain"
        ? `<line x1="${x}" y1="${y}" x2="${number(x - 5)}" y2="${number(y + 26 + depth * 22)}"/>`
        : `<circle cx="${x}" cy="${y}" r="${number(1.8 + depth * 3.2)}"/>`,
    );
  }
  return kind === "rain"
    ? `<g stroke="#cfdcf2" stroke-width="1.6" opacity="0.42">${drops.join("")}</g>`
    : `<g fill="#f3f6ff" opacity="0.85">${drops.join("")}</g>`;
}
