import type { PagePreferences } from "#app/access/viewer.server.ts";
import type { Episode, TitleDetails } from "#app/domain/catalog/catalog.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { Ticks } from "#app/domain/library/library.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import { posterPath, titlePath, watchPath } from "#app/paths.ts";
import { ownNameOf, toEpisode } from "#app/routes/views/title-views.server.ts";
import type { EpisodeItem } from "#app/ui/titles/episode-list.tsx";
import { displayTitle } from "#app/ui/titles/title-name.ts";
import type { EpisodeLink } from "./player/state/playback.ts";

type WatchPageInput = {
  title: TitleDetails;
  /** Its URLs are playable: paths of this site or of its proxy. */
  episode: EpisodeWithFilms;
  /** The page of the episode list with this episode, and the previous or next episode if it is on another page. */
  episodes: readonly Episode[];
  neighbourElsewhere: Episode | null;
  seen: Ticks;
  preferences: PagePreferences;
};

function nameOf(episode: Pick<Episode, "number" | "title">) {
  const name = ownNameOf(episode);
  return name === null ? `Episode ${episode.number}` : `Episode ${episode.number}: ${name}`;
}

/** "Episode 3 of 28 · 13 October 2023 · 24 min" */
function factsOf({ episodes }: TitleDetails, episode: EpisodeWithFilms): string {
  const place = episodes === null ? `Episode ${episode.number}` : `Episode ${episode.number} of ${episodes}`;
  return [place, toEpisode(episode, []).note].filter(Boolean).join(" · ");
}

const pictureWidthPx = 640;
/** Twice the still's width in the list, for dense screens. */
const stillWidthPx = 192;

/** The data of the watch page and its player. */
export function toWatchPage({
  title,
  episode,
  episodes,
  neighbourElsewhere,
  seen,
  preferences,
}: WatchPageInput) {
  const pictureOf = ({ imageUrl }: Pick<Episode, "imageUrl">) =>
    proxiedPictureUrl(imageUrl, pictureWidthPx) ?? posterPath(title.malId, pictureWidthPx);
  const neighbour = (step: number): EpisodeLink | null => {
    const wanted = episode.number + step;
    const found = [...episodes, neighbourElsewhere].find((one) => one?.number === wanted);
    return found
      ? { href: watchPath(title.malId, found.number), name: nameOf(found), picture: pictureOf(found) }
      : null;
  };
  return {
    malId: title.malId,
    episode: episode.number,
    series: displayTitle(title, preferences.titleLanguage),
    titlePath: titlePath(title.malId, title.title),
    name: nameOf(episode),
    description: episode.description,
    facts: factsOf(title, episode),
    /** The title's synopsis, shown when the episode has no description. */
    about: episode.description === null ? title.synopsis : null,
    poster: pictureOf(episode),
    still: proxiedPictureUrl(episode.imageUrl, pictureWidthPx),
    sources: episode.sources,
    subtitles: episode.subtitles,
    bitmaps: episode.bitmaps,
    undrawable: episode.undrawable,
    missing: episode.missing,
    trackSettings: {
      soundLanguage: preferences.soundLanguage,
      subtitleLanguages: preferences.subtitleLanguages,
      plainSubtitles: preferences.plainSubtitles,
    },
    skip: episode.skipSegments,
    chapters: episode.chapters,
    previous: neighbour(-1),
    next: neighbour(1),
    skipsSegments: preferences.skipsSegments,
    playsNext: preferences.playsNext,
    isRemembered: !preferences.forgetsWatched,
    isSeen: seen.some(([first, last]) => first <= episode.number && episode.number <= last),
    episodeCount: title.episodes,
    isLastEpisode: title.episodes !== null && episode.number >= title.episodes,
    episodes: episodes.map(
      (one): EpisodeItem => ({
        ...toEpisode(one, seen),
        still: proxiedPictureUrl(one.imageUrl, stillWidthPx),
      }),
    ),
  };
}
