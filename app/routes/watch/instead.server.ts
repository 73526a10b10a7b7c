import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { isFilmAway } from "#app/domain/films/films.server.ts";
import { findWishing, maxOpenWishes } from "#app/domain/library/library.server.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { toWish } from "#app/ui/forms/wish-view.ts";
import { getWatchLink } from "./viewer-state.server.ts";

/** The content that the page shows when an episode has no film. */
export async function getInstead(
  malId: number,
  episode: EpisodeWithFilms,
  { viewer, user }: { viewer: Viewer; user: SessionUser | null },
) {
  if (episode.sources.length > 0) return null;
  const { number } = episode;
  const [watch, isAway, wishing] = await Promise.all([
    getWatchLink(user?.id ?? null, malId, viewer),
    isFilmAway(malId, number, viewer),
    findWishing(user, malId, viewer),
  ]);
  return {
    watch,
    isAway,
    wish: wishing && toWish(wishing, maxOpenWishes),
  };
}
