import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { listSharedTitles, listTitlesById, type Viewer } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listBestLiked, listOpinions } from "#app/domain/library/library.server.ts";
import { listSimilarTitles } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

type Asked = {
  viewer: Viewer;
  /** Of each recommendation. */
  maxTitles: number;
  minTitles: number;
  limit: number;
};

/** More than are shown, because some have too few similar titles that the member does not know. */
const maxReasons = 6;

/**
 * Titles similar to what the member liked best, then to their favorite titles, and if there are none, the most popular of
 * their first favorite genre. No title is in two recommendations, and none is listed, seen or dismissed.
 */
export async function listRecommendations(userId: string, asked: Asked): Promise<Recommendation[]> {
  const { viewer, minTitles, maxTitles, limit } = asked;
  const [liked, profile] = await Promise.all([listBestLiked(userId, maxReasons), getProfile(userId)]);
  const { favoriteAnimes = [], favoriteGenres = [] } = profile.ok ? profile.value : {};
  const reasons = [
    ...liked.map((malId) => ({ kind: "liked" as const, malId })),
    ...favoriteAnimes
      .filter((malId) => !liked.includes(malId))
      .map((malId) => ({ kind: "loved" as const, malId })),
  ].slice(0, maxReasons);
  const found = await Promise.all(
    reasons.map(async ({ kind, malId }) => {
      const [[title], similar] = await Promise.all([
        listTitlesById([malId], viewer),
        listSimilarTitles(malId, 2 * maxTitles, viewer),
      ]);
      return title ? [{ because: { kind, title }, titles: similar.map((one) => one.title) }] : [];
    }),
  );
  const chosen = await withoutKnown(userId, found.flat(), asked);
  const genre = genres.find((one) => one === favoriteGenres[0]);
  if (chosen.length > 0 || genre === undefined) return chosen.slice(0, limit);
  const { titles } = await listSharedTitles(
    { filters: { genres: [genre] }, order: "popularity", perPage: 2 * maxTitles },
    viewer,
  );
  return withoutKnown(userId, [{ because: { kind: "genre", genre }, titles }], { minTitles, maxTitles });
}

async function withoutKnown(
  userId: string,
  recommendations: readonly Recommendation[],
  { minTitles, maxTitles }: Pick<Asked, "minTitles" | "maxTitles">,
): Promise<Recommendation[]> {
  const ids = recommendations.flatMap(({ titles }) => titles.map(({ malId }) => malId));
  const opinions = await listOpinions(userId, [...new Set(ids)]);
  const known = new Set(opinions.known);
  return recommendations.flatMap(({ because, titles }) => {
    const fresh = titles.filter(({ malId }) => !known.has(malId)).slice(0, maxTitles);
    if (fresh.length < minTitles) return [];
    for (const { malId } of fresh) known.add(malId);
    return [{ because, titles: fresh }];
  });
}
