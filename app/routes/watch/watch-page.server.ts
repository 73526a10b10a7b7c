import type { PagePreferences } from "#app/access/viewer.server.ts";
import {
  type Episode,
  episodeLabelOf,
  episodeNameOf,
  isSingle,
  type Title,
} from "#app/domain/catalog/catalog.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { StoredResumePoint } from "#app/domain/library/library.server.ts";
import { isTicked, maxResumeShare, minResumeSeconds, type Ticks } from "#app/domain/library/library.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import { posterPathsOf, titlePath, watchPath } from "#app/paths.ts";
import { drawnLanguageOf, episodeFacts, toEpisode } from "#app/routes/views/title-views.server.ts";
import type { EpisodeItem } from "#app/ui/titles/episode-list.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";
import type { EpisodeTile } from "./episode-row.tsx";
import type { EpisodeLink } from "./player/state/playback.ts";
import { rowAround } from "./viewer-state.server.ts";

type WatchPageInput = {
  title: Title;
  /** Its URLs are playable: paths of this site or of its proxy. */
  episode: EpisodeWithFilms;
  /** The page of the episode list with this episode, and the previous or next episode if it is on another page. */
  episodes: readonly Episode[];
  neighbourElsewhere: Episode | null;
  seen: Ticks;
  resumePoints: readonly StoredResumePoint[];
  /** A visitor who must sign in for films learns nothing about which episodes are here. */
  filmsNeedSignIn: boolean;
  preferences: PagePreferences;
};

/** "Episode 3 of 28 · 13 October 2023 · 24 min". For an episode without a name, the heading already shows the number. */
function factsOf(title: Title, episode: EpisodeWithFilms): string[] {
  const place = `Episode ${episode.number}${title.episodes === null ? "" : ` of ${title.episodes}`}`;
  const isInHeading = isSingle(title) || episodeNameOf(episode) === null;
  return [...(isInHeading ? [] : [place]), ...episodeFacts(episode)];
}

const pictureWidthPx = 640;
/** Twice the still's width in the row, for dense screens. */
const stillWidthPx = 400;

/** The data of the watch page and its player. */
export function toWatchPage({
  title,
  episode,
  episodes,
  neighbourElsewhere,
  seen,
  resumePoints,
  filmsNeedSignIn,
  preferences,
}: WatchPageInput) {
  const { drawnIn } = drawnLanguageOf(title, preferences.titleLanguage);
  const { name: series, lang: seriesLang } = nameIn(title, preferences.titleLanguage);
  const pictureOf = ({ imageUrl }: Pick<Episode, "imageUrl">) =>
    proxiedPictureUrl(imageUrl, pictureWidthPx) ??
    posterPathsOf(title.malId, undefined, drawnIn)(pictureWidthPx);
  const neighbour = (step: number): EpisodeLink | null => {
    const wanted = episode.number + step;
    const neighbourEpisode = [...episodes, neighbourElsewhere].find((one) => one?.number === wanted);
    return neighbourEpisode
      ? {
          href: watchPath(title.malId, neighbourEpisode.number),
          name: episodeLabelOf(neighbourEpisode),
          picture: pictureOf(neighbourEpisode),
          isPoster: proxiedPictureUrl(neighbourEpisode.imageUrl, pictureWidthPx) === null,
          isPlayable: neighbourEpisode.sources.length > 0,
        }
      : null;
  };
  const leftOf = new Map(
    resumePoints.filter((point) => isResumed(point)).map((point) => [point.episode, point]),
  );
  const items = episodes.map((one): EpisodeItem => {
    const item = toEpisode(one, seen);
    return {
      ...item,
      state: stateOf(item, { left: leftOf.get(one.number), filmsNeedSignIn }),
      still: proxiedPictureUrl(one.imageUrl, stillWidthPx),
    };
  });
  const { first, last } = rowAround(episode.number);
  return {
    malId: title.malId,
    episode: episode.number,
    series,
    ...(seriesLang && { seriesLang }),
    isSingle: isSingle(title),
    titlePath: titlePath(title.malId, title.title),
    ...(drawnIn && { drawnIn }),
    name: isSingle(title) ? series : episodeLabelOf(episode),
    description: episode.description,
    facts: factsOf(title, episode),
    synopsis: title.synopsis,
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
    isSeen: isTicked(seen, episode.number),
    episodeCount: title.episodes,
    isLastEpisode: title.episodes !== null && episode.number >= title.episodes,
    episodes: items,
    row: items
      .filter(({ number }) => first <= number && number <= last)
      .map((item) => toTile(item, { malId: title.malId, current: episode.number, leftOf })),
  };
}

type StateContext = { left: StoredResumePoint | undefined; filmsNeedSignIn: boolean };

function stateOf({ isSeen, isPlayable }: EpisodeItem, { left, filmsNeedSignIn }: StateContext): string {
  if (!isPlayable) return filmsNeedSignIn ? "" : "Not here yet";
  return left && !isSeen ? `${Math.ceil((left.duration - left.position) / 60)} min left` : "";
}

type TileContext = {
  malId: number;
  current: number;
  leftOf: ReadonlyMap<number, StoredResumePoint>;
};

function toTile(item: EpisodeItem, { malId, current, leftOf }: TileContext): EpisodeTile {
  const place = leftOf.get(item.number);
  return {
    ...item,
    path: watchPath(malId, item.number),
    isCurrent: item.number === current,
    ...(place && { position: place.position, duration: place.duration }),
  };
}

const isResumed = ({ position, duration }: StoredResumePoint) =>
  position >= minResumeSeconds && position <= duration * maxResumeShare;
