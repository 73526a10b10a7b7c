import { and, eq, isNull } from "drizzle-orm";
import { type FoundSession, whileSessionValid } from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import type { EventActor } from "#app/domain/events/events.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { checkPassword } from "./credentials/passwords.server.ts";
import { isRecentSignIn } from "./credentials/recent-sign-in.ts";

type Request = { userId: string; signedInAt: Date; password?: string | undefined; client: string };

/** Requires the right password if one was typed, and otherwise a recent sign-in. */
export async function mayDeleteAccount({
  userId,
  signedInAt,
  password,
  client,
}: Request): Promise<Outcome<null>> {
  const isRecent = isRecentSignIn(signedInAt);
  if (password === undefined)
    return isRecent ? done(null) : refuse("forbidden", "Enter your password, or sign in again first");
  const checked = await checkPassword({ userId, client, password, field: "password" });
  if (!checked.ok) return checked;
  return checked.value !== null || isRecent
    ? done(null)
    : refuse("forbidden", "This account has no password; sign in again first");
}

/** Deletes the account of the session. `mayDeleteAccount` must have allowed it. */
export const deleteOwnAccount = (session: FoundSession): Promise<Outcome<null>> =>
  whileSessionValid(session, async (transaction) => {
    const isDeleted = await deleteUser(transaction, session.user.id, "member");
    return isDeleted ? done(null) : refuse("unauthorized");
  });

/** For the command line. Returns false if there is no such account. */
export const deleteAccount = (userId: string): Promise<boolean> =>
  withTransaction((transaction) => deleteUser(transaction, userId, "command"));

/**
 * Deletes the account and, by foreign keys, its profiles and every row that refers to one of them.
 * `deleteUnusedPictures` deletes its pictures later. One event remains, which names neither the account nor a network.
 */
async function deleteUser(transaction: Transaction, userId: string, kind: EventActor): Promise<boolean> {
  const deleted = await transaction
    .delete(users)
    .where(and(eq(users.id, userId), isNull(users.accountId)))
    .returning({ id: users.id });
  if (deleted.length === 0) return false;
  await recordEvent({ kind: "account_deleted", actor: { kind, ip: null } }, transaction);
  return true;
}
