/** How somebody likes to watch, kept by their browser and nobody else. */
export type PlayerMemory = {
  /** Lines of the picture; null: whatever the line carries. */
  quality: number | null;
  speed: number;
  volume: number;
  muted: boolean;
  /** A language, or null for none. */
  captions: string | null;
  captionSize: "small" | "medium" | "large" | "huge";
  captionBackground: "solid" | "half" | "none";
};

const key = "player";
const atFirst: PlayerMemory = {
  quality: null,
  speed: 1,
  volume: 1,
  muted: false,
  captions: null,
  captionSize: "medium",
  captionBackground: "half",
};

export function readPlayerMemory(): PlayerMemory {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return { ...atFirst, ...(typeof kept === "object" ? kept : {}) };
  } catch {
    return atFirst;
  }
}

export function savePlayerMemory(change: Partial<PlayerMemory>): PlayerMemory {
  const memory = { ...readPlayerMemory(), ...change };
  try {
    localStorage.setItem(key, JSON.stringify(memory));
  } catch {
    // Storage may be full or closed; the choice then lasts as long as the page.
  }
  return memory;
}

const resumePointKey = (malId: number, episode: number) => `place:${malId}:${episode}`;

/** A visitor without an account goes on where this browser left off. */
export function readResumePoint(malId: number, episode: number): number | null {
  try {
    const kept = Number(localStorage.getItem(resumePointKey(malId, episode)) ?? Number.NaN);
    return Number.isFinite(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function saveResumePoint(malId: number, episode: number, seconds: number) {
  try {
    localStorage.setItem(resumePointKey(malId, episode), String(Math.floor(seconds)));
  } catch {
    // As above.
  }
}
