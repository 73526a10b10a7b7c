import type { scoreFormats } from "#db/schema/enumerations.ts";
import { entryFields } from "./entry-fields.ts";

/** How a member's own scores are shown and chosen. The stored score has ten points and keeps its decimals in every format. */

export type ScoreFormat = (typeof scoreFormats)[number];

const maxScore = entryFields.score.max;
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

/** A mean has a decimal in every format. */
export const meanScoreText = (mean: number, format: ScoreFormat): string =>
  format === "stars" ? `${(mean / pointsPerStar).toFixed(1)} ★` : mean.toFixed(1);

/** Counts the scores that are shown as 1, 2, … in this format. Decimals count as the nearest whole point. */
export function countScores(scores: readonly number[], format: ScoreFormat): number[] {
  const step = stepOf(format);
  const best = maxScore / step;
  const counts = Array.from({ length: best }, () => 0);
  for (const score of scores) {
    const index = Math.min(best, Math.max(1, Math.round(score / step))) - 1;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

const stepOf = (format: ScoreFormat) => (format === "stars" ? pointsPerStar : 1);

/**
 * The choices from the highest to the lowest. They include the stored score, so that saving a form again does not round
 * it.
 */
export function scoreChoices(format: Exclude<ScoreFormat, "decimal">, stored: number | null) {
  const step = stepOf(format);
  const scores = Array.from({ length: maxScore / step }, (_, index) => maxScore - index * step);
  const choices = scores.map((score) => ({ score, text: scoreText(score, format) }));
  if (stored === null) return choices;
  const storedChoice = { score: stored, text: scoreText(stored, format) };
  return [storedChoice, ...choices.filter(({ text }) => text !== storedChoice.text)].sort(
    (one, other) => other.score - one.score,
  );
}
