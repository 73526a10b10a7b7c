import type { getVisit } from "#app/access/viewer.server.ts";
import { seasonLabel } from "#app/domain/calendar/calendar.ts";
import { type Episode, ownNameOf, type Title } from "#app/domain/catalog/catalog.ts";
import {
  getHome,
  type Home,
  type HomeRow,
  type Recommendation,
  type UpNext,
} from "#app/domain/discovery/discovery.server.ts";
import { bannerUrl, proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { Wished } from "#app/domain/library/library.server.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { browsePath, schedulePath, seasonPath, titlePath, watchPath, wishesPath } from "#app/paths.ts";
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
  const isChild = viewer.ceiling !== undefined;
  const home = await getHome({ userId: user?.id ?? null, viewer, timeZone }, now);
  return { isChild, ...toHomePage({ ...home, isNew: home.isNew && !isChild }, preferences, now) };
}

type HomePreferences = { titleLanguage: TitleLanguage; scoreFormat: ScoreFormat };

/** The home page's loader data: titles as cards, and every row with its heading. */
function toHomePage(home: Home, { titleLanguage: language, scoreFormat }: HomePreferences, now: Date) {
  const cards = (titles: readonly Title[], whyOf: (malId: number) => string | undefined = () => undefined) =>
    withListStatus(
      titles.map((title) => toTitleCard(title, language, whyOf(title.malId))),
      { listed: home.listStates },
      scoreFormat,
    );
  const firstEpisodes = home.firstEpisodes.map(({ title, episode }) =>
    toEpisodeCard(title, episode, language),
  );
  const [first, ...others] = home.goOn.map((card) => toUpNextCard(card, language));
  // A new member's page begins with the offer to import a list, so it has no hero.
  const hero = first || home.isNew ? null : home.hero;
  const tastes = home.isNew ? tasteRow(home.rows, language) : null;
  const isHeroAlone = firstEpisodes.length === 1 && firstEpisodes[0]?.malId === hero?.title.malId;
  const large = new Set([hero?.title.malId, ...home.goOn.map(({ title }) => title.malId)]);
  const rows = home.rows.filter((row) => !(tastes && row.kind === "because") && !isShownLarge(row, large));
  const hasHere = rows.some(({ kind }) => kind === "here");
  return {
    goOn: first ?? null,
    upNext: others,
    // The large card or the row "Watch here" already shows these titles.
    firstEpisodes: first || hasHere || isHeroAlone ? [] : firstEpisodes,
    hero: hero && {
      ...toHero(hero.title, firstEpisodes, language),
      watch: toWatchLink(hero.step),
      isListed: home.listStates.has(hero.title.malId),
    },
    isNew: home.isNew,
    tastes: tastes && cards(tastes.titles, (malId) => tastes.reasons.get(malId)),
    rows: rows.map((row) => ({
      ...headingOf(row, language),
      titles: cards(row.titles, reasonsOf(row, now)),
    })),
    missing: cards(
      [...home.missing.map(({ title }) => title), ...home.planned].slice(0, maxMissing),
      (malId) => missingText(home.missing.find(({ title }) => title.malId === malId)),
    ),
  };
}

/** True if larger cards already show all titles of the row, and the row would say nothing more about them. */
const isShownLarge = ({ kind, titles }: HomeRow, large: ReadonlySet<number | undefined>) =>
  kind !== "wished" && kind !== "airing for you" && titles.every(({ malId }) => large.has(malId));

const maxMissing = 14;
const maxTastes = 3;

/** For a new member: the best title of each reason first, and its reason on the card. */
function tasteRow(
  rows: readonly HomeRow[],
  language: TitleLanguage,
): { titles: Title[]; reasons: ReadonlyMap<number, string> } {
  const reasons = rows.flatMap((row) => (row.kind === "because" ? [row] : []));
  const inTurn = Array.from({ length: maxTastes }, (_, place) =>
    reasons.flatMap(({ because, titles }) => {
      const title = titles[place];
      return title ? [{ title, reason: reasonText(because, language) }] : [];
    }),
  ).flat();
  const chosen = inTurn.slice(0, maxTastes);
  return {
    titles: chosen.map(({ title }) => title),
    reasons: new Map(chosen.map(({ title, reason }) => [title.malId, reason])),
  };
}

/** The line on each card of the row, if its cards have one. */
function reasonsOf(row: HomeRow, now: Date) {
  if (row.kind === "airing for you") return countdownsOf(row.airings, now);
  return row.kind === "wished" ? wishedEpisodesOf(row.wishes) : undefined;
}

/** "Episode 4", or "Episodes 4, 5", where a member wished for these and not for the title. */
const wishedEpisodesOf = (wishes: readonly Wished[]) => (malId: number) => {
  const wished = wishes.filter((wish) => wish.malId === malId).map(({ episode }) => episode);
  if (wished.includes(null)) return undefined;
  return `${wished.length === 1 ? "Episode" : "Episodes"} ${wished.join(", ")}`;
};

/** "Ep 5 in 3 hours" */
function countdownsOf(airings: readonly { title: Title; at: string; episode: number | null }[], now: Date) {
  const texts = airings.map(({ title, at, episode }) => {
    const inTime = `in ${spanText(new Date(at).getTime() - now.getTime())}`;
    return [title.malId, episode === null ? `Next ${inTime}` : `Ep ${episode} ${inTime}`] as const;
  });
  const byTitle = new Map(texts);
  return (malId: number) => byTitle.get(malId);
}

const missingText = (card: UpNext | undefined) =>
  card && (card.kind === "next_title" ? "Next part" : `Next: Ep ${card.episode}`);

function headingOf(row: HomeRow, language: TitleLanguage): { title: string; more?: string } {
  switch (row.kind) {
    case "playable":
      return { title: "Watch now", more: browsePath("?watch=1") };
    case "airing today":
      return { title: "Airing today", more: schedulePath() };
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
    case "films":
      return { title: "Movies", more: browsePath("?type=movie") };
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

function toEpisodeCard(title: Title, episode: Episode, language: TitleLanguage): EpisodeTitle {
  return {
    malId: title.malId,
    path: watchPath(title.malId, episode.number),
    titlePath: titlePath(title.malId, title.title),
    ...nameIn(title, language),
    ...drawnLanguageOf(title, language),
    episode: episode.number,
    episodeTitle: ownNameOf(episode),
    image: proxiedPictureUrl(episode.imageUrl, episodeWidthPx),
    positionSeconds: 0,
    durationSeconds: episode.durationSeconds,
  };
}

function toUpNextCard(
  { kind, title, episode, episodeTitle, episodeImage, position, duration }: UpNext,
  language: TitleLanguage,
): EpisodeTitle {
  const { malId } = title;
  return {
    malId,
    path: watchPath(malId, episode),
    titlePath: titlePath(malId, title.title),
    ...drawnLanguageOf(title, language),
    ...nameIn(title, language),
    episode,
    episodeTitle: ownNameOf({ number: episode, title: episodeTitle }),
    isNextPart: kind === "next_title",
    image: proxiedPictureUrl(episodeImage, episodeWidthPx) ?? bannerUrl(title.bannerImage),
    positionSeconds: position,
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
