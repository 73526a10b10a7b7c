import { isOwner, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { findNextTitle, getStates } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import { findTitleVerdict, listChildren } from "#app/domain/household/household.server.ts";
import { findWishing, listSeenEpisodes } from "#app/domain/library/library.server.ts";
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

type States = Pick<Awaited<ReturnType<typeof getStates>>, "listed" | "dismissed" | "inDroppedFranchise">;

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
  const shown = [malId, ...cards];
  const parts = (franchise?.places ?? []).map((place) => place.malId);
  const [states, seen, favorite, wishing, forChildren] = await Promise.all([
    getStates(user?.id ?? null, { shown, opened: malId, franchise: parts }, viewer),
    user === null ? [] : listSeenEpisodes(user.id, malId),
    user !== null && isFavorite(user.id, malId),
    findWishing(user, { malId, episode: null }, viewer),
    getVerdict(malId, user),
  ]);
  const step = states.steps.get(malId);
  const missing = missingEpisodeText(step);
  const wish = step && missing !== null ? await findWishing(user, step, viewer) : wishing;
  const nextPart = user && franchise ? await findOpenPart(states, franchise, viewer) : null;
  // The button names the same title as the line of the franchise, if that names one.
  const next = step?.isFinished
    ? (nextPart ?? (await findNextTitle(malId, { userId: user?.id ?? null, viewer })))
    : null;
  return {
    entry: states.entries.get(malId) ?? null,
    states: {
      listed: states.listed,
      dismissed: states.dismissed,
      inDroppedFranchise: states.inDroppedFranchise,
    },
    seen,
    /** The number of the episode to continue with; 1 if there is none. */
    continuesAtEpisode: step?.hasStarted && !step.isFinished ? step.episode : 1,
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
  states: Parameters<typeof nextPartFor>[1],
  franchise: FranchiseAround,
  viewer: Viewer,
) {
  const next = nextPartFor(franchise.places, states);
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
