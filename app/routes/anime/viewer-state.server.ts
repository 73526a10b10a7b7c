import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import { continueOf, findNextTitle } from "#app/domain/discovery/discovery.server.ts";
import { findListStates, listSeenEpisodes } from "#app/domain/library/library.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { toWatchLink } from "#app/ui/titles/title-views.server.ts";

type Watching = { userId: string | null; viewer: Viewer; language: TitleLanguage };

/** What the page of a title shows of its viewer: the list entry, the seen episodes, and where to go on. */
export async function getViewerState(malId: number, { userId, viewer, language }: Watching) {
  const [listStates, seen, steps] = await Promise.all([
    findListStates(userId, [malId]),
    userId === null ? [] : listSeenEpisodes(userId, malId),
    continueOf(userId, [malId], viewer),
  ]);
  const step = steps.get(malId);
  const next = step?.isFinished ? await findNextTitle(malId, viewer) : null;
  return {
    entry: listStates.get(malId) ?? null,
    seen,
    watch: toWatchLink(step),
    next: next && { path: titlePath(next.malId, next.title), ...nameIn(next, language) },
  };
}
