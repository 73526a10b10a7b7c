import type { getVisit } from "#app/access/viewer.server.ts";
import { seasonLabel } from "#app/domain/calendar/calendar.ts";
import { type Episode, episodeNameOf, isSingle, type Title } from "#app/domain/catalog/catalog.ts";
import {
  getHome,
  type Home,
  type HomeRow,
  type Recommendation,
  type UpNext,
} from "#app/domain/discovery/discovery.server.ts";
import { bannerUrl, proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { WishTarget } from "#app/domain/library/library.server.ts";
import { isChildViewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { browsePath, schedulePath, seasonPath, watchPath, wishesPath } from "#app/paths.ts";
import { valuesByKey } from "#app/platform/lists.ts";
import { spanText } from "#app/routes/views/date-format.server.ts";
import {
  drawnLanguageOf,
  toTitleCard,
  toWatchLink,
  withListStatus,
} from "#app/routes/views/title-views.server.ts";
import type { HeroTitle } from "#app/ui/titles/hero.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";
import type { EpisodeTitle } from "./episode-card.tsx";

type Visit = Pick<Awaited<ReturnType<typeof getVisit>>, "user" | "preferences" | "viewer" | "timeZone">;

export async function getHomePage({ user, preferences, viewer, timeZone }: Visit) {
  const now = new Date();
  const isChild = isChildViewer(viewer);
  const home = await getHome({ userId: user?.id ?? null, viewer, timeZone }, now);
  return { isChild, ...toHomePage({ ...home, isNew: home.isNew && !isChild }, preferences, now) };
}

type HomePreferences = Pick<Visit["preferences"], "titleLanguage" | "scoreFormat" | "timeZone">;

/** The home page's loader data: titles as cards, and every row with its heading. */
function toHomePage(home: Home, preferences: HomePreferences, now: Date) {
  const { titleLanguage: language, scoreFormat } = preferences;
  const cards = (titles: readonly Title[], lines?: CardLines) =>
    withListStatus(
      titles.map((title) => toTitleCard(title, language, lines?.get(title.malId))),
      { listed: home.cardStates },
      scoreFormat,
    );
  const [goOn = null, ...upNext] = home.goOn.map((card) => toUpNextCard(card, language));
  const firstEpisodes = home.firstEpisodes.map(({ title, episode }) =>
    toEpisodeCard(title, episode, language),
  );
  // A new member's page begins with the offer to import a list, so it has no hero.
  const hero = goOn || home.isNew ? null : home.hero;
  const largeIds = new Set([hero?.title.malId, ...home.goOn.map(({ title }) => title.malId)]);
  // A new member's page shows the reasons of these rows as `tastes`.
  const rows = home.rows.filter(
    (row) => !(home.isNew && row.kind === "because") && !isShownLarge(row, largeIds),
  );
  const areEpisodesShown =
    goOn !== null ||
    rows.some(({ kind }) => kind === "here" || kind === "chosen") ||
    (firstEpisodes.length === 1 && firstEpisodes[0]?.malId === hero?.title.malId);
  const tastes = listTastes(home.rows);
  const missing = [...home.missing.map(({ title }) => title), ...home.planned].slice(0, maxMissing);
  return {
    goOn,
    upNext,
    firstEpisodes: areEpisodesShown ? [] : firstEpisodes,
    hero: hero && {
      ...toHero(hero.title, firstEpisodes, language),
      watch: toWatchLink(hero.step),
      kicker: hero.title.status === "Currently Airing" ? "Airing now" : undefined,
      isListed: home.cardStates.has(hero.title.malId),
    },
    isNew: home.isNew,
    tastes: home.isNew
      ? cards(
          tastes.map(({ title }) => title),
          linesOf(tastes, ({ because }) => reasonText(because, language)),
        )
      : null,
    rows: rows.map((row) => ({
      id: idOf(row),
      ...headingOf(row, preferences),
      titles: cards(row.titles, linesOfRow(row, now)),
    })),
    missing: cards(
      missing,
      linesOf(
        home.missing.filter(({ title, kind }) => kind === "next_title" || !isSingle(title)),
        missingText,
      ),
    ),
  };
}

/** The line on a title's card, by id. */
type CardLines = ReadonlyMap<number, string>;

const linesOf = <Item extends { title: Title }>(items: readonly Item[], lineOf: (item: Item) => string) =>
  new Map(items.map((item) => [item.title.malId, lineOf(item)]));

/** True if larger cards already show all titles of the row, and the row would say nothing more about them. */
const isShownLarge = ({ kind, titles }: HomeRow, largeIds: ReadonlySet<number | undefined>) =>
  kind !== "wished" && kind !== "airing for you" && titles.every(({ malId }) => largeIds.has(malId));

const maxMissing = 14;
const maxTastes = 3;

/** For a new member: the best title of each reason, then the second best of each. */
function listTastes(rows: readonly HomeRow[]) {
  const reasons = rows.filter((row) => row.kind === "because");
  const inTurn = Array.from({ length: maxTastes }, (_, rank) =>
    reasons.flatMap(({ because, titles }) => {
      const title = titles[rank];
      return title ? [{ title, because }] : [];
    }),
  );
  return inTurn.flat().slice(0, maxTastes);
}

function linesOfRow(row: HomeRow, now: Date): CardLines | undefined {
  if (row.kind === "airing for you") return linesOf(row.airings, (airing) => countdownText(airing, now));
  return row.kind === "wished" ? linesOfWishes(row.wishes) : undefined;
}

/** "Episode 4", or "Episodes 4, 5", where a member wished for these and not for the title. */
function linesOfWishes(wishes: readonly WishTarget[]): CardLines {
  const episodesByTitle = valuesByKey(wishes.map(({ malId, episode }) => [malId, episode]));
  const ofEpisodes = [...episodesByTitle].filter(([, episodes]) => !episodes.includes(null));
  return new Map(
    ofEpisodes.map(([malId, episodes]) => [
      malId,
      `${episodes.length === 1 ? "Episode" : "Episodes"} ${episodes.join(", ")}`,
    ]),
  );
}

/** "Ep 5 in 3 hours" */
function countdownText({ at, episode }: { at: string; episode: number | null }, now: Date) {
  const inTime = `in ${spanText(new Date(at).getTime() - now.getTime())}`;
  return episode === null ? `Next ${inTime}` : `Ep ${episode} ${inTime}`;
}

const missingText = ({ kind, episode }: UpNext) =>
  kind === "next_title" ? "Next part" : `Next: Ep ${episode}`;

/** Only rows with reasons repeat their kind, and the titles of two reasons can have the same name. */
const idOf = (row: HomeRow) =>
  row.kind === "because" && row.because.kind !== "genre" ? `because ${row.because.title.malId}` : row.kind;

type Heading = { title: string; more?: string };

function headingOf(row: HomeRow, { titleLanguage: language, timeZone }: HomePreferences): Heading {
  switch (row.kind) {
    case "playable":
      return { title: "Watch now", more: browsePath("?watch=1") };
    case "airing today":
      // Until the browser has told its time zone, the day is that of Japan.
      return { title: timeZone === null ? "Airing today in Japan" : "Airing today", more: schedulePath() };
    case "airing for you":
      return { title: "New episodes of what you follow", more: schedulePath() };
    case "here":
      return { title: "Watch here", more: browsePath("?watch=1") };
    case "missed":
      return { title: "Missed sequels" };
    case "because":
      return { title: reasonText(row.because, language) };
    case "season":
      return { title: seasonLabel(row.season), more: seasonPath(row.season) };
    case "wished":
      return { title: "Here, as you wished", more: wishesPath() };
    case "new here":
      return { title: "New here", more: browsePath("?watch=1") };
    case "best rated":
      return { title: "Top rated", more: browsePath("?sort=score") };
    case "movies":
      return { title: "Movies", more: browsePath("?type=movie") };
    case "chosen":
      return { title: "Chosen for you" };
    case "allowed":
      return { title: "Titles for you" };
    case "coming up":
      return { title: "Coming up", more: browsePath("?status=upcoming") };
  }
}

function reasonText(because: Recommendation["because"], language: TitleLanguage): string {
  if (because.kind === "genre") return `Because you like ${because.genre}`;
  const { name } = nameIn(because.title, language);
  return because.kind === "liked" ? `Because you liked ${name}` : `Because you love ${name}`;
}

const episodeWidthPx = 640;

const episodeOf = (title: Title, episode: Pick<Episode, "number" | "title">, language: TitleLanguage) => ({
  malId: title.malId,
  path: watchPath(title.malId, episode.number),
  ...nameIn(title, language),
  ...drawnLanguageOf(title, language),
  ...(isSingle(title)
    ? { episode: null, episodeTitle: null }
    : { episode: episode.number, episodeTitle: episodeNameOf(episode) }),
});

const toEpisodeCard = (title: Title, episode: Episode, language: TitleLanguage): EpisodeTitle => ({
  ...episodeOf(title, episode, language),
  image: proxiedPictureUrl(episode.imageUrl, episodeWidthPx),
  positionSeconds: 0,
  durationSeconds: episode.durationSeconds,
});

function toUpNextCard(card: UpNext, language: TitleLanguage): EpisodeTitle {
  const { kind, title, duration } = card;
  return {
    ...episodeOf(title, { number: card.episode, title: card.episodeTitle }, language),
    isNextPart: kind === "next_title",
    image: proxiedPictureUrl(card.episodeImage, episodeWidthPx) ?? bannerUrl(title.bannerImage),
    positionSeconds: card.position,
    durationSeconds: duration !== null && duration > 0 ? duration : null,
  };
}

/** A title that an operator added has no banner, so the still of its first episode replaces it. */
function toHero(title: Title, episodes: readonly EpisodeTitle[], language: TitleLanguage): HeroTitle {
  const still = episodes.find(({ malId }) => malId === title.malId)?.image ?? null;
  return {
    ...toTitleCard(title, language),
    synopsis: title.synopsis === null ? null : shortenSynopsis(title.synopsis),
    banner: bannerUrl(title.bannerImage) ?? still,
  };
}

const maxSynopsisLength = 280;

const shortenSynopsis = (text: string) =>
  text.length <= maxSynopsisLength ? text : `${text.slice(0, maxSynopsisLength).replace(/\s+\S*$/, "")}…`;
