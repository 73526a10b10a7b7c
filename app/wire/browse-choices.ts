import type { AiringStatus, RatingCode } from "#app/domain/catalog/catalog.ts";

/** The parts of the filter form that the browser needs. browse-query.server.ts reads and writes the addresses. */

/** The slug of a name in an address: "Sci-Fi" becomes `sci-fi`. */
export const slugOfName = (name: string) => name.toLowerCase().replace(/[^a-z0-9+]+/g, "-");

export const sortLabels = {
  popular: "Most popular",
  score: "Best rated",
  newest: "Newest",
  title: "Title A–Z",
  "title-desc": "Title Z–A",
  "score-asc": "Worst rated",
  relevance: "Best match",
} as const;
export type Sort = keyof typeof sortLabels;

/** Airing statuses by their slug in an address. */
export const statuses = {
  airing: { status: "Currently Airing", label: "Airing now" },
  finished: { status: "Finished Airing", label: "Finished" },
  upcoming: { status: "Not yet aired", label: "Upcoming" },
} as const satisfies Record<string, { status: AiringStatus; label: string }>;

/** The labels of the filter, shorter than the catalog's. */
export const ratingChoices: Record<RatingCode, string> = {
  g: "G · all ages",
  pg: "PG · children",
  "pg-13": "PG-13 · teens",
  r: "R · 17 and older",
  "r+": "R+ · mild nudity",
  rx: "Rx · adults",
};
