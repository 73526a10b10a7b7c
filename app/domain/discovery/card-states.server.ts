import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { getTitleStates, type TitleEntry } from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { continueOf, type NextStep } from "./next-steps.server.ts";

/** The part of a card that depends on its viewer: the list entry, and the next step if they are watching the title. */
type CardState = Pick<TitleEntry, "type" | "state" | "progress" | "score"> & {
  step: NextStep | undefined;
};
export type CardStates = ReadonlyMap<number, CardState>;

/** The states of the cards, and the titles that the viewer dismissed. */
type ShownStates = { listed: CardStates; dismissed: ReadonlySet<number> };

export async function getCardStates(
  member: Pick<SessionUser, "id"> | null,
  malIds: readonly number[],
  viewer: Viewer,
): Promise<ShownStates> {
  const { listed, dismissed } = await getStates(member?.id ?? null, { shown: malIds }, viewer);
  return { listed, dismissed };
}

type StateRequest = {
  /** The titles that have cards. */
  shown: readonly number[];
  /** The title whose next step is needed in any case. */
  opened?: number;
  /** The titles of a franchise, whose next steps are needed if the member has listed or begun them. */
  franchise?: readonly number[];
};

/** Finds the viewer's entries and next steps for a page. Both queries run at the same time. */
export async function getStates(
  userId: string | null,
  { shown, opened, franchise = [] }: StateRequest,
  viewer: Viewer,
) {
  const always = opened === undefined ? [] : [opened];
  const [{ listed, dismissed, inDroppedFranchise }, steps] = await Promise.all([
    getTitleStates(userId, shown),
    continueOf(userId, always, viewer, { ifWatching: shown, ifBegun: franchise }),
  ]);
  return { entries: listed, listed: withSteps(listed, steps), dismissed, inDroppedFranchise, steps };
}

/** Adds the next steps. Leaves out notes, tags and ticks, because they are large and no card shows them. */
export function withSteps(
  entries: ReadonlyMap<number, TitleEntry>,
  steps: ReadonlyMap<number, NextStep>,
): CardStates {
  const stepOf = (malId: number, { type, state }: TitleEntry) =>
    type === "Watching" && state !== "on_hold" ? steps.get(malId) : undefined;
  const cardOf = ([malId, entry]: [number, TitleEntry]): [number, CardState] => {
    const { type, state, progress, score } = entry;
    return [malId, { type, state, progress, score, step: stepOf(malId, entry) }];
  };
  return new Map([...entries].map(cardOf));
}
