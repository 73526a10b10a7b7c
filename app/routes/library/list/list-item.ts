import type { ListStatus } from "#app/domain/library/library.ts";
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
  type: ListStatus;
  progress: number;
  score: number | null;
};

export const toCard = ({ titleType, rating, type, progress, ...item }: ListItem): CardTitle => ({
  ...item,
  type: titleType,
  score: rating,
  listed: type,
  ...(progress > 0 && { seen: progress }),
});
