import type { tagKinds } from "#db/schema/enumerations.ts";

/** MyAnimeList's numbers of genres, themes and demographics, for sources that provide only names. */

export type TagKind = (typeof tagKinds)[number];
export type Tag = { kind: TagKind; malId: number; name: string };

/** Numbers from here on are assigned by us. MyAnimeList's numbers are far lower. */
export const firstOwnNumber = 1_000_000;

/** The lists of a title's tags, with the kind of tag in each. */
export const kindsOfTagLists = {
  genres: "genre",
  themes: "theme",
  demographics: "demographic",
  studios: "producer",
  producers: "producer",
  licensors: "producer",
} as const satisfies Record<string, TagKind>;

type Facts = readonly (readonly [malId: number, name: string])[];

const genres: Facts = [
  [1, "Action"],
  [2, "Adventure"],
  [4, "Comedy"],
  [5, "Avant Garde"],
  [7, "Mystery"],
  [8, "Drama"],
  [9, "Ecchi"],
  [10, "Fantasy"],
  [12, "Hentai"],
  [14, "Horror"],
  [22, "Romance"],
  [24, "Sci-Fi"],
  [26, "Girls Love"],
  [28, "Boys Love"],
  [30, "Sports"],
  [36, "Slice of Life"],
  [37, "Supernatural"],
  [41, "Suspense"],
  [46, "Award Winning"],
  [47, "Gourmet"],
  [49, "Erotica"],
];
const demographics: Facts = [
  [15, "Kids"],
  [25, "Shoujo"],
  [27, "Shounen"],
  [42, "Seinen"],
  [43, "Josei"],
];
const themes: Facts = [
  [3, "Racing"],
  [6, "Mythology"],
  [11, "Strategy Game"],
  [13, "Historical"],
  [17, "Martial Arts"],
  [18, "Mecha"],
  [19, "Music"],
  [20, "Parody"],
  [21, "Samurai"],
  [23, "School"],
  [29, "Space"],
  [31, "Super Power"],
  [32, "Vampire"],
  [35, "Harem"],
  [38, "Military"],
  [39, "Detective"],
  [40, "Psychological"],
  [48, "Workplace"],
  [50, "Adult Cast"],
  [51, "Anthropomorphic"],
  [52, "CGDCT"],
  [53, "Childcare"],
  [54, "Combat Sports"],
  [55, "Delinquents"],
  [56, "Educational"],
  [57, "Gag Humor"],
  [58, "Gore"],
  [59, "High Stakes Game"],
  [60, "Idols (Female)"],
  [61, "Idols (Male)"],
  [62, "Isekai"],
  [63, "Iyashikei"],
  [64, "Love Polygon"],
  [65, "Magical Sex Shift"],
  [66, "Mahou Shoujo"],
  [67, "Medical"],
  [68, "Organized Crime"],
  [69, "Otaku Culture"],
  [70, "Performing Arts"],
  [71, "Pets"],
  [72, "Reincarnation"],
  [73, "Reverse Harem"],
  [74, "Love Status Quo"],
  [75, "Showbiz"],
  [76, "Survival"],
  [77, "Team Sports"],
  [78, "Time Travel"],
  [79, "Video Game"],
  [80, "Visual Arts"],
  [81, "Crossdressing"],
  [82, "Urban Fantasy"],
  [83, "Villainess"],
];

const tagsOf = (kind: TagKind, facts: Facts): Tag[] => facts.map(([malId, name]) => ({ kind, malId, name }));
export const tagFacts: readonly Tag[] = [
  ...tagsOf("genre", genres),
  ...tagsOf("theme", themes),
  ...tagsOf("demographic", demographics),
];
