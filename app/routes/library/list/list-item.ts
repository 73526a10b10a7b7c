import type { EntryFields, EntryStatus } from "#app/domain/library/library.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";

/** An entry as the page shows it, in a row or as a card. */
export type ListItem = {
  malId: number;
  path: string;
  name: string;
  lang?: "ja";
  drawnIn?: "en";
  titleType: string | null;
  year: number | null;
  episodes: number | null;
  titleScore: number | null;
  status: EntryStatus;
  /** The list status, with the progress. */
  listed: string;
  /** The progress; during a rewatch, the progress of the rewatch. */
  progress: number;
  score: number | null;
  /** In the member's score format. */
  scoreText: string | null;
  /** "Watched again once · Note", and the tags; empty without any. */
  marks: string;
  /** "Adventure · Drama"; shown where the row has room. */
  genres: string;
  /** "Started 3 March 2025" and "Finished …" in lines, or when the entry was added. */
  dates: string;
  /** The link that plays the title where the member continues; null if nothing of it can be played. */
  watch: { label: string; path: string } | null;
};

/** All fields of the entry that is being edited. Rows show some of them. */
export type EntryDetails = { malId: number } & EntryFields;

export const toCard = ({
  titleType,
  titleScore,
  listed,
  score,
  scoreText,
  progress,
  ...item
}: ListItem): CardTitle => ({
  malId: item.malId,
  path: item.path,
  name: item.name,
  ...(item.lang && { lang: item.lang }),
  ...(item.drawnIn && { drawnIn: item.drawnIn }),
  year: item.year,
  episodes: item.episodes,
  type: titleType,
  score: titleScore,
  listed,
  ...(score !== null && scoreText !== null && { ownScore: scoreText, ownPoints: score }),
  ...(progress > 0 && { seen: progress }),
});
