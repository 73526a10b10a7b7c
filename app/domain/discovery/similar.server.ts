import { sql } from "drizzle-orm";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { listBeginnings } from "#app/domain/franchises/franchises.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { genres as genreNames } from "#db/schema/enumerations.ts";
import { watchList } from "#db/schema/library.ts";

/**
 * Finds titles that are similar to another, each with a reason: members have both on their lists, a third title is
 * related to both, or they share themes, a studio or genres. Only titles that begin a story are listed, no sequels.
 */

export type SimilarTitle = { title: Title; reason: string };

type Candidate = {
  mal_id: number;
  viewers: number;
  between: string | null;
  studio: string | null;
  themes: string[];
  genre_bits: number;
};

/** The number of most popular titles with a common genre that are compared. */
const maxCompared = 2000;
/** Most titles belong to a franchise, and only the beginning of each is shown. */
const maxCandidates = 150;
const maxSimilar = 60;

type Similar = { malId: number; reason: string };

/**
 * Cached, because one comparison takes the database longer than the rest of a page, and the home pages of a hundred
 * members need hundreds of them.
 */
const similarLists = cachePerVersion<readonly Similar[]>(2000, minutes(30));

export async function listSimilarTitles(
  malId: number,
  limit: number,
  viewer: Viewer,
): Promise<SimilarTitle[]> {
  const chosen = (await listSimilar(malId, viewer)).slice(0, limit);
  const shown = await listTitlesById(malIdsOf(chosen), viewer);
  const reasons = new Map(chosen.map((one) => [one.malId, one.reason]));
  return shown.map((title) => ({ title, reason: reasons.get(title.malId) ?? "" }));
}

/** The ids of the most similar titles. */
export const listSimilarIds = async (malId: number, limit: number, viewer: Viewer): Promise<number[]> =>
  malIdsOf((await listSimilar(malId, viewer)).slice(0, limit));

const listSimilar = (malId: number, viewer: Viewer) =>
  similarLists(`${viewerKey(viewer)} ${malId}`, () => readSimilar(malId, viewer));

async function readSimilar(malId: number, viewer: Viewer): Promise<readonly Similar[]> {
  const candidates = await compare(malId, viewer);
  const ids = candidates.map((one) => one.mal_id);
  const beginnings = new Set(await listBeginnings(ids, viewer, malId));
  return candidates
    .filter((one) => beginnings.has(one.mal_id))
    .slice(0, maxSimilar)
    .map((one) => ({ malId: one.mal_id, reason: reasonOf(one) }));
}

/** Only the members who changed their entry last are counted, to keep the query fast on popular titles. */
const maxSampledMembers = 300;
/** With fewer members, the two titles can be on the same lists by chance. */
const minSharedMembers = 3;

const isLiked = sql`type <> 'To Watch' and state is distinct from 'dropped' and coalesce(score, 10) >= 6`;

/**
 * The lateral join finds each title by its id. Otherwise the planner would read the whole table for two thousand
 * titles. Most titles have no theme and no studio in common, so `&&` is checked first: it costs less than an
 * intersection.
 */
const compare = async (malId: number, viewer: Viewer): Promise<readonly Candidate[]> =>
  await db.execute<Candidate>(sql`
      with own as (
        select genre_bits, themes, studios, studio_keys, demographics, type from ${titles} where mal_id = ${malId}
      ), related as (
        select related_id as mal_id from ${titleRelations} where mal_id = ${malId}
        union select mal_id from ${titleRelations} where related_id = ${malId}
      ), connected as (
        select far.related_id as mal_id, min(near.title) as between
        from related join ${titles} near on near.mal_id = related.mal_id and ${visibleTo(viewer, "near")}
        join ${titleRelations} far on far.mal_id = related.mal_id
        group by far.related_id
      ), viewers as (
        select user_id from ${watchList}
        where mal_id = ${malId} and ${isLiked}
        order by updated_at desc limit ${maxSampledMembers}
      ), taste as (
        select mal_id, count(*)::int as viewers from ${watchList} join viewers using (user_id)
        where ${isLiked}
        group by mal_id having count(*) >= ${minSharedMembers} order by count(*) desc limit 200
      ), alike as (
        (select t.mal_id from ${titles} t, own where (t.genre_bits & own.genre_bits) <> 0
          order by t.popularity asc nulls last, t.mal_id limit ${maxCompared})
        union (select t.mal_id from ${titles} t, own where t.studio_keys && own.studio_keys limit 300)
        union select mal_id from connected union select mal_id from taste
      ), scored as (
        select t.mal_id, t.genre_bits & own.genre_bits as genre_bits,
          coalesce(taste.viewers, 0) as viewers, connected.between,
          case when t.studios && own.studios
            then (select s from unnest(t.studios) s where s = any (own.studios) limit 1) end as studio,
          case when t.themes && own.themes
            then array(select unnest(t.themes) intersect select unnest(own.themes)) else '{}' end as themes,
          bit_count((t.genre_bits & own.genre_bits)::bit(32))
            / sqrt(greatest(1, bit_count(t.genre_bits::bit(32)) * bit_count(own.genre_bits::bit(32)))) as genre_share,
          sqrt(greatest(1, cardinality(t.themes) * cardinality(own.themes))) as theme_room,
          t.demographics && own.demographics as same_demographics,
          t.type is not distinct from own.type as same_type,
          least(1, sqrt(coalesce(t.members, 0) / 4000000.0)) as fame
        from alike cross join lateral (select * from ${titles} where ${titles}.mal_id = alike.mal_id limit 1) t
        cross join own
        left join connected on connected.mal_id = t.mal_id left join taste on taste.mal_id = t.mal_id
        where t.mal_id <> ${malId} and t.mal_id not in (select mal_id from related)
          and ${visibleTo(viewer, "t")} and (t.type not in ('Music', 'CM', 'PV') or t.type = own.type)
      )
      select mal_id, viewers, between, studio, themes, genre_bits,
        1.2 * genre_share + 1.4 * cardinality(themes) / theme_room + 0.5 * fame
          + case when studio is null then 0 else 0.25 end + case when between is null then 0 else 0.6 end
          + case when same_demographics then 0.15 else 0 end + case when same_type then 0.15 else 0 end
          + 1.5 * viewers::float / ${maxSampledMembers} + case when viewers > 0 then 0.4 else 0 end as rank
      from scored order by rank desc, mal_id limit ${maxCandidates}`);

function reasonOf({ viewers, between, studio, themes, genre_bits }: Candidate): string {
  if (viewers > 0) return `${viewers} members have both on their lists`;
  if (between !== null) return `Connected through ${between}`;
  const shared = [...themes.slice(0, 2), ...genreNames.filter((_, bit) => genre_bits & (1 << bit))].slice(
    0,
    3,
  );
  const words = shared.join(", ");
  if (studio === null) return words === "" ? "A similar title" : words;
  return themes.length > 0 ? `${words}, from ${studio}` : `Also from ${studio}`;
}
