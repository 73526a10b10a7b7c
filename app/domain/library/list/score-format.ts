import type { scoreFormats } from "#db/schema/enumerations.ts";
import { maxScore } from "./entry.ts";

/** How a member's own scores are shown and chosen. The stored score has ten points and keeps its decimals in every format. */

export type ScoreFormat = (typeof scoreFormats)[number];

const pointsPerStar = 2;

export function scoreText(score: number, format: ScoreFormat): string {
  switch (format) {
    case "whole":
      return `${score}`;
    case "decimal":
      return score.toFixed(1);
    case "stars":
      return `${Math.round(score / pointsPerStar)} ★`;
  }
}

type ScoreChoice = { score: number; text: string };

/** From the highest. The stored score is among them, so that saving a form again does not round it. */
export function scoreChoices(format: Exclude<ScoreFormat, "decimal">, stored: number | null): ScoreChoice[] {
  const step = format === "stars" ? pointsPerStar : 1;
  const scores = Array.from({ length: maxScore / step }, (_, index) => maxScore - index * step);
  const choices = scores.map((score) => ({ score, text: scoreText(score, format) }));
  if (stored === null) return choices;
  const own = { score: stored, text: scoreText(stored, format) };
  return [own, ...choices.filter(({ text }) => text !== own.text)].sort(
    (one, other) => other.score - one.score,
  );
}
