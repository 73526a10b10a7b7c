import { listSharedTitles, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listBeginnings } from "#app/domain/franchises/franchises.server.ts";
import { getMemberTitles, listBestLiked } from "#app/domain/library/library.server.ts";
import { getProfile } from "#app/domain/profile/profile.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { listSimilarTitles } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

/** Titles that can be recommended, before it is known which of them the member knows. */
export type Candidates = {
  userId: string;
  request: RecommendationRequest;
  /** The best reason first. */
  similar: Recommendation[];
  /** Further reasons. Their titles are read only if the member knows too many of the first ones. */
  otherReasons: Reason[];
  /** Used if there are no other recommendations. Read for every member, so that no second query has to follow. */
  ofGenre: Recommendation | null;
};

type Reason = { kind: "liked" | "loved"; malId: number };

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

const listSimilarTo = async (
  reasons: readonly Reason[],
  limits: RecommendationLimits,
): Promise<Recommendation[]> =>
  (await Promise.all(reasons.map((reason) => findSimilarTo(reason, limits)))).flat();

async function findSimilarTo(
  { kind, malId }: Reason,
  { viewer, maxTitles }: RecommendationLimits,
): Promise<Recommendation[]> {
  const [[title], similar] = await Promise.all([
    listTitlesById([malId], viewer),
    listSimilarTitles(malId, 2 * maxTitles, viewer),
  ]);
  return title ? [{ because: { kind, title }, titles: similar.map((one) => one.title) }] : [];
}

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

export const titlesOf = ({ similar, ofGenre }: Candidates): Title[] =>
  [...similar, ...(ofGenre ? [ofGenre] : [])].flatMap(({ titles }) => titles);

/**
 * Chooses the recommendations without titles that must not be suggested to the member, and without repeating a title.
 * `notToSuggest` covers the titles of `titlesOf`. If too few recommendations are left, the other reasons are read too.
 */
export async function chooseRecommendations(
  candidates: Candidates,
  notToSuggest: ReadonlySet<number>,
): Promise<Recommendation[]> {
  const { request, similar, otherReasons, ofGenre } = candidates;
  const first = withoutUnwanted(similar, notToSuggest, request);
  const isEnough = first.length === request.limit || otherReasons.length === 0;
  const chosen = isEnough ? first : await chooseAmongMore(candidates, notToSuggest);
  return chosen.length > 0 || ofGenre === null ? chosen : withoutUnwanted([ofGenre], notToSuggest, request);
}

async function chooseAmongMore(
  { userId, request, similar, otherReasons }: Candidates,
  notToSuggest: ReadonlySet<number>,
): Promise<Recommendation[]> {
  const more = await listSimilarTo(otherReasons, request);
  const ids = more.flatMap(({ titles }) => titles.map(({ malId }) => malId));
  const known = await getMemberTitles(userId, [...new Set(ids)]);
  return withoutUnwanted([...similar, ...more], new Set([...notToSuggest, ...known.notToSuggest]), request);
}

function withoutUnwanted(
  recommendations: readonly Recommendation[],
  notToSuggest: ReadonlySet<number>,
  { minTitles, maxTitles, limit }: RecommendationRequest,
): Recommendation[] {
  const taken = new Set(notToSuggest);
  const chosen = recommendations.flatMap(({ because, titles }) => {
    const fresh = titles.filter(({ malId }) => !taken.has(malId)).slice(0, maxTitles);
    if (fresh.length < minTitles) return [];
    for (const { malId } of fresh) taken.add(malId);
    return [{ because, titles: fresh }];
  });
  return chosen.slice(0, limit);
}
