import { firstOfEach } from "#app/platform/lists.ts";
import type { aliasKinds } from "#db/schema/enumerations.ts";

/**
 * Ranks search results by how well a name fits the typed text, how official the name is, and how popular its title is.
 */

/** How well a name fits the typed text. */
export const fits = {
  /** The name equals the typed text. */
  whole: 1.2,
  /** The typed text is the initials of the name's words. A text without vowels can hardly be anything else. */
  initials: 1,
  initialsLikeAWord: 0.85,
  /** The name begins with the typed words. */
  beginning: 0.8,
  /** The name begins with the typed letters, which are one word. */
  lettersBegun: 0.76,
  /** The name contains the typed words in sequence. */
  words: 0.72,
  /** Like `words`, but the last word may continue. */
  wordsBegun: 0.66,
  /** Several names of the title together contain the typed words, such as an abbreviation and its long form. */
  severalNames: 0.6,
  /** The name begins with the typed letters, but its words are divided differently. */
  otherWords: 0.5,
  /** Words of the name begin with the typed words, in any order. */
  anyOrder: 0.45,
  /** The name contains the typed letters, but no word begins with them. */
  inside: 0.2,
} as const;

/** `similarity` is at most 1. A wrong letter costs more in a short name. */
export const fitOfSimilar = (similarity: number): number => 0.66 * similarity ** 5;

export type Candidate = {
  malId: number;
  /** The name that matched. */
  alias: string;
  kind: (typeof aliasKinds)[number];
  fit: number;
  /** The part of the name that was typed, from 0 to 1. */
  coverage: number;
  members: number | null;
};

const synonymFactor = 0.85;
const coverageWeight = 0.1;
const fameWeight = 0.4;
/** At this number of members, a title's popularity counts in full. */
const mostMembers = 4_000_000;

/** The square root keeps very popular titles from outranking every better match. */
const fameOf = (members: number | null) => Math.min(1, Math.sqrt((members ?? 0) / mostMembers));

const rankOf = ({ fit, kind, coverage, members }: Candidate): number =>
  fit * (kind === "synonym" ? synonymFactor : 1) + coverageWeight * coverage + fameWeight * fameOf(members);

/** Candidates that fit less than half as well as the best name are dropped as noise. */
const minPartOfBestFit = 0.5;

/** The best candidate of each title, with the best title first. */
export function ranked(candidates: readonly Candidate[]): Candidate[] {
  const bestFit = candidates.reduce((best, { fit }) => Math.max(best, fit), 0);
  const byRank = candidates
    .filter(({ fit }) => fit >= minPartOfBestFit * bestFit)
    .map((candidate) => ({ candidate, rank: rankOf(candidate) }))
    .sort((a, b) => b.rank - a.rank || a.candidate.malId - b.candidate.malId)
    .map(({ candidate }) => candidate);
  return firstOfEach(byRank, ({ malId }) => malId);
}
