import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import type { TitleDetails } from "#app/domain/catalog/catalog.ts";
import { isFilmAway } from "#app/domain/films/films.server.ts";
import { findWishing, maxOpenWishes } from "#app/domain/library/library.server.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { toEpisode } from "#app/routes/views/title-views.server.ts";
import { toWish } from "#app/ui/forms/wish-view.ts";
import { getWatchLink } from "./viewer-state.server.ts";

/** What the page shows in the place of a film. */
export async function getInstead(
  title: TitleDetails,
  episode: EpisodeWithFilms,
  { viewer, user }: { viewer: Viewer; user: SessionUser | null },
) {
  if (episode.sources.length > 0) return null;
  const { malId, number } = episode;
  const [watch, isAway, wishing] = await Promise.all([
    getWatchLink(user?.id ?? null, malId, viewer),
    isFilmAway(malId, number, viewer),
    findWishing(user, malId, viewer),
  ]);
  return {
    watch,
    isAway,
    wish: wishing && toWish(wishing, maxOpenWishes),
    ...toStage(title, episode),
  };
}

/** What is known of an episode without a film: "Episode 3 of 28 · 13 October 2023 · 24 min", and what the title is about. */
function toStage({ episodes, synopsis }: TitleDetails, episode: EpisodeWithFilms) {
  const place = episodes === null ? `Episode ${episode.number}` : `Episode ${episode.number} of ${episodes}`;
  return {
    facts: [place, toEpisode(episode, []).note].filter(Boolean).join(" · "),
    about: episode.description === null ? synopsis : null,
  };
}
