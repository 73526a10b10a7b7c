import type { AnimeSeason } from "#app/domain/calendar/calendar.ts";
import {
  type ListingQuery,
  listEpisodes,
  listTitles,
  listTitlesById,
  type Viewer,
} from "#app/domain/catalog/catalog.server.ts";
import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import { findListStates, type TitleListState } from "#app/domain/library/library.server.ts";
import { days } from "#app/platform/units.ts";
import { type ContinueRow, listContinueWatching } from "./continue-watching.server.ts";
import { findDefaultSeason } from "./default-season.server.ts";
import { findRecommendation, type Recommendation } from "./recommendations.server.ts";
import { listAiringToday } from "./schedule.server.ts";

/** The contents of the home page for one viewer. */

type HomeVisit = { userId: string | null; viewer: Viewer; timeZone: string };

export type HomeRow = { titles: Title[] } & (
  | { kind: "playable" | "airing today" | "best rated" | "films" | "coming up" }
  | { kind: "season"; season: AnimeSeason }
);

export type Home = {
  hero: { title: Title; isPlayable: boolean } | null;
  /** Episodes that the member can continue, the latest first. */
  resumable: { title: Title; resumePoint: ContinueRow }[];
  /** The episodes of the playable titles, when these titles are too few for a row. */
  firstEpisodes: { title: Title; episode: Episode }[];
  recommendation: Recommendation | null;
  /** Rows without titles are left out. */
  rows: HomeRow[];
  /** The list state of the titles above, by id. */
  listStates: ReadonlyMap<number, TitleListState>;
};

const maxTitlesPerRow = 14;
/** More than a row holds, because recommended titles that are on the member's list are left out. */
const maxRecommended = 2 * maxTitlesPerRow;

export async function getHome(visit: HomeVisit, now: Date): Promise<Home> {
  const { userId, viewer } = visit;
  const [{ playable, firstEpisodes }, season, rest, resumable, recommended] = await Promise.all([
    listPlayable(viewer),
    findSeasonRow(now, viewer),
    listOtherRows(visit, now),
    userId === null ? [] : listResumable(userId, viewer),
    userId === null ? null : findRecommendation(userId, { viewer, limit: maxRecommended }),
  ]);
  const hero = heroOf([playable, season?.titles ?? [], rest.bestRated], now);
  const rows: (HomeRow | null)[] = [
    { kind: "playable", titles: firstEpisodes.length > 0 ? [] : playable },
    { kind: "airing today", titles: rest.airingToday },
    season,
    { kind: "best rated", titles: rest.bestRated },
    { kind: "films", titles: rest.films },
    { kind: "coming up", titles: rest.comingUp },
  ];
  const shown = rows.filter((row) => row !== null && row.titles.length > 0) as HomeRow[];
  const named = [
    ...shown.flatMap((row) => row.titles),
    ...(recommended?.titles ?? []),
    ...(hero ? [hero] : []),
  ];
  const listStates = await findListStates(
    userId,
    named.map((title) => title.malId),
  );
  return {
    hero: hero && { title: hero, isPlayable: playable.includes(hero) },
    resumable,
    firstEpisodes,
    recommendation: recommended && withoutListed(recommended, listStates),
    rows: shown,
    listStates,
  };
}

/** A different playable title each day. If no title is playable: the first title of the season row or of the best rated. */
function heroOf([playable = [], ...others]: readonly (readonly Title[])[], now: Date): Title | null {
  const day = Math.floor(now.getTime() / days(1));
  return playable[day % Math.max(1, playable.length)] ?? others.flat()[0] ?? null;
}

function withoutListed(
  { because, titles }: Recommendation,
  listStates: ReadonlyMap<number, TitleListState>,
): Recommendation | null {
  const unknown = titles.filter((title) => !listStates.has(title.malId)).slice(0, maxTitlesPerRow);
  return unknown.length === 0 ? null : { because, titles: unknown };
}

const listTop = async (query: ListingQuery, viewer: Viewer) =>
  (await listTitles({ perPage: maxTitlesPerRow, ...query }, viewer)).titles;

async function listOtherRows({ viewer, timeZone }: HomeVisit, now: Date) {
  const [airingToday, bestRated, films, comingUp] = await Promise.all([
    listAiringToday(now, { timeZone, viewer, limit: maxTitlesPerRow }),
    listTop({ order: "score" }, viewer),
    listTop({ filters: { types: ["Movie"] }, order: "popularity" }, viewer),
    listTop({ filters: { statuses: ["Not yet aired"] }, order: "popularity" }, viewer),
  ]);
  return { airingToday, bestRated, films, comingUp };
}

async function findSeasonRow(now: Date, viewer: Viewer): Promise<HomeRow | null> {
  const season = await findDefaultSeason(now, viewer);
  if (season === null) return null;
  const filters = { years: [season.year], seasons: [season.season] };
  return { kind: "season", season, titles: await listTop({ filters, order: "popularity" }, viewer) };
}

const maxTitlesShownByEpisodes = 3;
const maxFirstEpisodes = 8;

/** With only a few playable titles, the page shows a row of their episodes instead. */
async function listPlayable(viewer: Viewer) {
  const playable = await listTop({ filters: { playable: true }, order: "popularity" }, viewer);
  if (playable.length > maxTitlesShownByEpisodes) return { playable, firstEpisodes: [] };
  const lists = await Promise.all(
    playable.map(async (title) => {
      const found = await listEpisodes(title.malId, 1, viewer);
      const episodes = found.ok ? found.value.episodes.filter(({ sources }) => sources.length > 0) : [];
      return episodes.map((episode) => ({ title, episode }));
    }),
  );
  return { playable, firstEpisodes: lists.flat().slice(0, maxFirstEpisodes) };
}

async function listResumable(userId: string, viewer: Viewer): Promise<Home["resumable"]> {
  const resumePoints = await listContinueWatching(userId, { viewer, limit: maxTitlesPerRow });
  const titles = await listTitlesById(
    resumePoints.map(({ malId }) => malId),
    viewer,
  );
  const byId = new Map(titles.map((title) => [title.malId, title]));
  return resumePoints.flatMap((resumePoint) => {
    const title = byId.get(resumePoint.malId);
    return title === undefined ? [] : [{ title, resumePoint }];
  });
}
