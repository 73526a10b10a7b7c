import type { getVisit } from "#app/access/viewer.server.ts";
import { seasonLabel } from "#app/domain/calendar/calendar.ts";
import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import {
  getHome,
  type Home,
  type HomeRow,
  type Recommendation,
  type UpNext,
} from "#app/domain/discovery/discovery.server.ts";
import { bannerUrl, proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { browsePath, schedulePath, seasonPath, titlePath, watchPath, wishesPath } from "#app/paths.ts";
import { toTitleCard, toWatchLink, withListStatus } from "#app/routes/views/title-views.server.ts";
import type { HeroTitle } from "#app/ui/titles/hero.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";
import type { EpisodeTitle } from "./episode-card.tsx";

type Visit = Pick<Awaited<ReturnType<typeof getVisit>>, "user" | "preferences" | "viewer" | "timeZone">;

export async function getHomePage({ user, preferences, viewer, timeZone }: Visit) {
  const home = await getHome({ userId: user?.id ?? null, viewer, timeZone }, new Date());
  return toHomePage(home, preferences);
}

type HomePreferences = { titleLanguage: TitleLanguage; scoreFormat: ScoreFormat };

/** The home page's loader data: titles as cards, and every row with its heading. */
function toHomePage(home: Home, { titleLanguage: language, scoreFormat }: HomePreferences) {
  const cards = (titles: readonly Title[]) =>
    withListStatus(
      titles.map((title) => toTitleCard(title, language)),
      { listed: home.listStates },
      scoreFormat,
    );
  const firstEpisodes = home.firstEpisodes.map(({ title, episode }) =>
    toEpisodeCard(title, episode, language),
  );
  const upNext = home.upNext.map((card) => toUpNextCard(card, language));
  return {
    upNext: upNext.map((card) => ({ ...card, image: card.image ?? stillUrlOf(card, firstEpisodes) })),
    // The row "Continue watching" has the same episodes.
    firstEpisodes: upNext.length > 0 ? [] : firstEpisodes,
    hero: home.hero && {
      ...toHero(home.hero.title, firstEpisodes, language),
      watch: toWatchLink(home.hero.step),
      isListed: home.listStates.has(home.hero.title.malId),
    },
    rows: home.rows.map((row) => ({ ...headingOf(row, language), titles: cards(row.titles) })),
  };
}

function headingOf(row: HomeRow, language: TitleLanguage): { title: string; more?: string } {
  switch (row.kind) {
    case "playable":
      return { title: "Watch now", more: browsePath("?watch=1") };
    case "airing today":
      return { title: "Airing today", more: schedulePath() };
    case "airing for you":
      return { title: "Airing for you", more: schedulePath() };
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
    isPlayable: true,
    ...nameIn(title, language),
    episode: episode.number,
    episodeTitle: episode.title,
    image: proxiedPictureUrl(episode.imageUrl, episodeWidthPx),
    positionSeconds: 0,
    durationSeconds: episode.durationSeconds,
  };
}

function toUpNextCard(
  { kind, title, episode, episodeTitle, position, duration, isPlayable }: UpNext,
  language: TitleLanguage,
): EpisodeTitle {
  const { malId } = title;
  return {
    malId,
    path: isPlayable ? watchPath(malId, episode) : titlePath(malId, title.title),
    isPlayable,
    ...nameIn(title, language),
    episode,
    episodeTitle,
    isSequel: kind === "next_title",
    image: bannerUrl(title.bannerImage),
    positionSeconds: position,
    durationSeconds: duration !== null && duration > 0 ? duration : null,
  };
}

const stillUrlOf = ({ malId, episode }: EpisodeTitle, episodes: readonly EpisodeTitle[]) =>
  episodes.find((first) => first.malId === malId && first.episode === episode)?.image ?? null;

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
