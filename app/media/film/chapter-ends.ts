import type { Chapter } from "./inspection.ts";

/** Null: the film does not say when the chapter ends. */
export type ChapterStart = { title: string | null; start: number; end: number | null };

/** A chapter without an end lasts until the next one begins. */
export function withEnds(found: readonly ChapterStart[], durationSeconds: number | null): Chapter[] {
  const starts = [...found].sort((one, other) => one.start - other.start);
  return starts.map((chapter, index) => {
    const end = chapter.end ?? starts[index + 1]?.start ?? durationSeconds ?? chapter.start;
    return { ...chapter, end: Math.max(end, chapter.start) };
  });
}
