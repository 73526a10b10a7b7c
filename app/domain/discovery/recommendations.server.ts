import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { listTitles, listTitlesById, type Viewer } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listRecentlyLiked } from "#app/domain/library/library.server.ts";
import { listSimilarTitles } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

/**
 * Recommends titles similar to the last one that the member finished and liked. Otherwise it uses their first favorite
 * title, and then the most popular titles of their first favorite genre. Null: the member has none of these.
 */
export async function findRecommendation(
  userId: string,
  { viewer, limit }: { viewer: Viewer; limit: number },
): Promise<Recommendation | null> {
  const [[finished], profile] = await Promise.all([listRecentlyLiked(userId, 1), getProfile(userId)]);
  const { favoriteAnimes = [], favoriteGenres = [] } = profile.ok ? profile.value : {};
  for (const [kind, malId] of [
    ["liked", finished],
    ["loved", favoriteAnimes[0]],
  ] as const) {
    if (malId === undefined) continue;
    const [[title], similar] = await Promise.all([
      listTitlesById([malId], viewer),
      listSimilarTitles(malId, limit, viewer),
    ]);
    if (title && similar.length > 0)
      return { because: { kind, title }, titles: similar.map((one) => one.title) };
  }
  const genre = genres.find((one) => one === favoriteGenres[0]);
  if (genre === undefined) return null;
  const { titles } = await listTitles(
    { filters: { genres: [genre] }, order: "popularity", perPage: limit },
    viewer,
  );
  return { because: { kind: "genre", genre }, titles };
}
