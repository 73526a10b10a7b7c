import type { TrackChoice } from "#app/domain/library/library.ts";
import { noChoice } from "../tracks/track-choice.ts";

/** The player's settings of a viewer, stored only in their browser. */
export type PlayerMemory = {
  /** The height in lines; null chooses by the connection's speed. */
  quality: number | null;
  speed: number;
  volume: number;
  muted: boolean;
  /** A language, or null for none. */
  captions: string | null;
  /** The captions that were turned off last, which the key C turns on again. */
  hiddenCaptions: { label: string; name: string } | null;
  /** Whether drawn subtitles are shown as plain text; null uses the account's setting. */
  plainSubtitles: boolean | null;
  captionSize: "small" | "medium" | "large" | "huge";
  captionBackground: "solid" | "half" | "none";
};

const key = "player";
const defaults: PlayerMemory = {
  quality: null,
  speed: 1,
  volume: 1,
  muted: false,
  captions: null,
  hiddenCaptions: null,
  plainSubtitles: null,
  captionSize: "medium",
  captionBackground: "half",
};

/** Null if nothing is stored, or the browser forbids storage. */
function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function store(name: string, value: object | number) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden; the value is then forgotten with the page.
  }
}

const withStored = <Value extends object>(initial: Value, stored: unknown): Value =>
  typeof stored === "object" ? { ...initial, ...stored } : initial;

export const readPlayerMemory = (): PlayerMemory => withStored(defaults, readStored(key));

export function savePlayerMemory(change: Partial<PlayerMemory>): PlayerMemory {
  const memory = { ...readPlayerMemory(), ...change };
  store(key, memory);
  return memory;
}

const trackChoiceKey = (malId: number) => `tracks:${malId}`;

/** A visitor's choice of tracks for a title, stored in their browser. */
export const readTrackChoice = (malId: number): TrackChoice =>
  withStored(noChoice, readStored(trackChoiceKey(malId)));

export const storeTrackChoice = (malId: number, choice: TrackChoice) => store(trackChoiceKey(malId), choice);

const resumePointKey = (malId: number, episode: number) => `place:${malId}:${episode}`;

/** The resume point of a visitor, stored in their browser. */
export function readResumePoint(malId: number, episode: number): number | null {
  const stored = readStored(resumePointKey(malId, episode));
  return typeof stored === "number" ? stored : null;
}

export const saveResumePoint = (malId: number, episode: number, seconds: number) =>
  store(resumePointKey(malId, episode), Math.floor(seconds));

/** The subtitle delay of each title, kept until the page is left: another release of the title may not need one. */
const delays = new Map<number, number>();

export const delayOf = (malId: number) => delays.get(malId) ?? 0;
export const keepDelay = (malId: number, seconds: number) => delays.set(malId, seconds);
