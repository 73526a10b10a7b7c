import { type Genre, genres, matureGenres } from "#app/domain/catalog/catalog.ts";

/** What the filter form needs to know in the browser; the rest of a browse address is the server's to read. */

/** "Sci-Fi" is `sci-fi` in an address. */
export const wordOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9+]+/g, "-");

export const sorts = {
  popular: "Most popular",
  score: "Best rated",
  newest: "Newest",
  title: "Title A–Z",
  "title-desc": "Title Z–A",
  "score-asc": "Worst rated",
  relevance: "Best match",
} as const;
export type Sort = keyof typeof sorts;

/** What the filters offer: names of what is hidden would only lead to nothing. */
export const genresShown = (showsMature: boolean): readonly Genre[] =>
  showsMature ? genres : genres.filter((genre) => !(matureGenres as readonly Genre[]).includes(genre));
