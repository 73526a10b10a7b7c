import type { EntryStatus } from "#app/domain/library/library.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";

/** An entry as the page shows it, in a row or as a card. */
export type ListItem = {
  malId: number;
  path: string;
  name: string;
  lang?: "ja";
  titleType: string | null;
  year: number | null;
  episodes: number | null;
  rating: number | null;
  status: EntryStatus;
  statusLabel: string;
  /** Of the rewatch, while one lasts. */
  progress: number;
  rewatchCount: number;
  score: number | null;
  tags: readonly string[];
  hasNote: boolean;
  /** The next episode, if it can be watched. */
  nextEpisode: number | null;
};

/** The fields of the entry that is being edited, which no other entry shows. */
export type EntryDetails = {
  malId: number;
  notes: string;
  tags: readonly string[];
  rewatchCount: number;
  startedOn: string | null;
  finishedOn: string | null;
};

export const toCard = ({
  titleType,
  rating,
  statusLabel,
  score,
  progress,
  ...item
}: ListItem): CardTitle => ({
  malId: item.malId,
  path: item.path,
  name: item.name,
  ...(item.lang && { lang: item.lang }),
  year: item.year,
  episodes: item.episodes,
  type: titleType,
  score: rating,
  listed: statusLabel,
  ...(score !== null && { ownScore: score }),
  ...(progress > 0 && { seen: progress }),
});
