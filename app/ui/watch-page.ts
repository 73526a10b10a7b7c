import type { AnimeDetails, Episode } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import type { EpisodeItem } from "./episode-list.tsx";
import type { Neighbour } from "./player/playback.ts";
import { posterUrl } from "./poster.tsx";
import { displayTitle, titlePath } from "./title.ts";
import { toEpisode } from "./title-page.ts";
import { watchPath } from "./watch-path.ts";

type Given = {
  anime: AnimeDetails;
  episode: Episode;
  /** The page of the list that the episode is on, and the neighbour that is not on it. */
  episodes: readonly Episode[];
  beyond: Episode | null;
  watched: readonly number[];
  language: TitleLanguage;
  addressOf(url: string): string;
};

const nameOf = ({ episode_id, title }: Episode) =>
  title === null ? `Episode ${episode_id}` : `Episode ${episode_id}: ${title}`;

/** What the watch page shows and the player plays, with every address ready to be asked. */
export function watchPage({ anime, episode, episodes, beyond, watched, language, addressOf }: Given) {
  const neighbour = (step: number): Neighbour | null => {
    const wanted = episode.episode_id + step;
    const found = [...episodes, beyond].find((one) => one?.episode_id === wanted);
    return found ? { href: watchPath(anime.mal_id, found.episode_id), name: nameOf(found) } : null;
  };
  const seen = new Set(watched);
  return {
    malId: anime.mal_id,
    episode: episode.episode_id,
    series: displayTitle(anime, language),
    titlePath: titlePath(anime.mal_id, anime.title),
    name: nameOf(episode),
    description: episode.description,
    poster: episode.image_url ?? posterUrl(anime.mal_id, 640),
    sources: episode.sources.map((source) => ({ ...source, url: addressOf(source.url) })),
    subtitles: episode.subtitles.map((subtitle) => ({ ...subtitle, url: addressOf(subtitle.url) })),
    skip: episode.skip,
    previous: neighbour(-1),
    next: neighbour(1),
    episodes: episodes.map((one): EpisodeItem => toEpisode(one, seen)),
  };
}
