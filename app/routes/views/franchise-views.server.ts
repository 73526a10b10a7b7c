import type { FranchisePlace } from "#app/domain/franchises/franchises.server.ts";
import type { FranchiseMark } from "#app/domain/franchises/franchises.ts";

/** Texts about the parts of a franchise, for the pages of titles and of franchises. */

const labels: Record<Exclude<FranchiseMark, "main" | "summary">, string> = {
  side_story: "Side story",
  special: "Special",
  movie: "Movie",
  alternative: "Other version",
  spin_off: "Spin-off",
};

/** "Part 3", or the kind of a title beside the main line. */
export function partLabel({ mark, mainPart }: Pick<FranchisePlace, "mark" | "mainPart">): string {
  if (mainPart !== null) return `Part ${mainPart}`;
  return mark === "main" || mark === "summary" ? "Summary" : labels[mark];
}

/** "Summary of episodes 1 to 12" */
export function summaryText({ untilEpisode }: NonNullable<FranchisePlace["summary"]>): string {
  return untilEpisode === null ? "Summary" : `Summary of episodes 1 to ${untilEpisode}`;
}
