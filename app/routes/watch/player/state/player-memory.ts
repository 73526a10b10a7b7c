import { noChoice, type PlayerTrackChoice } from "../tracks/track-choice.ts";

/** The player's settings of a viewer, stored only in their browser. */
export type PlayerMemory = {
  /** The height in lines; null chooses by the connection's speed. */
  quality: number | null;
  speed: number;
  volume: number;
  muted: boolean;
  /** A language, or null for none. */
  captions: string | null;
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
  plainSubtitles: null,
  captionSize: "medium",
  captionBackground: "half",
};

export function readPlayerMemory(): PlayerMemory {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return { ...defaults, ...(typeof stored === "object" ? stored : {}) };
  } catch {
    return defaults;
  }
}

export function savePlayerMemory(change: Partial<PlayerMemory>): PlayerMemory {
  const memory = { ...readPlayerMemory(), ...change };
  try {
    localStorage.setItem(key, JSON.stringify(memory));
  } catch {
    // Storage may be full or forbidden; the choice is then forgotten with the page.
  }
  return memory;
}

const trackChoiceKey = (malId: number) => `tracks:${malId}`;

/** A visitor's choice of tracks for a title, stored in their browser. */
export function readTrackChoice(malId: number): PlayerTrackChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(trackChoiceKey(malId)) ?? "{}");
    return { ...noChoice, ...(typeof stored === "object" ? stored : {}) };
  } catch {
    return noChoice;
  }
}

export function storeTrackChoice(malId: number, choice: PlayerTrackChoice) {
  try {
    localStorage.setItem(trackChoiceKey(malId), JSON.stringify(choice));
  } catch {
    // Storage may be full or forbidden; the choice is then forgotten with the page.
  }
}

const resumePointKey = (malId: number, episode: number) => `place:${malId}:${episode}`;

/** The resume point of a visitor, stored in their browser. */
export function readResumePoint(malId: number, episode: number): number | null {
  try {
    const stored = Number(localStorage.getItem(resumePointKey(malId, episode)) ?? Number.NaN);
    return Number.isFinite(stored) ? stored : null;
  } catch {
    return null;
  }
}

export function saveResumePoint(malId: number, episode: number, seconds: number) {
  try {
    localStorage.setItem(resumePointKey(malId, episode), String(Math.floor(seconds)));
  } catch {
    // Storage may be full or forbidden; the episode then starts at its beginning.
  }
}

/** The subtitle delay of each title, kept until the page is left: another release of the title may not need one. */
const delays = new Map<number, number>();

export const delayOf = (malId: number) => delays.get(malId) ?? 0;
export const keepDelay = (malId: number, seconds: number) => delays.set(malId, seconds);
