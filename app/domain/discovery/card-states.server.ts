import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import { findListStates, type TitleListState } from "#app/domain/library/library.server.ts";
import { continueOf, type NextStep } from "./continue.server.ts";

/** What a card shows of its viewer: the list state, and of a title that they are watching where they go on. */
export type CardState = TitleListState & { step: NextStep | undefined };

export async function findCardStates(
  userId: string | null,
  malIds: readonly number[],
  viewer: Viewer,
): Promise<ReadonlyMap<number, CardState>> {
  const listStates = await findListStates(userId, malIds);
  const watching = [...listStates].filter(
    ([, { type, state }]) => type === "Watching" && state !== "on_hold",
  );
  const steps = await continueOf(
    userId,
    watching.map(([malId]) => malId),
    viewer,
  );
  return new Map([...listStates].map(([malId, state]) => [malId, { ...state, step: steps.get(malId) }]));
}
