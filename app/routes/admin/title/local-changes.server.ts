import type { SignedInOperator } from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import {
  countMembersOf,
  createLocalTitle,
  replaceLocalTitle,
} from "#app/domain/local-titles/local-titles.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { findTitles } from "../found-titles.server.ts";
import type { Change } from "./title-changes.server.ts";

/** The changes to local titles that the admin page of a title makes. */

type LocalChange = Extract<Change, { intent: "create-local" | "replace" }>;

export const isLocalChange = (change: Change): change is LocalChange =>
  change.intent === "create-local" || change.intent === "replace";

/** Applies the change, and returns the id of the title whose page comes next. */
export async function applyLocalChange(
  malId: number,
  change: LocalChange,
  operator: SignedInOperator,
): Promise<Outcome<number>> {
  if (change.intent === "create-local") {
    const { title: name, type, sameAs } = change;
    const made = await createLocalTitle(
      { name, type, sameAs: sameAs.split(/\s+/).filter(Boolean) },
      operator,
    );
    return made.ok ? done(made.value.malId) : made;
  }
  const replaced = await replaceLocalTitle({ from: malId, to: change.by }, operator);
  return replaced.ok ? done(change.by) : replaced;
}

/**
 * The data with which a local title's page offers to replace it by a title of the catalog. Null if the title is not
 * local.
 */
export async function findSameTitle(malId: number, same: string, by: string, language: TitleLanguage) {
  if (malId < firstLocalMalId) return null;
  const [found, [chosen], members] = await Promise.all([
    findTitles(same, language),
    findTitles(/^\d{1,9}$/.test(by) ? by : "", language),
    countMembersOf(malId),
  ]);
  const isReal = (one: { malId: number }) => one.malId < firstLocalMalId;
  return {
    same,
    found: found.filter(isReal),
    chosen: chosen && isReal(chosen) ? { ...chosen, members } : null,
  };
}
