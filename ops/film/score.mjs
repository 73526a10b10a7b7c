import { chance, clamp, during, ramp } from "./drawing.mjs";
import { lengthSeconds } from "./scenes.mjs";

/** Synthesizes the film's sound: plucked strings in a pentatonic mode, weather, a chime, a distant train. */

const rate = 44100;
const total = rate * lengthSeconds;
const frequency = (step) => 146.83 * 2 ** (step / 12);
const modes = [
  [0, 2, 3, 7, 8, 12, 14, 15, 19],
  [0, 2, 5, 7, 9, 12, 14, 17, 19],
];

/** A plucked string: filtered noise in a feedback loop (Karplus and Strong). */
function pluck(track, at, pitch, loudness, seed, decay = 0.996) {
  const noise = chance(seed);
  const period = Math.round(rate / pitch);
  const string = Float32Array.from({ length: period }, () => noise() * 2 - 1);
  const start = Math.round(at * rate);
  for (let index = 0; index < rate * 4 && start + index < total; index++) {
    const here = index % period;
    track[start + index] += string[here] * loudness;
    string[here] = (string[here] + string[(here + 1) % period]) * 0.5 * decay;
  }
}

function chime(track, at, loudness) {
  const start = Math.round(at * rate);
  for (let index = 0; index < rate * 3 && start + index < total; index++) {
    const time = index / rate;
    const ring =
      Math.sin(6.2832 * 2637 * time) +
      0.5 * Math.sin(6.2832 * 4180 * time) +
      0.25 * Math.sin(6.2832 * 7130 * time);
    track[start + index] += ring * loudness * Math.exp(-time * 2.6);
  }
}

/** Noise through a low-pass filter; `level` gives the loudness at each second. */
function weather(track, seed, softness, level) {
  const noise = chance(seed);
  let last = 0;
  for (let index = 0; index < total; index++) {
    last += (noise() * 2 - 1 - last) * softness;
    track[index] += last * level(index / rate);
  }
}

function melody(track, episode) {
  const next = chance(episode * 97 + 5);
  const mode = modes[episode - 1];
  let degree = 4;
  for (let at = 2.5; at < lengthSeconds - 6; ) {
    degree = clamp(degree + Math.round((next() - 0.5) * 4), 0, mode.length - 1);
    const loudness = 0.16 * (0.6 + next() * 0.4);
    pluck(track, at, frequency(mode[degree]), loudness, Math.round(at * 1000));
    if (next() < 0.34)
      pluck(track, at + 0.02, frequency(mode[0] - 12), loudness * 0.9, Math.round(at * 777), 0.998);
    if (next() < 0.2)
      pluck(
        track,
        at + 0.35,
        frequency(mode[Math.min(degree + 2, mode.length - 1)]),
        loudness * 0.6,
        Math.round(at * 555),
      );
    at += [0.7, 1.4, 1.4, 2.1, 2.8][Math.floor(next() * 5)];
  }
}

function rumble(track, start, end) {
  weather(track, 401, 0.02, (time) => during(time, start - 4, end + 4, 6) * 1.6);
  for (let at = start; at < end; at += 0.62)
    for (const lag of [0, 0.13])
      pluck(track, at + lag, 62, 0.05 * during(at, start, end, 4), Math.round(at * 100), 0.95);
}

export function score(episode) {
  const track = new Float32Array(total);
  melody(track, episode);
  if (episode === 1) {
    weather(track, 11, 0.35, (time) => during(time, 15, 88, 9) * 0.11);
    weather(track, 12, 0.06, (time) => during(time, 15, 90, 9) * 0.16);
    for (const at of [7, 19.5, 26, 38, 52, 71, 89, 101, 113]) chime(track, at, 0.035);
  } else {
    weather(track, 13, 0.012, (time) => 0.35 * during(time, 2, 110, 8) * (0.6 + 0.4 * Math.sin(time * 0.35)));
    rumble(track, 52, 74);
    for (const at of [9, 33, 84, 108, 117]) chime(track, at, 0.028);
  }
  const bytes = Buffer.alloc(total * 2);
  for (let index = 0; index < total; index++) {
    const level =
      Math.tanh(track[index] * 1.5) *
      ramp(index / rate, 0, 1.5) *
      (1 - ramp(index / rate, lengthSeconds - 4, lengthSeconds));
    bytes.writeInt16LE(Math.round(clamp(level, -1, 1) * 32000), index * 2);
  }
  return { bytes, rate };
}
