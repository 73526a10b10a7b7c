import { noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { lockTitles, replaceTitle } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { titleInEvent } from "#app/domain/events/events.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { listMembersOf, lockMembersOf, moveMembersData } from "#app/domain/library/library.server.ts";
import { moveInProfiles } from "#app/domain/profile/profile.server.ts";
import { moveSourcesToTitle } from "#app/domain/scanning/scanning.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { db, type Transaction } from "#db/client.server.ts";

type Move = { from: number; to: number };
type ReplacementResult = { title: string };

const maxAttempts = 5;

/** The number of members with data about the title. */
export const countMembersOf = async (malId: number): Promise<number> =>
  (await listMembersOf(db, malId)).length;

/**
 * Replaces a local title with a catalog title, which gets its films and all members' data about it, in one transaction.
 */
export async function replaceLocalTitle(move: Move, actor: Actor): Promise<Outcome<ReplacementResult>> {
  if (move.from < firstLocalMalId) return refuse("invalid", "Only a local title can be replaced");
  if (move.to >= firstLocalMalId) return refuse("invalid", "Choose a title that is not a local one");
  for (let attempt = 1; ; attempt++)
    try {
      return await replaceOnce(move, actor);
    } catch (error) {
      if (!(error instanceof MembersCame) || attempt === maxAttempts) throw error;
    }
}

async function replaceOnce(move: Move, actor: Actor): Promise<Outcome<ReplacementResult>> {
  const outcome = await changeCatalog([move.to], (transaction) => replaceIn(transaction, move, actor));
  if (outcome.ok) await renewFranchises();
  return outcome;
}

/** Thrown to retry: a member added the title while this waited for its lock. */
class MembersCame extends Error {
  override name = "MembersCame";
}

async function replaceIn(
  transaction: Transaction,
  { from, to }: Move,
  actor: Actor,
): Promise<Outcome<ReplacementResult>> {
  // All code that writes a list locks the member first and reads the title second. The opposite order would deadlock.
  const members = new Set(await lockMembersOf(transaction, from));
  const titles = await lockTitles(transaction, [from, to]);
  const [local, title] = [titles.get(from), titles.get(to)];
  if (local === undefined || title === undefined) return noSuchTitle;
  const present = await listMembersOf(transaction, from);
  if (present.some((member) => !members.has(member))) throw new MembersCame();
  await moveMembersData(transaction, { from, to });
  await moveInProfiles(transaction, { from, to });
  await moveSourcesToTitle(transaction, { from, to });
  await replaceTitle(transaction, { from, to });
  const detail = `${titleInEvent(local, from)}: ${titleInEvent(title, to)}`;
  await recordEvent({ kind: "local_title_replaced", actor, detail }, transaction);
  return done({ title });
}
