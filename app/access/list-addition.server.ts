import { findSession, type NewSession } from "#app/domain/accounts/accounts.server.ts";
import { editList, findListStates } from "#app/domain/library/library.server.ts";
import { splitAddition } from "#app/paths.ts";
import { viewerOf } from "./viewer.server.ts";

/**
 * A visitor who presses "Add to list" first signs in or up, and the path to return to contains the title. This adds the
 * title to the new session's list and returns the path without it. A title that is already on the list stays unchanged.
 */
export async function addAfterSignIn({ secret }: Pick<NewSession, "secret">, redirectTo: string) {
  const { path, malId } = splitAddition(redirectTo);
  if (malId === null) return path;
  const session = await findSession(secret);
  if (session === null) return path;
  const { user } = session;
  const listed = await findListStates(user.id, [malId]);
  if (!listed.has(malId)) await editList(user.id, { kind: "save", malId, type: "To Watch" }, viewerOf(user));
  return path;
}
