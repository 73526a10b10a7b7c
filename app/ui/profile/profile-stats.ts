import { type CollectionType, collectionTypes } from "#app/domain/library/library.ts";

/** What a list says about its owner, in numbers. */
type Entry = { type: CollectionType; progress: number; score: number | null; genres: readonly string[] };
export type ProfileStats = {
  counts: { type: CollectionType; count: number }[];
  episodes: number;
  meanScore: number | null;
  genres: { genre: string; count: number }[];
};

const genresShown = 8;

export function profileStats(entries: readonly Entry[]): ProfileStats {
  const scores = entries.flatMap(({ score }) => (score === null ? [] : [score]));
  const byGenre = new Map<string, number>();
  for (const { genres } of entries)
    for (const genre of genres) byGenre.set(genre, (byGenre.get(genre) ?? 0) + 1);
  return {
    counts: collectionTypes.map((type) => ({
      type,
      count: entries.filter((entry) => entry.type === type).length,
    })),
    episodes: entries.reduce((sum, { progress }) => sum + progress, 0),
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    genres: [...byGenre]
      .map(([genre, count]) => ({ genre, count }))
      .sort((a, b) => b.count - a.count || a.genre.localeCompare(b.genre))
      .slice(0, genresShown),
  };
}
