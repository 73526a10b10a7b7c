import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { listSharedTitles, listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { type Genre, genres, type Title } from "#app/domain/catalog/catalog.ts";
import { listBestLiked, listOpinions } from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { listSimilarTitles } from "./similar.server.ts";

export type Recommendation = {
  because: { kind: "liked" | "loved"; title: Title } | { kind: "genre"; genre: Genre };
  titles: Title[];
};

/** What may be recommended, before anything is known of what the member thinks of these titles. */
export type Candidates = {
  userId: string;
  wanted: Wanted;
  /** The best reason first. */
  similar: Recommendation[];
  /** Reasons after these, whose titles are looked for only if the member knows too many of the first ones. */
  otherReasons: Reason[];
  /** For a member of whom nothing else is known. Read for each member, so that one question is enough. */
  ofGenre: Recommendation | null;
};

type Reason = { kind: "liked" | "loved"; malId: number };

type Wanted = {
  viewer: Viewer;
  /** Of each recommendation. */
  maxTitles: number;
  minTitles: number;
  limit: number;
};

const maxReasons = 6;

/**
 * Titles similar to what the member liked best, then to their favorite titles, and the most popular of their first favorite
 * genre.
 */
export async function listCandidates(userId: string, wanted: Wanted): Promise<Candidates> {
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
    listSimilarTo(reasons.slice(0, wanted.limit), wanted),
    genre === undefined ? null : listPopularOf(genre, wanted),
  ]);
  return { userId, wanted, similar, otherReasons: reasons.slice(wanted.limit), ofGenre };
}

type Given = Pick<Wanted, "viewer" | "maxTitles">;

const listSimilarTo = async (reasons: readonly Reason[], given: Given): Promise<Recommendation[]> =>
  (await Promise.all(reasons.map((reason) => findSimilarTo(reason, given)))).flat();

async function findSimilarTo(
  { kind, malId }: Reason,
  { viewer, maxTitles }: Given,
): Promise<Recommendation[]> {
  const [[title], similar] = await Promise.all([
    listTitlesById([malId], viewer),
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

/**
 * No title is in two recommendations, and none is one that the member knows. `known` are those of `titlesOf`. The other reasons
 * are asked for here if too few titles are left.
 */
export async function chooseRecommendations(
  candidates: Candidates,
  known: ReadonlySet<number>,
): Promise<Recommendation[]> {
  const { wanted, similar, otherReasons, ofGenre } = candidates;
  const first = withoutKnown(similar, known, wanted);
  const isEnough = first.length === wanted.limit || otherReasons.length === 0;
  const chosen = isEnough ? first : await chooseAmongMore(candidates, known);
  return chosen.length > 0 || ofGenre === null ? chosen : withoutKnown([ofGenre], known, wanted);
}

async function chooseAmongMore(
  { userId, wanted, similar, otherReasons }: Candidates,
  known: ReadonlySet<number>,
): Promise<Recommendation[]> {
  const more = await listSimilarTo(otherReasons, wanted);
  const ids = more.flatMap(({ titles }) => titles.map(({ malId }) => malId));
  const opinions = await listOpinions(userId, [...new Set(ids)]);
  return withoutKnown([...similar, ...more], new Set([...known, ...opinions.known]), wanted);
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
