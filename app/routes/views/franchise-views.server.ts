import type { NextStep } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround, FranchisePlace } from "#app/domain/franchises/franchises.server.ts";
import { type FranchiseMark, findNextPart, maySkip } from "#app/domain/franchises/franchises.ts";
import type { TitleEntries } from "#app/domain/library/library.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

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

/** "Part 3 of 6", or the kind of a title beside the main line and why it may be skipped. */
export function franchisePlaceText(
  { own, mainParts, summed }: Pick<FranchiseAround, "own" | "mainParts" | "summed">,
  language: TitleLanguage,
): string {
  if (own.mainPart !== null) return mainParts === 1 ? "Main title" : `Part ${own.mainPart} of ${mainParts}`;
  if (own.summary === null) return maySkip(own) ? `${partLabel(own)}, may be skipped` : partLabel(own);
  const of = summed === null ? null : nameIn(summed, language).name;
  return `${summaryText(own.summary, of)}, may be skipped`;
}

/** "Summary of episodes 1 to 12 of Cowboy Bebop" */
export function summaryText(
  { untilEpisode }: NonNullable<FranchisePlace["summary"]>,
  of: string | null = null,
): string {
  const text = untilEpisode === null ? "Summary" : `Summary of episodes 1 to ${untilEpisode}`;
  return of === null ? text : `${text} of ${of}`;
}

type Own = { listed: TitleEntries; steps: ReadonlyMap<number, NextStep> };

/** The next part of the franchise that the member has not seen. A title can be finished without being on the list. */
export function nextPartFor(
  places: readonly Pick<FranchisePlace, "malId" | "mark" | "airsFrom" | "toldBy">[],
  { listed, steps }: Own,
): number | null {
  const entries = new Map<number, { type: string; state: string | null }>(listed);
  for (const { malId } of places)
    if (steps.get(malId)?.isFinished) entries.set(malId, { type: "Completed", state: null });
  return findNextPart(places, entries);
}
