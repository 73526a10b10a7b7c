import { isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { continueOf, findNextTitle } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import { findTitleVerdict, listChildren } from "#app/domain/household/household.server.ts";
import { findWishing, getSeenAndNote, getTitleStates } from "#app/domain/library/library.server.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import { isFavorite } from "#app/domain/profile/profile.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { nextPartFor } from "#app/routes/views/franchise-views.server.ts";
import { missingEpisodeText, toWatchLink, withListStatus } from "#app/routes/views/title-views.server.ts";
import { toWish } from "#app/routes/views/wish-view.server.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import { nameIn } from "#app/ui/titles/title-name.ts";

type States = Pick<Awaited<ReturnType<typeof getTitleStates>>, "listed" | "dismissed" | "inDroppedFranchise">;

type StateRequest = {
  user: SessionUser | null;
  viewer: Viewer;
  language: TitleLanguage;
  /** The ids of the titles in the rows below the title. */
  cards: readonly number[];
  franchise: FranchiseAround | null;
};

/**
 * The viewer's data for a title's page: the list entry, the seen episodes, the episode to continue with, the favorite,
 * the owner's verdict for children, the wish for the film, the next title, and the states of the cards.
 */
export async function getViewerState(
  malId: number,
  { user, viewer, language, cards, franchise }: StateRequest,
) {
  const userId = user?.id ?? null;
  const parts = (franchise?.places ?? []).map((place) => place.malId);
  const [{ listed, dismissed, inDroppedFranchise }, steps, { seen, notes }, favorite, wishing, forChildren] =
    await Promise.all([
      getTitleStates(userId, [malId, ...cards]),
      continueOf(userId, [malId], viewer, { ifBegun: parts }),
      user === null ? { seen: [], notes: "" } : getSeenAndNote(user.id, malId),
      user !== null && isFavorite(user.id, malId),
      findWishing(user, { malId, episode: null }, viewer),
      getVerdict(malId, user),
    ]);
  const entry = listed.get(malId);
  const step = steps.get(malId);
  const missing = missingEpisodeText(step);
  const wish = step && missing !== null ? await findWishing(user, step, viewer) : wishing;
  const nextPart = user && franchise ? await findOpenPart({ listed, steps }, franchise, viewer) : null;
  // The button names the same title as the line of the franchise, if that names one.
  const next = step?.isFinished ? (nextPart ?? (await findNextTitle(malId, { userId, viewer }))) : null;
  return {
    entry: entry ? { ...entry, notes } : null,
    states: { listed, dismissed, inDroppedFranchise },
    seen,
    /** The number of the episode to continue with, or else of the first one that can be watched. */
    continuesAtEpisode: step?.hasStarted && !step.isFinished ? step.episode : (step?.firstPlayable ?? 1),
    watch: toWatchLink(step),
    missing,
    isFavorite: favorite,
    wish: wish && toWish(wish),
    nextPart: nextPart && { malId: nextPart.malId, ...nameIn(nextPart, language) },
    next: next && { path: titlePath(next.malId, next.title), ...nameIn(next, language) },
    forChildren,
  };
}

async function findOpenPart(
  own: Parameters<typeof nextPartFor>[1],
  franchise: FranchiseAround,
  viewer: Viewer,
) {
  const next = nextPartFor(franchise.places, own);
  if (next === null) return null;
  const inLine = franchise.parts.find((part) => part.malId === next);
  return inLine?.title ?? (await listTitlesById([next], viewer))[0] ?? null;
}

type Rows = { related: CardTitle[]; similar: CardTitle[] };

/**
 * Adds the viewer's entries to the cards of related and similar titles. Similar titles of a franchise are left out
 * if the member has dropped one of its titles.
 */
export const withOwnStates = <Page extends Rows>(
  page: Page,
  states: States,
  scoreFormat: ScoreFormat,
): Page => ({
  ...page,
  related: withListStatus(page.related, states, scoreFormat),
  similar: withListStatus(
    page.similar.filter(({ malId }) => !states.inDroppedFranchise.has(malId)),
    states,
    scoreFormat,
  ),
});

/** Null if the viewer does not decide what a child sees. */
async function getVerdict(malId: number, user: SessionUser | null) {
  if (user === null || !user.isBesideChild || !isOwner(user)) return null;
  const [verdict, children] = await Promise.all([
    findTitleVerdict(user.accountId, malId),
    listChildren(user.accountId),
  ]);
  return {
    verdict,
    children: children.map(({ name, ceiling }) => ({ name, isChosen: ceiling === "chosen" })),
  };
}
