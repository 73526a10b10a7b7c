import { titleSources } from "#db/schema/enumerations.ts";

/** The sources of facts about titles, their ranks, and what their terms allow. */

export type TitleSource = (typeof titleSources)[number];

type Terms = {
  /** The source's name for people. */
  label: string;
  /** What the source allows, for people. */
  license: string;
  url?: string;
  /** Whether others may get the source's texts and the addresses of its pictures. Facts such as dates are nobody's. */
  mayShareTexts: boolean;
  /** Whether an export may hold the source's ids of other sites. */
  mayShareIds: boolean;
  /** Whether each word of it says all that it knows of a title. Of the others, what they leave out stays as it was. */
  saysAll?: true;
};

const open = { mayShareTexts: true, mayShareIds: true };

export const termsOf: Record<TitleSource, Terms> = {
  /** What the operator writes is the operator's own. */
  operator: { ...open, label: "the operator", license: "the operator's own words" },
  /** The operator who imports a file in Engawa's format answers for it. Its lines name texts that may not be shared. */
  file: {
    ...open,
    label: "a file of the operator",
    license: "the operator who imported the file answers for it",
  },
  /** Another Engawa gives away only what its own sources allow. */
  engawa: {
    ...{ ...open, saysAll: true, label: "another Engawa" },
    license: "only what its own sources allow to pass on",
  },
  /** The texts are those of MyAnimeList, whose terms forbid to serve them again. */
  jikan: {
    ...{ mayShareTexts: false, mayShareIds: true, label: "MyAnimeList, through Jikan" },
    license: "facts only: the texts are MyAnimeList's, and its terms forbid to pass them on",
    url: "https://myanimelist.net/about/terms_of_use",
  },
  /** Open Database License 1.0: share alike, and name the source. */
  "offline-database": {
    ...{ ...open, label: "anime-offline-database" },
    license: "Open Database License (ODbL) 1.0: name the source, and share alike",
    url: "https://github.com/manami-project/anime-offline-database",
  },
  /** It has no license, so nothing of it may be given away. */
  "anime-lists": {
    ...{ mayShareTexts: false, mayShareIds: false, label: "Anime-Lists" },
    license: "no license, so nothing of it is passed on",
    url: "https://github.com/Anime-Lists/anime-lists",
  },
  /** Nobody knows any more where it came from. */
  before: {
    ...{ mayShareTexts: false, mayShareIds: true, label: "an import before sources were recorded" },
    license: "unknown: texts are not passed on",
  },
  /** The texts were written for this project. */
  starter: { ...open, label: "the starter catalog", license: "MIT, as Engawa itself" },
};

const rankOf = new Map<TitleSource, number>(titleSources.map((source, rank) => [source, rank]));

export const byRank = (one: { source: TitleSource }, other: { source: TitleSource }): number =>
  (rankOf.get(one.source) ?? 0) - (rankOf.get(other.source) ?? 0);
