import { findSession, type NewSession } from "#app/domain/accounts/accounts.server.ts";
import { editList, findListStates } from "#app/domain/library/library.server.ts";
import { splitAddition } from "#app/paths.ts";
import { viewerOf } from "./viewer.server.ts";

/**
 * A visitor who presses "Add to list" signs in or up first, and the path to come back to holds the title. This puts the
 * title on the list of the new session's member and returns the path without it. A title that is on the list stays as it is.
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
