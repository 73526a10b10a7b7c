import { continueOf, findNextTitle } from "#app/domain/discovery/discovery.server.ts";
import {
  findListStates,
  findResumePoint,
  findTrackChoice,
  listSeenEpisodes,
  type TitleListState,
} from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { toWatchLink } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

/** What the watch page shows of its viewer: resume point, seen episodes and list entry. A visitor has none. */
export async function getWatchState(userId: string | null, malId: number, episode: number) {
  if (userId === null)
    return { seen: [], viewerState: { isMember: false, resumePoint: null, trackChoice: null, own: null } };
  const [resumePoint, seen, trackChoice, listStates] = await Promise.all([
    findResumePoint(userId, malId, episode),
    listSeenEpisodes(userId, malId),
    findTrackChoice(userId, malId),
    findListStates(userId, [malId]),
  ]);
  const entry = listStates.get(malId);
  return {
    seen,
    viewerState: {
      isMember: true,
      resumePoint: resumePoint && { position: resumePoint.position, duration: resumePoint.duration },
      trackChoice,
      own: entry ? shownOf(entry) : null,
    },
  };
}

const shownOf = ({ type, state, score, progress, rewatchProgress }: TitleListState) => ({
  type,
  state,
  score,
  progress,
  rewatchProgress,
});

/** Where the viewer goes on with the title; null when nothing of it can be played. */
export async function getWatchLink(userId: string | null, malId: number, viewer: Viewer) {
  return toWatchLink((await continueOf(userId, [malId], viewer)).get(malId));
}

/** The title that the end card of the last episode links to. */
export async function getNextTitle(malId: number, viewer: Viewer, language: TitleLanguage) {
  const next = await findNextTitle(malId, viewer);
  return next && { path: titlePath(next.malId, next.title), ...nameIn(next, language) };
}
