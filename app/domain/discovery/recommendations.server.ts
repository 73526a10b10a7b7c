import { getTitlesById, listSharedTitles } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listBeginnings } from "#app/domain/franchises/franchises.server.ts";
import { getMemberTitles, listBestLiked } from "#app/domain/library/library.server.ts";
import { getProfile } from "#app/domain/profile/profile.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { listSimilarIds } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

/** Titles that can be recommended, before it is known which of them the member knows. */
type Candidates = {
  userId: string;
  request: RecommendationRequest;
  /** The best reason first. */
  similar: SimilarIds[];
  /** Further reasons. Their titles are read only if the member knows too many of the first ones. */
  otherReasons: Reason[];
  /** Used if there are no other recommendations. Read for every member, so that no second query has to follow. */
  ofGenre: Recommendation | null;
};

type Reason = { kind: "liked" | "loved"; malId: number };

/** Titles that are similar to the title of the reason. */
type SimilarIds = { reason: Reason; malIds: readonly number[] };

type RecommendationRequest = {
  viewer: Viewer;
  /** The limit for each recommendation. */
  maxTitles: number;
  minTitles: number;
  limit: number;
};

const maxReasons = 6;

/**
 * Titles similar to what the member liked best, then to their favorite titles, and the most popular ones of their first
 * favorite genre.
 */
export async function listCandidates(userId: string, request: RecommendationRequest): Promise<Candidates> {
  const [liked, profile] = await Promise.all([listBestLiked(userId, maxReasons), getProfile(userId)]);
  const { favoriteAnimes = [], favoriteGenres = [] } = profile.ok ? profile.value : {};
  const reasons: Reason[] = [
    ...liked.map((malId) => ({ kind: "liked" as const, malId })),
    ...favoriteAnimes
      .filter((malId) => !liked.includes(malId))
      .map((malId) => ({ kind: "loved" as const, malId })),
  ].slice(0, maxReasons);
  const genre = genres.find((one) => one === favoriteGenres[0]);
  const [similar, ofGenre] = await Promise.all([
    listSimilarTo(reasons.slice(0, request.limit), request),
    genre === undefined ? null : listPopularOf(genre, request),
  ]);
  return { userId, request, similar, otherReasons: reasons.slice(request.limit), ofGenre };
}

type RecommendationLimits = Pick<RecommendationRequest, "viewer" | "maxTitles">;

const listSimilarTo = (
  reasons: readonly Reason[],
  { viewer, maxTitles }: RecommendationLimits,
): Promise<SimilarIds[]> =>
  Promise.all(
    reasons.map(async (reason) => ({
      reason,
      malIds: await listSimilarIds(reason.malId, 2 * maxTitles, viewer),
    })),
  );

/** The most popular titles are often later parts, so more are read than are shown. */
const maxPopular = 80;

async function listPopularOf(
  genre: Genre,
  { viewer, maxTitles }: RecommendationLimits,
): Promise<Recommendation> {
  const { titles } = await listSharedTitles(
    { filters: { genres: [genre] }, order: "popularity", perPage: maxPopular },
    viewer,
  );
  const ids = titles.map(({ malId }) => malId);
  const beginnings = new Set(await listBeginnings(ids, viewer));
  return {
    because: { kind: "genre", genre },
    titles: titles.filter(({ malId }) => beginnings.has(malId)).slice(0, 2 * maxTitles),
  };
}

/** The ids of all titles in the reasons and among the similar ones. `chooseRecommendations` must be given their titles. */
export const idsOfSimilar = (similar: Candidates["similar"]): number[] =>
  similar.flatMap(({ reason, malIds }) => [reason.malId, ...malIds]);

type KnownTitles = { titles: ReadonlyMap<number, Title>; notToSuggest: ReadonlySet<number> };

/**
 * Chooses the recommendations without titles that must not be suggested to the member, and without repeating a title.
 * If too few recommendations are left, the titles of the other reasons are read too.
 */
export async function chooseRecommendations(
  candidates: Candidates,
  { titles, notToSuggest }: KnownTitles,
): Promise<Recommendation[]> {
  const { request, similar, otherReasons, ofGenre } = candidates;
  const similarTitles = recommendationsOf(similar, titles);
  const first = withoutUnwanted(similarTitles, notToSuggest, request);
  const isEnough = first.length === request.limit || otherReasons.length === 0;
  const chosen = isEnough ? first : await chooseAmongMore(candidates, { similarTitles, notToSuggest });
  return chosen.length > 0 || ofGenre === null ? chosen : withoutUnwanted([ofGenre], notToSuggest, request);
}

async function chooseAmongMore(
  { userId, request, otherReasons }: Candidates,
  { similarTitles, notToSuggest }: { similarTitles: Recommendation[]; notToSuggest: ReadonlySet<number> },
): Promise<Recommendation[]> {
  const more = await listSimilarTo(otherReasons, request);
  const ids = [...new Set(idsOfSimilar(more))];
  const [titles, known] = await Promise.all([
    getTitlesById(ids, request.viewer),
    getMemberTitles(userId, ids),
  ]);
  const moreTitles = recommendationsOf(more, titles);
  const unwanted = new Set([...notToSuggest, ...known.notToSuggest]);
  return withoutUnwanted([...similarTitles, ...moreTitles], unwanted, request);
}

/** Leaves out reasons whose title the viewer may not see. */
const recommendationsOf = (
  similar: readonly SimilarIds[],
  titles: ReadonlyMap<number, Title>,
): Recommendation[] =>
  similar.flatMap(({ reason: { kind, malId }, malIds }) => {
    const title = titles.get(malId);
    return title ? [{ because: { kind, title }, titles: malIds.flatMap((id) => titles.get(id) ?? []) }] : [];
  });

function withoutUnwanted(
  recommendations: readonly Recommendation[],
  notToSuggest: ReadonlySet<number>,
  { minTitles, maxTitles, limit }: RecommendationRequest,
): Recommendation[] {
  const excluded = new Set(notToSuggest);
  const chosen = recommendations.flatMap(({ because, titles }) => {
    const fresh = titles.filter(({ malId }) => !excluded.has(malId)).slice(0, maxTitles);
    if (fresh.length < minTitles) return [];
    for (const { malId } of fresh) excluded.add(malId);
    return [{ because, titles: fresh }];
  });
  return chosen.slice(0, limit);
}
