import { titleSources } from "#db/schema/enumerations.ts";

/** The sources of facts about titles, their ranks, and what their terms allow. */

export type TitleSource = (typeof titleSources)[number];

type Terms = {
  /** Whether an export may hold the source's texts. Facts such as dates and names are nobody's. */
  mayShareTexts: boolean;
  /** Whether an export may hold the source's ids of other sites. */
  mayShareIds: boolean;
};

const open: Terms = { mayShareTexts: true, mayShareIds: true };

export const termsOf: Record<TitleSource, Terms> = {
  /** What the operator writes is the operator's own. */
  operator: open,
  /** The operator who imports a file in Engawa's format answers for it. Its lines name texts that may not be shared. */
  file: open,
  /** The texts are those of MyAnimeList, whose terms forbid to serve them again. */
  jikan: { mayShareTexts: false, mayShareIds: true },
  /** Open Database License 1.0: share alike, and name the source. */
  "offline-database": open,
  /** It has no license, so nothing of it may be given away. */
  "anime-lists": { mayShareTexts: false, mayShareIds: false },
  /** Nobody knows any more where it came from. */
  before: { mayShareTexts: false, mayShareIds: true },
  /** The texts were written for this project. */
  starter: open,
};

const rankOf = new Map<TitleSource, number>(titleSources.map((source, rank) => [source, rank]));

export const byRank = (one: { source: TitleSource }, other: { source: TitleSource }): number =>
  (rankOf.get(one.source) ?? 0) - (rankOf.get(other.source) ?? 0);
