import type { Episode, TitleDetails } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { posterPath, titlePath, watchPath } from "#app/paths.ts";
import type { EpisodeItem } from "#app/ui/titles/episode-list.tsx";
import { displayTitle } from "#app/ui/titles/title.ts";
import { toEpisode } from "#app/ui/titles/title-views.server.ts";
import type { EpisodeLink } from "./player/state/playback.ts";

type Given = {
  title: TitleDetails;
  episode: Episode;
  /** The page of the list that the episode is on, and the neighbour that is not on it. */
  episodes: readonly Episode[];
  beyond: Episode | null;
  watched: readonly number[];
  language: TitleLanguage;
  addressOf(url: string): string;
};

const nameOf = ({ number, title }: Episode) =>
  title === null ? `Episode ${number}` : `Episode ${number}: ${title}`;

/** What the watch page shows and the player plays, with every address ready to be asked. */
export function toWatchPage({ title, episode, episodes, beyond, watched, language, addressOf }: Given) {
  const neighbour = (step: number): EpisodeLink | null => {
    const wanted = episode.number + step;
    const found = [...episodes, beyond].find((one) => one?.number === wanted);
    return found ? { href: watchPath(title.malId, found.number), name: nameOf(found) } : null;
  };
  const seen = new Set(watched);
  return {
    malId: title.malId,
    episode: episode.number,
    series: displayTitle(title, language),
    titlePath: titlePath(title.malId, title.title),
    name: nameOf(episode),
    description: episode.description,
    poster: episode.imageUrl ?? posterPath(title.malId, 640),
    sources: episode.sources.map((source) => ({ ...source, url: addressOf(source.url) })),
    subtitles: episode.subtitles.map((subtitle) => ({ ...subtitle, url: addressOf(subtitle.url) })),
    skip: episode.skipSegments,
    previous: neighbour(-1),
    next: neighbour(1),
    episodes: episodes.map((one): EpisodeItem => toEpisode(one, seen)),
  };
}
