import { continueOf, findNextTitle } from "#app/domain/discovery/discovery.server.ts";
import {
  findTitleEntries,
  findTrackChoice,
  getSeenAndNote,
  listResumePoints,
} from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { toWatchLink } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

const shownBefore = 1;
const shownAfter = 10;

/** The numbers that the row of episodes below the film shows. */
export const rowAround = (episode: number) => ({ first: episode - shownBefore, last: episode + shownAfter });

/** The viewer's data for the watch page: resume points, seen episodes and list entry. A visitor has none. */
export async function getWatchState(userId: string | null, malId: number, episode: number) {
  if (userId === null)
    return {
      seen: [],
      resumePoints: [],
      viewerState: { isMember: false, resumePoint: null, trackChoice: null, own: null },
    };
  const [resumePoints, { seen }, trackChoice, entries] = await Promise.all([
    listResumePoints(userId, malId, rowAround(episode)),
    getSeenAndNote(userId, malId),
    findTrackChoice(userId, malId),
    findTitleEntries(userId, [malId]),
  ]);
  const entry = entries.get(malId);
  const resumePoint = resumePoints.find((point) => point.episode === episode);
  return {
    seen,
    resumePoints,
    viewerState: {
      isMember: true,
      resumePoint: resumePoint ? { position: resumePoint.position, duration: resumePoint.duration } : null,
      trackChoice,
      own: entry ?? null,
    },
  };
}

/**
 * A link to the episode where the viewer continues the title; null if there is none. Its label names the episode,
 * because the link leads away from this page's episode.
 */
export async function getWatchLink(userId: string | null, malId: number, viewer: Viewer) {
  const step = (await continueOf(userId, [malId], viewer)).get(malId);
  const link = toWatchLink(step);
  return link && step && !step.isFinished && !step.hasStarted && !step.isSingle && step.hasSource
    ? { ...link, label: `Watch · Ep ${step.episode}` }
    : link;
}

type NextFor = { userId: string | null; viewer: Viewer; language: TitleLanguage };

/** The title that the end card of the last episode links to. */
export async function getNextTitle(malId: number, { language, ...watcher }: NextFor) {
  const next = await findNextTitle(malId, watcher);
  return next && { path: titlePath(next.malId, next.title), ...nameIn(next, language) };
}
