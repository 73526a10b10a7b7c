import type { EntryStatus, ScoreFormat } from "#app/domain/library/library.ts";

/**
 * What the sheet of a card offers, as the library offers it. The library's own lists would become a file of their own, which
 * all pages of members would load; a test compares both.
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

/** From the highest, with the stored score among them. */
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
