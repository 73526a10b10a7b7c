import { listStatuses } from "#db/schema/enumerations.ts";
import type { ListStatus } from "./entry.ts";
import { countByType } from "./list-page.ts";

type Entry = { type: ListStatus; progress: number; score: number | null; genres: readonly string[] };

export type ListSummary = {
  counts: { type: ListStatus; count: number }[];
  episodes: number;
  meanScore: number | null;
  genres: { genre: string; count: number }[];
};

const maxGenres = 8;

export function summarizeList(entries: readonly Entry[]): ListSummary {
  const scores = entries.flatMap(({ score }) => (score === null ? [] : [score]));
  const counts = countByType(entries);
  const byGenre = new Map<string, number>();
  for (const { genres } of entries)
    for (const genre of genres) byGenre.set(genre, (byGenre.get(genre) ?? 0) + 1);
  return {
    counts: listStatuses.map((type) => ({ type, count: counts[type] })),
    episodes: entries.reduce((sum, { progress }) => sum + progress, 0),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    genres: [...byGenre]
      .map(([genre, count]) => ({ genre, count }))
      .sort((a, b) => b.count - a.count || a.genre.localeCompare(b.genre))
      .slice(0, maxGenres),
  };
}
