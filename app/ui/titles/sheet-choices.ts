import type { EntryStatus, ScoreFormat } from "#app/domain/library/library.ts";

/**
 * The statuses and scores that the sheet of a card offers. They copy the library's lists, which would become a separate
 * file that all member pages load. A test compares both.
 */

export const statusLabels: Record<EntryStatus, string> = {
  Watching: "Watching",
  rewatching: "Rewatching",
  on_hold: "On hold",
  "To Watch": "To Watch",
  Completed: "Completed",
  dropped: "Dropped",
  Collection: "Collection",
};

const pointsPerStar = 2;

/** The scores from the highest to the lowest, including the stored score. */
export function scoresToChoose(format: Exclude<ScoreFormat, "decimal">, stored: number | undefined) {
  const isStars = format === "stars";
  const text = (points: number) => (isStars ? `${Math.round(points / pointsPerStar)} ★` : `${points}`);
  const choices = (isStars ? [10, 8, 6, 4, 2] : [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).filter(
    (points) => stored === undefined || text(points) !== text(stored),
  );
  return [...choices, ...(stored === undefined ? [] : [stored])]
    .sort((one, other) => other - one)
    .map((points) => [points, text(points)] as const);
}
