import type { AnimeSeason } from "#app/domain/calendar/calendar.ts";
import {
  type ListingQuery,
  listEpisodes,
  listTitles,
  type Viewer,
} from "#app/domain/catalog/catalog.server.ts";
import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import { findListStates } from "#app/domain/library/library.server.ts";
import { days } from "#app/platform/units.ts";
import { type CardState, findCardStates } from "./card-states.server.ts";
import { continueOf, listUpNext, type NextStep, type UpNext } from "./continue.server.ts";
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
  hero: { title: Title; step: NextStep | undefined } | null;
  /** Where the member goes on, the last changed first. */
  upNext: UpNext[];
  /** The episodes of the playable titles, when these titles are too few for a row. */
  firstEpisodes: { title: Title; episode: Episode }[];
  recommendation: Recommendation | null;
  /** Rows without titles are left out. */
  rows: HomeRow[];
  /** The list state of the titles above, by id. */
  listStates: ReadonlyMap<number, CardState>;
};

const maxTitlesPerRow = 14;
/** More than a row holds, because recommended titles that are on the member's list are left out. */
const maxRecommended = 2 * maxTitlesPerRow;

export async function getHome(visit: HomeVisit, now: Date): Promise<Home> {
  const { userId, viewer } = visit;
  const [{ playable, firstEpisodes }, season, rest, upNext, recommended] = await Promise.all([
    listPlayable(viewer),
    findSeasonRow(now, viewer),
    listOtherRows(visit, now),
    userId === null ? [] : listUpNext(userId, { viewer, limit: maxTitlesPerRow }),
    userId === null ? null : findRecommendation(userId, { viewer, limit: maxRecommended }),
  ]);
  const hero = await findHero(visit, [playable, season?.titles ?? [], rest.bestRated], now);
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
    ...(hero ? [hero.title] : []),
  ];
  const listStates = await findCardStates(
    userId,
    named.map((title) => title.malId),
    viewer,
  );
  return {
    hero,
    upNext,
    firstEpisodes,
    recommendation: recommended && withoutListed(recommended, listStates),
    rows: shown,
    listStates,
  };
}

/**
 * A different playable title each day, and if no title is playable, the first title of the season row or of the best
 * rated. A member is shown none that they have finished or dropped.
 */
async function findHero(
  { userId, viewer }: HomeVisit,
  [playable = [], ...others]: readonly (readonly Title[])[],
  now: Date,
): Promise<Home["hero"]> {
  const ids = [...playable, ...others.flat()].map(({ malId }) => malId);
  const [steps, listStates] = await Promise.all([
    continueOf(userId, ids, viewer),
    findListStates(userId, ids),
  ]);
  const isOpen = ({ malId }: Title) =>
    steps.get(malId)?.isFinished !== true && listStates.get(malId)?.state !== "dropped";
  const open = playable.filter(isOpen);
  const day = Math.floor(now.getTime() / days(1));
  const title = open[day % Math.max(1, open.length)] ?? others.flat().find(isOpen);
  return title === undefined ? null : { title, step: steps.get(title.malId) };
}

function withoutListed(
  { because, titles }: Recommendation,
  listStates: ReadonlyMap<number, CardState>,
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
