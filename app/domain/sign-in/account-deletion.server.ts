import { and, eq, isNull } from "drizzle-orm";
import { type FoundSession, whileSessionValid } from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import type { EventActor } from "#app/domain/events/events.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { checkPassword } from "./credentials/passwords.server.ts";
import { isRecentSignIn } from "./credentials/recent-sign-in.ts";

type Proof = { password?: string | undefined; actor: Actor };

/** Requires the right password if one was typed, and otherwise a recent sign-in. */
async function checkProof(
  { user: { id: userId }, signedInAt }: FoundSession,
  { password, actor }: Proof,
): Promise<Outcome<null>> {
  const isRecent = isRecentSignIn(signedInAt);
  if (password === undefined)
    return isRecent ? done(null) : refuse("forbidden", "Enter your password, or sign in again first");
  const checked = await checkPassword({ userId, actor, password, field: "password" });
  if (!checked.ok) return checked;
  return checked.value !== null || isRecent
    ? done(null)
    : refuse("forbidden", "This account has no password; sign in again first");
}

/** Deletes the account of the session. */
export async function deleteOwnAccount(session: FoundSession, proof: Proof): Promise<Outcome<null>> {
  const proven = await checkProof(session, proof);
  if (!proven.ok) return proven;
  return whileSessionValid(session, async (transaction) => {
    const isDeleted = await deleteUser(transaction, session.user.id, "member");
    return isDeleted ? done(null) : refuse("unauthorized");
  });
}

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
