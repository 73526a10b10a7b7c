import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { isFilmAway } from "#app/domain/films/films.server.ts";
import { findWishing, type WishTarget } from "#app/domain/library/library.server.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { drawnLanguageOf } from "#app/routes/views/title-views.server.ts";
import { toWish } from "#app/routes/views/wish-view.server.ts";
import { getWatchLink } from "./viewer-state.server.ts";

/** The content that the page shows when an episode has no film. */
export async function getInstead(
  title: Title,
  episode: EpisodeWithFilms,
  { viewer, user, language }: { viewer: Viewer; user: SessionUser | null; language: TitleLanguage },
) {
  if (episode.sources.length > 0) return null;
  const { malId } = title;
  const { number } = episode;
  const [watch, isAway, forTitle, forEpisode] = await Promise.all([
    getWatchLink(user?.id ?? null, malId, viewer),
    isFilmAway(malId, number, viewer),
    findWishing(user, { malId, episode: null }, viewer),
    findWishing(user, { malId, episode: number }, viewer),
  ]);
  // A title without any film takes a wish for all of it. The episode's own wish stays, so that it can be taken back.
  const wishing = forTitle !== null && !forEpisode?.isWished ? forTitle : forEpisode;
  return {
    ...drawnLanguageOf(title, language),
    watch,
    isAway,
    wish: wishing && toWish(wishing),
  };
}

/** For the end card of the episode before this one. Null if the member cannot wish for this one, or has done so. */
export async function getNewWish(
  target: WishTarget,
  { viewer, user }: { viewer: Viewer; user: SessionUser | null },
) {
  const wishing = await findWishing(user, target, viewer);
  return wishing?.canWish && !wishing.isWished ? toWish(wishing) : null;
}
