import { type AnimeSeason, seasonAt, seasonRank } from "#app/domain/calendar/calendar.ts";
import {
  getTitlesById,
  type ListingQuery,
  listEpisodes,
  listSeasons,
  listTitles,
  listTitlesById,
  type TitleOnAir,
} from "#app/domain/catalog/catalog.server.ts";
import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { listNewestTitles } from "#app/domain/films/films.server.ts";
import { listAllowedToWatch } from "#app/domain/household/household.server.ts";
import {
  getMemberTitles,
  hasShownEntries,
  listFulfilledWishes,
  type MemberTitles,
  type TitleEntries,
  takesWishes,
  type WishTarget,
} from "#app/domain/library/library.server.ts";
import { isChildViewer, type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { demonstrationId } from "#app/paths.ts";
import { days, minutes } from "#app/platform/units.ts";
import { listMissedSequels } from "./missed-sequels.server.ts";
import {
  continueOf,
  isNextMissing,
  listPlanned,
  listUpNextCards,
  type NextStep,
  type TitleOfFranchise,
  type UpNext,
  withTitles,
} from "./next-steps.server.ts";
import {
  chooseRecommendations,
  idsOfSimilar,
  listCandidates,
  type Recommendation,
} from "./recommendations.server.ts";
import { type Airing, listAiringToday, listTitlesOnAirThisWeek, nextAiringsOf } from "./schedule.server.ts";

/** The contents of the home page for one viewer. */

type HomeVisit = { userId: string | null; viewer: Viewer; timeZone: string };

export type HomeRow = { titles: Title[] } & (
  | {
      kind:
        | "new here"
        | "playable"
        | "here"
        | "missed"
        | "airing today"
        | "best rated"
        | "movies"
        | "coming up"
        | "chosen"
        | "allowed";
    }
  | { kind: "wished"; wishes: WishTarget[] }
  | { kind: "airing for you"; airings: Airing[] }
  | { kind: "season"; season: AnimeSeason }
  | { kind: "because"; because: Recommendation["because"] }
);

export type Home = {
  hero: { title: Title; step: NextStep | undefined } | null;
  /** Next episodes that have a film. The last changed title comes first. */
  goOn: UpNext[];
  /** Next episodes without a film, in the same order. Missed sequels have a row of their own. */
  missing: UpNext[];
  /** Further titles marked as To Watch that have no film, the last changed first. */
  planned: Title[];
  /** The episodes of the playable titles, when these titles are too few for a row. */
  firstEpisodes: { title: Title; episode: Episode }[];
  /** Rows without titles are left out. Members get most short rows only if there is no other. */
  rows: HomeRow[];
  /** The member has no visible title on the list and none to continue. */
  isNew: boolean;
  /** The member's entries about the titles above, by id. */
  cardStates: TitleEntries;
};

const maxTitlesPerRow = 14;
const maxRecommendations = 2;
/** Includes the large card, and the rows with the member's next episodes. */
const maxRows = 8;

export async function getHome(visit: HomeVisit, now: Date): Promise<Home> {
  const { userId, viewer, timeZone } = visit;
  const isChild = isChildViewer(viewer);
  const [shared, airingToday, cards, lists] = await Promise.all([
    sharedParts(`${Math.floor(now.getTime() / days(1))} ${viewerKey(viewer)}`, () => readShared(now, viewer)),
    userId === null ? listAiringToday(now, { timeZone, viewer, limit: maxTitlesPerRow }) : [],
    userId === null ? [] : listUpNextCards(userId, { viewer, limit: maxTitlesPerRow, playableFirst: true }),
    userId === null || isChild ? null : listOwn(userId, visit, now),
  ]);
  const titles = await getTitlesById([...idsOf(cards), ...(lists ? idsOfLists(lists) : [])], viewer);
  const ownLists = lists && ownTitles(lists, titles);
  const { playable, firstEpisodes, season, bestRated } = shared;
  const heroes = [playable, season?.titles ?? [], bestRated];
  const goOn = withTitles(
    cards.filter(({ isPlayable }) => isPlayable),
    titles,
  );
  // A child can wish for nothing, so its page has nothing that cannot be watched here.
  const notHere = isChild ? [] : cards.filter(({ isPlayable }) => !isPlayable);
  // The row of missed sequels names the next title of a franchise. What the member has begun is not replaced by it.
  const isMissed = isInFranchiseOf(lists?.missed ?? []);
  const missing = withTitles(
    notHere.filter((card) => card.kind !== "next_title" || !isMissed(card)),
    titles,
  );
  const isOnCard = isInFranchiseOf(cards);
  const planned = titlesAmong(
    titles,
    (lists?.planned ?? []).filter((title) => !isOnCard(title) && !isMissed(title)),
  );
  const offerRows = (recommendations: readonly Recommendation[]): HomeRow[] => {
    if (userId === null) return visitorRows(shared, airingToday);
    return ownLists === null ? childRows(shared) : memberRows(shared, ownLists, { goOn, recommendations });
  };
  // Recommendations need the member's titles, which are read for the titles of all other rows. So the rows are made twice.
  const rowTitles = offerRows([]).flatMap(({ titles }) => titles);
  const shown = idsOf([...heroes.flat(), ...titlesIn(missing), ...planned, ...rowTitles]);
  const { similar, ofGenre } = lists?.candidates ?? { similar: [], ofGenre: null };
  const candidates = [
    ...idsOfSimilar(similar).filter((malId) => titles.has(malId)),
    ...idsOf(ofGenre?.titles ?? []),
  ];
  const [memberTitles, steps] = await Promise.all([
    userId === null ? null : getMemberTitles(userId, [...new Set([...shown, ...candidates])]),
    continueOf(userId, idsOf(heroes.flat()), viewer, { ifBegun: idsOf(shared.newHere) }),
  ]);
  const facts: RowFacts = {
    isChild,
    steps,
    missing: new Set(idsOf(titlesIn(missing))),
    onAir: lists?.onAir ?? [],
  };
  const offered = offerRows(
    lists && memberTitles
      ? await chooseRecommendations(lists.candidates, { titles, notToSuggest: memberTitles.notToSuggest })
      : [],
  );
  const rows = memberTitles
    ? longRows(offered.map((row) => rowFor(row, memberTitles, facts, now)))
    : filled(offered);
  const isNew =
    userId !== null &&
    cards.length + (memberTitles?.listed.size ?? 0) === 0 &&
    !(await hasShownEntries(userId, viewer));
  const ownRows = Math.min(goOn.length, 2) + Math.min(missing.length + planned.length, 1);
  return {
    hero: chooseHero(heroes, { steps, unwanted: memberTitles?.unwanted ?? new Set() }, now),
    goOn,
    missing,
    planned,
    isNew,
    firstEpisodes,
    rows: isChild ? rows : rows.slice(0, maxRows - ownRows),
    cardStates: memberTitles?.listed ?? new Map(),
  };
}

const idsOf = (titles: readonly { malId: number }[]) => [...new Set(titles.map(({ malId }) => malId))];

function isInFranchiseOf(others: readonly TitleOfFranchise[]): (title: TitleOfFranchise) => boolean {
  const franchises = new Set(others.map(({ franchise }) => franchise));
  return ({ franchise }) => franchises.has(franchise);
}

const isNotIn = (titles: readonly Title[]) => {
  const ids = new Set(idsOf(titles));
  return ({ malId }: Title) => !ids.has(malId);
};

const titlesIn = (cards: readonly { title: Title }[]) => cards.map(({ title }) => title);

type OwnLists = Awaited<ReturnType<typeof listOwn>>;

/** Most lists have only ids, so that one query can read the titles of all. */
async function listOwn(userId: string, { viewer, timeZone }: HomeVisit, now: Date) {
  const [onAir, candidates, wishes, planned, missed] = await Promise.all([
    listTitlesOnAirThisWeek(now, { timeZone, viewer }),
    listCandidates(userId, {
      viewer,
      maxTitles: maxTitlesPerRow,
      minTitles: minTitlesPerRow,
      limit: maxRecommendations,
    }),
    // The wishes that can be watched now.
    takesWishes() ? listFulfilledWishes(userId, viewer) : [],
    listPlanned(userId, { viewer, limit: maxTitlesPerRow }),
    listMissedSequels(userId, { viewer, limit: maxTitlesPerRow }),
  ]);
  return { onAir, candidates, wishes, planned, missed };
}

const idsOfLists = ({ candidates, wishes, planned, missed }: OwnLists) => [
  ...idsOfSimilar(candidates.similar),
  ...idsOf([...wishes, ...planned, ...missed]),
];

const titlesAmong = (titles: ReadonlyMap<number, Title>, chosen: readonly { malId: number }[]): Title[] =>
  idsOf(chosen).flatMap((id) => titles.get(id) ?? []);

type MemberData = {
  onAir: TitleOnAir[];
  wished: { wishes: WishTarget[]; titles: Title[] };
  missed: Title[];
};

const ownTitles = ({ onAir, wishes, missed }: OwnLists, titles: ReadonlyMap<number, Title>): MemberData => ({
  onAir,
  wished: { wishes, titles: titlesAmong(titles, wishes) },
  missed: titlesAmong(titles, missed),
});

const filled = (rows: readonly HomeRow[]): HomeRow[] => rows.filter(({ titles }) => titles.length > 0);

function visitorRows(
  { newHere, firstEpisodes, playable, season, bestRated, movies, comingUp }: SharedData,
  airingToday: Title[],
): HomeRow[] {
  const others = firstEpisodes.length > 0 ? [] : playable.filter(isNotIn(newHere));
  return [
    { kind: "new here", titles: newHere },
    { kind: "playable", titles: others.length < minTitlesPerRow ? [] : others },
    { kind: "airing today", titles: airingToday },
    ...(season ? [season] : []),
    { kind: "best rated", titles: bestRated },
    { kind: "movies", titles: movies },
    { kind: "coming up", titles: comingUp },
  ];
}

type MemberCards = { goOn: readonly UpNext[]; recommendations: readonly Recommendation[] };

const memberRows = (
  shared: SharedData,
  { wished, onAir, missed }: MemberData,
  { goOn, recommendations }: MemberCards,
): HomeRow[] => [
  { kind: "wished", ...wished },
  hereRow(shared),
  // rowFor adds the times, which only the followed titles need.
  { kind: "airing for you", airings: [], titles: titlesIn(onAir) },
  { kind: "missed", titles: missed.filter(isNotIn(titlesIn(goOn))) },
  ...recommendations.map(({ because, titles }): HomeRow => ({ kind: "because", because, titles })),
  shared.season ?? { kind: "best rated", titles: shared.bestRated },
];

/**
 * The rows of a child's home: the titles that a grown-up allowed, then all others that can be watched here. Both are rows
 * of cards, even with few titles. If little can be watched here, the best rated titles follow.
 */
function childRows(shared: SharedData): HomeRow[] {
  const { chosen, playable, bestRated } = shared;
  const here = hereRow({ ...shared, firstEpisodes: [] });
  const others = playable.length < minTitlesPerRow ? bestRated.filter(isNotIn([...chosen, ...playable])) : [];
  return [
    { kind: "chosen", titles: chosen },
    { ...here, titles: here.titles.filter(isNotIn(chosen)) },
    { kind: "allowed", titles: others },
  ];
}

const hereRow = ({ newHere, firstEpisodes, playable }: SharedData): HomeRow => ({
  kind: "here",
  titles: [...newHere, ...(firstEpisodes.length > 0 ? [] : playable.filter(isNotIn(newHere)))],
});

type RowFacts = {
  isChild: boolean;
  steps: ReadonlyMap<number, NextStep>;
  /** The titles of the row of next episodes that are not here. */
  missing: ReadonlySet<number>;
  onAir: readonly TitleOnAir[];
};

/** The part of a row that its member wants: neither dropped nor dismissed titles. */
function rowFor(
  row: HomeRow,
  { listed, unwanted, followed }: MemberTitles,
  { isChild, steps, missing, onAir }: RowFacts,
  now: Date,
): HomeRow {
  const titles = row.titles.filter(({ malId }) => !unwanted.has(malId));
  const isFollowed = (title: Title) => followed.has(title.malId);
  switch (row.kind) {
    case "wished":
      // A wish outweighs an earlier drop or dismissal.
      return row;
    case "here": {
      const isNextHere = (title: Title) => !missing.has(title.malId) && hasNext(steps, title);
      const isOpen = (title: Title) => isNextHere(title) && steps.get(title.malId)?.isFinished !== true;
      const rankOf = (title: Title) => (isOpen(title) ? (isFollowed(title) ? 0 : 1) : 2);
      // A child has no row of missing episodes, so its titles stay and come last.
      const inRow = titles.filter((title) => isChild || isNextHere(title));
      return {
        ...row,
        titles: inRow.sort((one, other) => rankOf(one) - rankOf(other)).slice(0, maxTitlesPerRow),
      };
    }
    case "airing for you": {
      const watched = onAir.filter(
        ({ title }) => isFollowed(title) && listed.get(title.malId)?.type === "Watching",
      );
      const airings = nextAiringsOf(watched, now).slice(0, maxTitlesPerRow);
      return { ...row, airings, titles: titlesIn(airings) };
    }
    default:
      return { ...row, titles };
  }
}

function hasNext(steps: ReadonlyMap<number, NextStep>, { malId }: Title): boolean {
  const step = steps.get(malId);
  return step === undefined || !isNextMissing(step);
}

/** A row with fewer titles looks broken. */
const minTitlesPerRow = 3;
/** These rows are shown even with few titles. */
const shortRows: readonly HomeRow["kind"][] = ["wished", "here", "airing for you", "missed", "chosen"];

/** Short rows are left out unless there is no other. */
function longRows(rows: readonly HomeRow[]): HomeRow[] {
  const all = filled(rows);
  const long = all.filter(({ kind, titles }) => titles.length >= minTitlesPerRow || shortRows.includes(kind));
  return long.length === 0 ? all : long;
}

type HeroState = { steps: ReadonlyMap<number, NextStep>; unwanted: ReadonlySet<number> };

/**
 * Chooses a different playable title each day, the demonstration only if there is no other. If no title is playable,
 * takes the first title of the season row or of the best rated. Members get no title that they have finished, dropped or
 * dismissed, and none whose next episode is missing.
 */
function chooseHero(
  [playable = [], ...others]: readonly (readonly Title[])[],
  { steps, unwanted }: HeroState,
  now: Date,
): Home["hero"] {
  const isUnfinished = ({ malId }: Title) => steps.get(malId)?.isFinished !== true && !unwanted.has(malId);
  const watchable = playable.filter((title) => isUnfinished(title) && hasNext(steps, title));
  const added = watchable.filter(({ malId }) => malId !== demonstrationId);
  const open = added.length > 0 ? added : watchable;
  const day = Math.floor(now.getTime() / days(1));
  const title =
    open[day % Math.max(1, open.length)] ??
    others.flat().find((title) => isUnfinished(title) && isNotIn(playable)(title));
  return title === undefined ? null : { title, step: steps.get(title.malId) };
}

type SharedData = Awaited<ReturnType<typeof readShared>>;

/**
 * The part of the home page that viewers with the same rights share. The clock changes it, so it is cached for a
 * minute.
 */
const sharedParts = cachePerVersion<SharedData>(20, minutes(1));

async function readShared(now: Date, viewer: Viewer) {
  const [{ playable, firstEpisodes }, chosen, newHere, season, bestRated, movies, comingUp] =
    await Promise.all([
      listPlayable(viewer),
      listChosen(viewer),
      listNewHere(viewer),
      findSeasonRow(now, viewer),
      listTop({ order: "score" }, viewer),
      listTop({ filters: { types: ["Movie"] }, order: "popularity" }, viewer),
      listComingUp(viewer),
    ]);
  return { playable, firstEpisodes, chosen, newHere, season, bestRated, movies, comingUp };
}

const listChosen = async (viewer: Viewer): Promise<Title[]> =>
  listTitlesById(await listAllowedToWatch(viewer, maxTitlesPerRow), viewer);

/** The titles with the newest films, for viewers who may watch films. */
const listNewHere = async (viewer: Viewer): Promise<Title[]> =>
  listTitlesById(await listNewestTitles(maxTitlesPerRow, viewer), viewer);

const listTop = async (query: ListingQuery, viewer: Viewer) =>
  (await listTitles({ perPage: maxTitlesPerRow, ...query }, viewer)).titles;

/** Leaves out titles without a start date. Some were announced years ago and are very popular, but may never air. */
async function listComingUp(viewer: Viewer): Promise<Title[]> {
  const filters = { statuses: ["Not yet aired" as const] };
  const announced = await listTop({ filters, order: "popularity", perPage: 5 * maxTitlesPerRow }, viewer);
  return announced.filter(({ airedFrom }) => airedFrom !== null).slice(0, maxTitlesPerRow);
}

async function findSeasonRow(now: Date, viewer: Viewer): Promise<HomeRow | null> {
  const season = await findDefaultSeason(now, viewer);
  if (season === null) return null;
  const filters = { years: [season.year], seasons: [season.season], seasonsByFirstDay: true };
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
      const page = await listEpisodes(title.malId, 1, viewer);
      const episodes = page.ok ? page.value.episodes.filter(({ sources }) => sources.length > 0) : [];
      return episodes.map((episode) => ({ title, episode }));
    }),
  );
  return { playable, firstEpisodes: lists.flat().slice(0, maxFirstEpisodes) };
}

const minTitlesForRow = 6;

/** The current season if it has enough titles for a row, otherwise the latest earlier season that has. */
async function findDefaultSeason(now: Date, viewer: Viewer): Promise<AnimeSeason | null> {
  const current = seasonAt(now);
  const past = (await listSeasons(viewer)).filter((one) => seasonRank(one) <= seasonRank(current));
  const defaultSeason = past.find((one) => one.titles >= minTitlesForRow) ?? past[0];
  return defaultSeason ? { year: defaultSeason.year, season: defaultSeason.season } : null;
}
