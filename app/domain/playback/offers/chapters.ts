import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import type { Chapter } from "#app/media/film/inspection.ts";

/** Finds the chapters that a viewer may want to skip. The chapter before the opening ("Avant") is part of the story. */

const opening = /^(?:op(?:\s*\d+)?|opening(?:\s.*)?|オープニング)$/i;
const ending = /^(?:ed(?:\s*\d+)?|ending(?:\s.*)?|(?:end\s*)?credits|エンディング)$/i;
const intro = /^intro(?:duction)?$/i;

const minSkipSeconds = 20;
const maxSkipSeconds = 180;
/** "Intro" can mean the opening or the scene before it, so its length decides. */
const minIntroSeconds = 60;
const maxIntroSeconds = 120;

export function skipSegmentsOf(chapters: readonly Chapter[]): SkipSegment[] {
  const hasOpening = chapters.some(({ title }) => opening.test(title?.trim() ?? ""));
  return chapters.flatMap(({ title, start, end }): SkipSegment[] => {
    const name = title?.trim() ?? "";
    const length = end - start;
    if (length < minSkipSeconds || length > maxSkipSeconds) return [];
    if (opening.test(name)) return [{ kind: "intro", start, end }];
    if (ending.test(name)) return [{ kind: "outro", start, end }];
    const isOpening = intro.test(name) && length >= minIntroSeconds && length <= maxIntroSeconds;
    return isOpening && !hasOpening ? [{ kind: "intro", start, end }] : [];
  });
}
