import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { listSharedTitles, listSharedTitlesById, type Viewer } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listBestLiked } from "#app/domain/library/library.server.ts";
import { listSimilarTitles } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

/** What may be recommended, before anything is known of what the member thinks of these titles. */
export type Candidates = {
  /** The best reason first. */
  similar: Recommendation[];
  /** For a member of whom nothing else is known. Read for each member, so that one question is enough. */
  ofGenre: Recommendation | null;
};

type Wanted = {
  /** Of each recommendation. */
  maxTitles: number;
  minTitles: number;
  limit: number;
};

/** More than are shown, because some have too few similar titles that the member does not know. */
const maxReasons = 6;

/**
 * Titles similar to what the member liked best, then to their favorite titles, and the most popular of their first favorite
 * genre.
 */
export async function listCandidates(
  userId: string,
  { viewer, maxTitles }: { viewer: Viewer; maxTitles: number },
): Promise<Candidates> {
  const [liked, profile] = await Promise.all([listBestLiked(userId, maxReasons), getProfile(userId)]);
  const { favoriteAnimes = [], favoriteGenres = [] } = profile.ok ? profile.value : {};
  const reasons = [
    ...liked.map((malId) => ({ kind: "liked" as const, malId })),
    ...favoriteAnimes
      .filter((malId) => !liked.includes(malId))
      .map((malId) => ({ kind: "loved" as const, malId })),
  ].slice(0, maxReasons);
  const genre = genres.find((one) => one === favoriteGenres[0]);
  const [found, ofGenre] = await Promise.all([
    Promise.all(reasons.map((reason) => listSimilarTo(reason, { viewer, maxTitles }))),
    genre === undefined ? null : listPopularOf(genre, { viewer, maxTitles }),
  ]);
  return { similar: found.flat(), ofGenre };
}

type Given = { viewer: Viewer; maxTitles: number };

async function listSimilarTo(
  { kind, malId }: { kind: "liked" | "loved"; malId: number },
  { viewer, maxTitles }: Given,
): Promise<Recommendation[]> {
  const [[title], similar] = await Promise.all([
    listSharedTitlesById([malId], viewer),
    listSimilarTitles(malId, 2 * maxTitles, viewer),
  ]);
  return title ? [{ because: { kind, title }, titles: similar.map((one) => one.title) }] : [];
}

async function listPopularOf(genre: Genre, { viewer, maxTitles }: Given): Promise<Recommendation> {
  const { titles } = await listSharedTitles(
    { filters: { genres: [genre] }, order: "popularity", perPage: 2 * maxTitles },
    viewer,
  );
  return { because: { kind: "genre", genre }, titles };
}

export const titlesOf = ({ similar, ofGenre }: Candidates): Title[] =>
  [...similar, ...(ofGenre ? [ofGenre] : [])].flatMap(({ titles }) => titles);

/** No title is in two recommendations, and none is one that the member knows. */
export function chooseRecommendations(
  { similar, ofGenre }: Candidates,
  known: ReadonlySet<number>,
  wanted: Wanted,
): Recommendation[] {
  const chosen = withoutKnown(similar, known, wanted);
  return chosen.length > 0 || ofGenre === null ? chosen : withoutKnown([ofGenre], known, wanted);
}

function withoutKnown(
  recommendations: readonly Recommendation[],
  known: ReadonlySet<number>,
  { minTitles, maxTitles, limit }: Wanted,
): Recommendation[] {
  const taken = new Set(known);
  const chosen = recommendations.flatMap(({ because, titles }) => {
    const fresh = titles.filter(({ malId }) => !taken.has(malId)).slice(0, maxTitles);
    if (fresh.length < minTitles) return [];
    for (const { malId } of fresh) taken.add(malId);
    return [{ because, titles: fresh }];
  });
  return chosen.slice(0, limit);
}
