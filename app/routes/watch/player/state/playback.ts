import type { SkipSegment, SourceType } from "#app/domain/catalog/catalog.ts";
import { maxResumeShare, minResumeSeconds } from "#app/domain/library/library.ts";
import type { Chapter, FilmContents } from "#app/domain/playback/playback.ts";
import { countText } from "#app/platform/count-text.ts";
import { type Decodes, undecodableText } from "./decoding.ts";

/** The player's calculations that need no video element: times, resume points, speeds and the order of sources. */

/** `url` is playable: a path of this site or of its proxy. */
export type PlayerSource = {
  url: string;
  type: SourceType;
  label: string | null;
  language: string | null;
  /** The tracks of the film; set for a film of this site that has been read. */
  holds?: FilmContents;
  /** Set for a film of this site that was not read. */
  extension?: string;
};
export type EpisodeLink = {
  href: string;
  name: string;
  picture: string;
  /** The picture is the title's poster, because the episode has no still. */
  isPoster: boolean;
  isPlayable: boolean;
};

export const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** The next speed up or down; the same speed at the ends. */
export function nextSpeed(current: number, direction: 1 | -1): number {
  const ordered = direction === 1 ? speeds : [...speeds].reverse();
  return ordered.find((speed) => (speed - current) * direction > 0.001) ?? current;
}

/** The time to resume at; null near the start and near the end. */
export function resumeSeconds(position: number | null, duration: number): number | null {
  if (position === null || position < minResumeSeconds) return null;
  return Number.isFinite(duration) && position > duration * maxResumeShare ? null : position;
}

/**
 * A start time with less than this left is at the film's end: the film was finished, or it is shorter than the film
 * that the resume point came from.
 */
const minSecondsLeft = 5;

/** The start time of a film once its length is known: `time`, or the beginning if `time` is at the film's end. */
export const startWithin = (time: number, duration: number): number =>
  Number.isFinite(duration) && time > duration - minSecondsLeft ? 0 : time;

export type ResumePoint = { position: number; duration: number };

export const startOfMember = (point: ResumePoint | null): number | null =>
  resumeSeconds(point?.position ?? null, point?.duration ?? Number.NaN);

export const clampTime = (time: number, duration: number) =>
  Math.min(Math.max(0, time), Number.isFinite(duration) ? duration : Number.MAX_VALUE);

export function formatClock(seconds: number): string {
  if (!Number.isFinite(seconds)) return "--:--";
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

/** "2 minutes 6 seconds", for screen readers. */
export function spokenTimeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return "unknown";
  const whole = Math.max(0, Math.floor(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor(whole / 60) % 60, "minute"],
    [whole % 60, "second"],
  ];
  const spoken = parts.filter(([count]) => count > 0).map(([count, unit]) => countText(count, unit));
  return spoken.join(" ") || "0 seconds";
}

const segmentNames: Record<SkipSegment["kind"], string> = {
  intro: "intro",
  outro: "ending",
  recap: "recap",
  preview: "preview",
};
export const skipLabel = ({ kind }: SkipSegment) => `Skip ${segmentNames[kind]}`;
export const skippedText = ({ kind }: SkipSegment) => `Skipped the ${segmentNames[kind]}`;

export const segmentAt = (segments: readonly SkipSegment[], time: number) =>
  segments.find(({ start, end }) => time >= start && time < end - 0.5);

/** The opening or ending that the film is in now and had not reached at `before`. */
export const enteredSegment = (segments: readonly SkipSegment[], before: number, now: number) =>
  segments.find(
    ({ kind, start, end }) =>
      (kind === "intro" || kind === "outro") && before < start && start <= now && now < end,
  );

export const endingAt = (segments: readonly SkipSegment[], time: number) =>
  segments.find(({ kind, start, end }) => kind === "outro" && time >= start && time < end);

export const chapterAt = (chapters: readonly Chapter[], time: number) =>
  chapters.findLast(({ start }) => start <= time);

/** Going back within these first seconds of a chapter leads to the chapter before it. */
const backSeconds = 3;

/** The start of the next chapter or, going back, of the current or the previous one. Null if there is none. */
export function chapterStart(chapters: readonly Chapter[], time: number, direction: 1 | -1): Chapter | null {
  const chapter =
    direction === 1
      ? chapters.find(({ start }) => start > time)
      : chapters.findLast(({ start }) => start <= time - backSeconds);
  return chapter ?? (direction === -1 ? (chapters[0] ?? null) : null);
}

export const chapterName = ({ title, start }: Chapter) => title ?? `Chapter at ${formatClock(start)}`;

const sourceTypes: Record<PlayerSource["type"], { mimeType?: string; name: string }> = {
  hls: { mimeType: "application/vnd.apple.mpegurl", name: "a stream" },
  mp4: { mimeType: "video/mp4", name: "an MP4 file" },
  webm: { mimeType: "video/webm", name: "a WebM file" },
  file: { name: "a file" },
};
export const mimeType = ({ type }: Pick<PlayerSource, "type">) => sourceTypes[type].mimeType;

export type Ability = {
  /** hls.js works here, with the codecs that nearly all streams use. */
  feedsHls: boolean;
  /** The browser plays HLS without hls.js. */
  playsHls: boolean;
  canPlayFile(type: string): boolean;
  decodes: Decodes;
};

export const canPlay = (source: PlayerSource, ability: Ability): boolean => {
  if (source.holds && undecodableText(source.holds, ability.decodes) !== null) return false;
  if (source.type === "hls") return ability.feedsHls || ability.playsHls;
  const type = mimeType(source);
  return type === undefined || ability.canPlayFile(type);
};

/**
 * Puts the sources that the browser can play first, each group in the operator's order. A viewer may still try the
 * others.
 */
export const sortByAbility = (sources: readonly PlayerSource[], ability: Ability): PlayerSource[] => [
  ...sources.filter((source) => canPlay(source, ability)),
  ...sources.filter((source) => !canPlay(source, ability)),
];

/** A film of this site is offered twice, as a stream and as its file, so its label says which of them it is. */
export function sourceLabel({ label, language, type, holds }: PlayerSource, index: number): string {
  const name = [label ?? `Source ${index + 1}`, language].filter(Boolean).join(" · ");
  if (!holds) return label === null ? `${name} (${sourceTypes[type].name})` : name;
  const way = type === "hls" ? "as a stream" : "the file itself";
  return `${name} (${[holds.picture?.codecLabel, way].filter(Boolean).join(", ")})`;
}
