import { titleSources } from "#db/schema/enumerations.ts";

/** The sources of catalog data, their ranks, and what their terms allow. */

export type TitleSource = (typeof titleSources)[number];

type Terms = {
  /** The source's name, shown to people. */
  label: string;
  /** The source's terms, shown to people. */
  license: string;
  url?: string;
  /** True if the source's texts and picture URLs may be shared. Facts such as dates are free to share. */
  mayShareTexts: boolean;
  /** True if an export may include the source's ids of other sites. */
  mayShareIds: boolean;
  /**
   * True if each record of the source is complete: fields that it lacks are deleted. For other sources, missing fields
   * keep their earlier values.
   */
  hasCompleteRecords?: true;
  /** True if the source sends a title only after a change, so an import does not see its other titles again. */
  sendsOnlyChanges?: true;
};

const open = { mayShareTexts: true, mayShareIds: true };

export const termsOf: Record<TitleSource, Terms> = {
  /** Text that the operator writes belongs to the operator. */
  operator: { ...open, label: "the operator", license: "the operator's own words" },
  /**
   * The operator who imports a file in Engawa's format is responsible for it. Its lines name the texts that may not be
   * shared.
   */
  file: {
    ...open,
    label: "a file that the operator imported",
    license: "the operator who imported the file answers for it",
  },
  /** Another Engawa shares only what its own sources allow. */
  engawa: {
    ...open,
    hasCompleteRecords: true,
    sendsOnlyChanges: true,
    label: "another Engawa",
    license: "only what its own sources allow to pass on",
  },
  /** The texts are MyAnimeList's, whose terms forbid serving them again. */
  jikan: {
    mayShareTexts: false,
    mayShareIds: true,
    label: "MyAnimeList, through Jikan",
    license: "facts only: the texts are MyAnimeList's, and its terms forbid to pass them on",
    url: "https://myanimelist.net/about/terms_of_use",
  },
  /** AniList's terms allow using its API, but forbid collecting and redistributing its answers. */
  anilist: {
    mayShareTexts: false,
    mayShareIds: true,
    label: "AniList",
    license:
      "facts only: the texts and pictures are AniList's, and its terms forbid to collect and pass them on",
    url: "https://docs.anilist.co/guide/terms-of-use",
  },
  /** Open Database License 1.0: share alike, and name the source. */
  "offline-database": {
    ...open,
    label: "anime-offline-database",
    license: "Open Database License (ODbL) 1.0: name the source, and share alike",
    url: "https://github.com/manami-project/anime-offline-database",
  },
  /** Anime-Lists has no license, so none of it may be shared. */
  "anime-lists": {
    mayShareTexts: false,
    mayShareIds: false,
    label: "Anime-Lists",
    license: "no license, so nothing of it is passed on",
    url: "https://github.com/Anime-Lists/anime-lists",
  },
  /** The origin of these values was not recorded. */
  before: {
    mayShareTexts: false,
    mayShareIds: true,
    label: "an import before sources were recorded",
    license: "unknown: texts are not passed on",
  },
  /** These texts were written for this project. */
  starter: { ...open, label: "the starter catalog", license: "MIT, as Engawa itself" },
  /** The authors of the texts and pictures beside a film are unknown. */
  folder: {
    mayShareTexts: false,
    mayShareIds: false,
    label: "files beside the videos",
    license: "unknown: texts are not passed on",
  },
};

const rankOf = new Map<TitleSource, number>(titleSources.map((source, rank) => [source, rank]));

export const byRank = (one: { source: TitleSource }, other: { source: TitleSource }): number =>
  (rankOf.get(one.source) ?? 0) - (rankOf.get(other.source) ?? 0);
