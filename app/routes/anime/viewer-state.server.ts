import { findTitleVerdict } from "#app/domain/accounts/accounts.server.ts";
import { isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import { continueOf, findNextTitle } from "#app/domain/discovery/discovery.server.ts";
import { findListStates, listSeenEpisodes } from "#app/domain/library/library.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { toWatchLink } from "#app/ui/titles/title-views.server.ts";

type Watching = { user: SessionUser | null; viewer: Viewer; language: TitleLanguage };

/** What the page of a title shows of its viewer: the list entry, the seen episodes, where to go on, and children. */
export async function getViewerState(malId: number, { user, viewer, language }: Watching) {
  const userId = user?.id ?? null;
  const [listStates, seen, steps, forChildren] = await Promise.all([
    findListStates(userId, [malId]),
    userId === null ? [] : listSeenEpisodes(userId, malId),
    continueOf(userId, [malId], viewer),
    getVerdict(malId, user),
  ]);
  const step = steps.get(malId);
  const next = step?.isFinished ? await findNextTitle(malId, viewer) : null;
  return {
    entry: listStates.get(malId) ?? null,
    seen,
    watch: toWatchLink(step),
    forChildren,
    next: next && { path: titlePath(next.malId, next.title), ...nameIn(next, language) },
  };
}

/** Null if the viewer does not decide what a child sees. */
async function getVerdict(malId: number, user: SessionUser | null) {
  if (user === null || !user.isBesideChild || !isOwner(user)) return null;
  return { verdict: await findTitleVerdict(user.accountId, malId) };
}
