import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { currentStatus, getTitlesById, isAnnounced } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { isWatchedIn } from "#app/domain/library/library.server.ts";
import { maxResumeShare, minResumeSeconds } from "#app/domain/library/library.ts";
import {
  isChildViewer,
  isPlayableSource,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { intArray } from "#db/arrays.ts";
import { preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import { dismissals, watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { nextTitleIdOf } from "./next-title.server.ts";

/**
 * Finds the next episode for a member, by one rule for the pages and the cards. `continueOf` answers for given titles,
 * `listUpNext` for all that the member has begun or marked as Watching. The endpoint of the specification has its own
 * rule, in `continue-watching.server.ts`.
 */

/** The next episode of one title. */
export type NextStep = {
  malId: number;
  /** The title has one episode, as a movie has. */
  isSingle: boolean;
  /** True when nothing is left to watch. `episode` is then 1. */
  isFinished: boolean;
  /** The episode that was left in the middle, or the one after the last watched episode. */
  episode: number;
  episodeTitle: string | null;
  /** In seconds; 0 unless the episode was left in the middle. */
  position: number;
  duration: number | null;
  hasStarted: boolean;
  /** The last watched episode, by the list entry, or by the history of a title that is not on the list. */
  progress: number;
  hasSource: boolean;
  /** The first episode with a source; null when the title has none. */
  firstPlayable: number | null;
};

type AvailableStep = Pick<NextStep, "isFinished" | "hasSource" | "firstPlayable" | "episode">;

/** The member has seen a part of the title, and the next episode has no film, though an earlier one has. */
export const isNextMissing = ({ isFinished, hasSource, firstPlayable, episode }: AvailableStep): boolean =>
  !isFinished && !hasSource && firstPlayable !== null && firstPlayable < episode;

export type UpNext = Pick<NextStep, "episode" | "episodeTitle" | "position" | "duration"> & {
  kind: "in_the_middle" | "next_episode" | "next_title";
  title: Title;
  isPlayable: boolean;
  /** The episode's still. */
  episodeImage: string | null;
  /** The finished title that this one follows in the story. */
  after: number | null;
  /** ISO 8601: when the member last watched or changed the title, or the finished one. */
  changedAt: string;
};

/** A title of which only the id is known yet. Its franchise tells whether another row has a part of the same one. */
export type TitleOfFranchise = {
  malId: number;
  /** A negative number if the title belongs to no franchise. */
  franchise: number;
};

type UpNextCard = Omit<UpNext, "title"> & TitleOfFranchise;

/**
 * The planner does not see how many ids a sub-select returns. If it saw them, a plan for exactly these few would look
 * cheaper than the cached one, so PostgreSQL would plan the query at every page.
 */
const hiddenFromPlanner = (ids: readonly number[]) => sql`(select ${intArray(ids)})::int[]`;

/**
 * A title that the viewer may not see has no step. A visitor begins each title with its first episode. The titles of
 * `ifBegun` have a step only if the member has listed or begun them.
 */
export async function continueOf(
  userId: string | null,
  malIds: readonly number[],
  viewer: Viewer,
  { ifBegun = [] }: { ifBegun?: readonly number[] } = {},
): Promise<ReadonlyMap<number, NextStep>> {
  if (malIds.length + (userId === null ? 0 : ifBegun.length) === 0) return new Map();
  const begunIn = (table: PgTable) =>
    sql`(select mal_id from ${table} where user_id = ${userId}::uuid and mal_id = any(${hiddenFromPlanner(ifBegun)}))`;
  const ids = sql`select unnest(${hiddenFromPlanner(malIds)})
    union ${begunIn(watchList)} union ${begunIn(watchHistory)} union ${begunIn(watchProgress)}`;
  const steps = await preparedDb.execute<NextStep>(sql`
    with ${stepsOf(userId, ids, viewer)} select ${stepColumns} from steps`);
  return new Map(steps.map((step) => [step.malId, step]));
}

type UpNextRequest = {
  viewer: Viewer;
  limit: number;
  /**
   * Cards with a film come before all others, so that a long list without films does not push them out. Within a
   * franchise, a title that the member has begun comes first. Children get only cards with a film, so theirs come first
   * there too.
   */
  playableFirst?: boolean;
};

/** At most one card for each title and each franchise, the last changed first. */
export async function listUpNext(userId: string, request: UpNextRequest): Promise<UpNext[]> {
  const cards = await listUpNextCards(userId, request);
  const ids = cards.map(({ malId }) => malId);
  return withTitles(cards, await getTitlesById(ids, request.viewer));
}

/** The cards of `listUpNext` before their titles are read. */
export async function listUpNextCards(
  userId: string,
  { viewer, limit, playableFirst = false }: UpNextRequest,
): Promise<UpNextCard[]> {
  const first = playableFirst ? sql`is_playable desc,` : sql``;
  const begun = playableFirst ? sql`(rank < 3 and has_started) desc,` : sql``;
  const firstOfFranchise = isChildViewer(viewer) ? sql`${first} ${begun}` : sql`${begun} ${first}`;
  return preparedDb.execute<UpNextCard>(sql`
    with ${stepsOf(userId, recentTitles(userId, 3 * limit, viewer), viewer)}, ${cardsOf(userId, viewer)},
    one_a_franchise as (
      select distinct on (franchise) * from cards order by franchise, ${firstOfFranchise} changed_at desc, rank, shown_id
    )
    select kind, shown_id as "malId", franchise, case when rank = 3 then mal_id end as after,
      case when rank = 3 then 1 else episode end as episode, case when rank < 3 then episode_title end as "episodeTitle",
      case when rank < 3 then episode_image end as "episodeImage",
      position, case when rank < 3 then duration end as duration,
      is_playable as "isPlayable",
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
    from one_a_franchise order by ${first} changed_at desc, rank, shown_id limit ${limit}`);
}

/** Leaves out the cards without a title. */
export const withTitles = (cards: readonly UpNextCard[], titles: ReadonlyMap<number, Title>): UpNext[] =>
  cards.flatMap(({ malId, franchise: _, ...card }) => {
    const title = titles.get(malId);
    return title ? [{ ...card, title }] : [];
  });

type PlannedRequest = { viewer: Viewer; limit: number };

/**
 * Titles marked as To Watch that have begun to air and have no film, the last changed first. One franchise appears
 * once, with the first of these titles in the order of the story; other versions come last. Titles that the member
 * dismissed from Continue are left out.
 */
export const listPlanned = (userId: string, { viewer, limit }: PlannedRequest): Promise<TitleOfFranchise[]> =>
  preparedDb.execute<TitleOfFranchise>(sql`
    select mal_id as "malId", franchise from (
      select distinct on (coalesce(franchise_id, -mal_id)) mal_id, coalesce(franchise_id, -mal_id) as franchise,
        entry.updated_at
      from ${watchList} entry join ${titles} using (mal_id) left join ${franchiseTitles} place using (mal_id)
      where entry.user_id = ${userId}::uuid and entry.type = 'To Watch' and ${visibleTo(viewer)}
        and ${isAnnounced} is not true
        and not exists (select from ${shownSources(viewer)} where shown_source.mal_id = entry.mal_id)
        and not exists (select from ${dismissals} where dismissals.user_id = entry.user_id
          and dismissals.mal_id = entry.mal_id and dismissals.place = 'continue' and dismissed_at >= entry.updated_at)
      order by coalesce(franchise_id, -mal_id), mark = 'alternative', story, mal_id
    ) as first_of_each order by updated_at desc, mal_id limit ${limit}`);

/**
 * Reads the last titles of each kind, so that one long list cannot hide the others. An import gives hundreds of entries
 * the same date, so those whose next episode has a film are a kind of their own.
 */
function recentTitles(userId: string, limit: number, viewer: Viewer): SQL {
  const listed = (type: string, condition = sql``) => sql`(select mal_id from ${watchList} entry
    where user_id = ${userId}::uuid and type = ${type} and coalesce(state, '') not in ('on_hold', 'dropped') ${condition}
    order by updated_at desc, mal_id limit ${limit})`;
  const hasNextFilm = sql`and exists (select from ${shownSources(viewer)} where shown_source.mal_id = entry.mal_id
    and shown_source.episode = 1 + case when entry.state = 'rewatching' then entry.rewatch_progress else entry.progress end)`;
  return sql`${listed("Watching", hasNextFilm)} union ${listed("Watching")} union ${listed("Completed")}
    union (select mal_id from ${watchProgress}
      where user_id = ${userId}::uuid group by mal_id order by max(at) desc limit ${limit})
    union (select mal_id from ${watchHistory}
      where user_id = ${userId}::uuid group by mal_id order by max(watched_at) desc limit ${limit})`;
}

const shownSources = (viewer: Viewer): SQL => sql`(select mal_id, episode from ${episodeSources}
  where ${isPlayableSource(viewer)}) as shown_source`;

const stepColumns = sql`mal_id as "malId", is_single as "isSingle", is_finished as "isFinished", episode, episode_title as "episodeTitle",
  position, duration, has_started as "hasStarted", progress, has_source as "hasSource", first_playable as "firstPlayable"`;

const isInTheMiddle = sql`place.position >= ${minResumeSeconds}::float8
  and place.position <= place.duration * ${maxResumeShare}::float8`;

/**
 * The tables `facts` and `steps`, with a row for each title that `ids` selects. A resume point counts until the member
 * ticks its episode or a later one. Playing ticks the episode before its end, so that tick does not count.
 *
 * Each title's last place is looked for alone, because a sort of all of them would need a temporary file, which fails
 * when the disk is full. Without `row`, PostgreSQL may read the points of all titles, the last first, until it meets one
 * of this title.
 */
const stepsOf = (userId: string | null, ids: SQL, viewer: Viewer): SQL => sql`
  wanted(mal_id) as (${ids}),
  facts as (
    select titles.mal_id, titles.airs_from, entry.type, entry.state, count, ${currentStatus} = 'Finished Airing' as has_ended,
      titles.episodes is not null as has_known_count, coalesce(titles.episodes = 1, false) as is_single,
      seen.progress, place.episode as left_episode,
      coalesce(${isInTheMiddle} and not (entry.mal_id is not null and entry.updated_at > place.at
        and (seen.progress > place.episode
          or seen.progress = place.episode and not ${isWatchedIn("place")})), false) as is_left,
      greatest(entry.updated_at, place.at, history.at) as changed_at
    from wanted join ${titles} on titles.mal_id = wanted.mal_id and ${visibleTo(viewer)}
      left join ${watchList} entry on entry.user_id = ${userId}::uuid and entry.mal_id = titles.mal_id
      left join lateral (select * from ${watchProgress} where user_id = ${userId}::uuid and mal_id = titles.mal_id
        order by row(at, episode) desc limit 1) place on true
      cross join lateral (select coalesce(max(episode), 0) as progress, max(watched_at) as at from ${watchHistory}
        where user_id = ${userId}::uuid and mal_id = titles.mal_id) history
      cross join lateral (select greatest(titles.episodes, max(number), 0) as count from ${episodes}
        where mal_id = titles.mal_id) known
      cross join lateral (select case when entry.mal_id is null then history.progress
        when entry.state = 'rewatching' then entry.rewatch_progress else entry.progress end as progress) seen
  ),
  chosen as (
    select *, not is_left and is_finished_by_list_or_count as is_finished,
      case when is_left then left_episode when is_finished_by_list_or_count then 1 else progress + 1 end as episode
    from (select *, coalesce(type = 'Completed', false) or ((has_ended or has_known_count) and count > 0 and progress >= count)
      as is_finished_by_list_or_count from facts) as judged
  ),
  steps as (
    select chosen.*, about.title as episode_title, about.image_url as episode_image, coalesce(place.position, 0) as position,
      coalesce(about.duration_seconds, place.duration) as duration, is_left or progress > 0 as has_started,
      exists (select from ${shownSources(viewer)} where mal_id = chosen.mal_id and episode = chosen.episode) as has_source,
      (select min(episode) from ${shownSources(viewer)} where mal_id = chosen.mal_id) as first_playable, about.aired_at
    from chosen
      left join ${episodes} about on about.mal_id = chosen.mal_id and about.number = chosen.episode
      left join ${watchProgress} place on not is_finished and place.user_id = ${userId}::uuid
        and place.mal_id = chosen.mal_id and place.episode = chosen.episode and ${isInTheMiddle}
  )`;

/**
 * The table `cards`, from `steps`. Titles that are on hold or dropped have no card, nor have episodes that have not
 * aired. The sequel of a finished title that was not dropped has a card until the member begins it or gives it a list
 * status other than To Watch. A sequel that is not on the list has no card if a later part of the franchise has such a
 * status. A dismissed card returns when the member continues the title.
 */
const cardsOf = (userId: string, viewer: Viewer): SQL => sql`
  offered as (
    select *, mal_id as shown_id, has_source as is_playable, case when position > 0 then 1 else 2 end as rank,
      case when position > 0 then 'in_the_middle' else 'next_episode' end as kind
    from steps where not is_finished and episode <= count and coalesce(state, '') not in ('on_hold', 'dropped')
      and (has_source or has_ended or coalesce(aired_at, airs_from + (episode - 1) * interval '7 days') <= now())
    union all
    select steps.*, sequel.mal_id,
      exists (select from ${shownSources(viewer)} where shown_source.mal_id = sequel.mal_id and episode = 1), 3, 'next_title'
    from steps join ${titles} sequel on sequel.mal_id = ${nextTitleIdOf(sql`steps.mal_id`, { userId, viewer })}
      and ${visibleTo(viewer, "sequel")}
    where is_finished and coalesce(steps.state, '') <> 'dropped' and sequel.airs_from <= now()
      and not exists (select from ${watchList} where user_id = ${userId}::uuid and mal_id = sequel.mal_id and type <> 'To Watch')
      and not exists (select from ${watchProgress} where user_id = ${userId}::uuid and mal_id = sequel.mal_id)
      and not exists (select from ${watchHistory} where user_id = ${userId}::uuid and mal_id = sequel.mal_id)
      and (exists (select from ${watchList} where user_id = ${userId}::uuid and mal_id = sequel.mal_id)
        or not exists (
          select from ${franchiseTitles} own
            join ${franchiseTitles} later on later.franchise_id = own.franchise_id and later.story > own.story
            join ${watchList} entry on entry.user_id = ${userId}::uuid and entry.mal_id = later.mal_id
          where own.mal_id = sequel.mal_id and entry.type <> 'To Watch'))
  ),
  cards as (
    select offered.*, coalesce(part.franchise_id, -shown_id) as franchise
    from offered left join ${franchiseTitles} part on part.mal_id = shown_id
    where not exists (select from ${dismissals} where user_id = ${userId}::uuid and dismissals.mal_id = shown_id
      and place = 'continue' and dismissed_at >= changed_at)
  )`;
