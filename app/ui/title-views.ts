import type { Anime, Episode } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import type { CardTitle } from "./card.tsx";
import type { EpisodeTitle } from "./episode-card.tsx";
import type { HeroTitle } from "./hero.tsx";
import { displayTitle, slugOf } from "./title.ts";

/** Loaders send pages what they show of a title and no more: every field costs each visitor. */

type Named = Pick<Anime, "title" | "title_english" | "title_japanese">;

export function nameIn(anime: Named, language: TitleLanguage): { name: string; lang?: "ja" } {
  const name = displayTitle(anime, language);
  return name === anime.title_japanese && name !== anime.title ? { name, lang: "ja" } : { name };
}

export function toCard(anime: Anime, language: TitleLanguage): CardTitle {
  const { mal_id: malId, type, year, episodes, score } = anime;
  return { malId, ...nameIn(anime, language), type, year: year ?? yearOf(anime.aired_from), episodes, score };
}

type Standing = { type: string; progress: number };

/** The same cards, saying where each stands on the viewer's list. */
export const withStandings = (
  cards: readonly CardTitle[],
  standings: ReadonlyMap<number, Standing>,
): CardTitle[] =>
  cards.map((card) => {
    const standing = standings.get(card.malId);
    return standing === undefined ? card : { ...card, listed: standing.type, seen: standing.progress };
  });

/** The same cards, saying under which name each was found where it is another than the one shown. */
export const withMatched = (cards: readonly CardTitle[], matched: ReadonlyMap<number, string> | undefined) =>
  cards.map((card): CardTitle => {
    const alias = matched?.get(card.malId);
    return alias === undefined || slugOf(alias) === slugOf(card.name)
      ? card
      : { ...card, why: `also known as ${alias}` };
  });

export const yearOf = (date: string | null) => (date === null ? null : Number(date.slice(0, 4)));

const bannerWidthPx = 1600;
const episodeWidthPx = 640;

/** Other hosts' pictures come through our own proxy: no visitor is made known to them. */
export function pictureUrl(address: string | null, widthPx: number): string | null {
  if (address === null || address.startsWith("/")) return address;
  return `/api/proxy?url=${encodeURIComponent(address)}&w=${widthPx}&q=70`;
}

export const bannerUrl = (address: string | null) => pictureUrl(address, bannerWidthPx);

export function toEpisodeTitle(anime: Anime, episode: Episode, language: TitleLanguage): EpisodeTitle {
  return {
    malId: anime.mal_id,
    ...nameIn(anime, language),
    episode: episode.episode_id,
    episodeTitle: episode.title,
    image: pictureUrl(episode.image_url, episodeWidthPx),
    positionSeconds: 0,
    durationSeconds: episode.duration,
  };
}

type Place = { ep: number; episodeTitle: string | null; position: number; duration: number };

export function toResumed(anime: Anime, place: Place, language: TitleLanguage): EpisodeTitle {
  return {
    malId: anime.mal_id,
    ...nameIn(anime, language),
    episode: place.ep,
    episodeTitle: place.episodeTitle,
    image: bannerUrl(anime.banner_image),
    positionSeconds: place.position,
    durationSeconds: place.duration > 0 ? place.duration : null,
  };
}

export function toHero(anime: Anime, language: TitleLanguage): HeroTitle {
  return {
    ...toCard(anime, language),
    synopsis: anime.synopsis === null ? null : shortened(anime.synopsis),
    banner: bannerUrl(anime.banner_image),
  };
}

const shortened = (text: string) =>
  text.length <= 280 ? text : `${text.slice(0, 280).replace(/\s+\S*$/, "")}…`;
