import { minutesIn } from "#app/domain/catalog/catalog.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import type { ListStatus } from "./entry.ts";
import { countByType } from "./list-page.ts";

type Entry = {
  type: ListStatus;
  progress: number;
  episodes: number | null;
  rewatchCount: number;
  rewatchProgress: number;
  score: number | null;
  genres: readonly string[];
  duration: string | null;
};

export type ListSummary = {
  counts: { type: ListStatus; count: number }[];
  episodes: number;
  /** Of the episodes whose length is known, with those that were watched again. */
  minutes: number;
  meanScore: number | null;
  /** How many titles have a score of 1, of 2, … of 10; half points count as the next whole one. */
  scores: number[];
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
    minutes: entries.reduce((sum, entry) => sum + minutesOf(entry), 0),
    scores: Array.from(
      { length: 10 },
      (_, index) => scores.filter((score) => scoreStep(score) === index + 1).length,
    ),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    genres: [...byGenre]
      .map(([genre, count]) => ({ genre, count }))
      .sort((a, b) => b.count - a.count || a.genre.localeCompare(b.genre))
      .slice(0, maxGenres),
  };
}

const scoreStep = (score: number) => Math.min(10, Math.max(1, Math.round(score)));

function minutesOf({ progress, episodes, rewatchCount, rewatchProgress, duration }: Entry): number {
  const seen = progress + rewatchCount * (episodes ?? progress) + rewatchProgress;
  return seen * (minutesIn(duration) ?? 0);
}
