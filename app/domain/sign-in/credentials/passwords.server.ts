import { and, eq } from "drizzle-orm";
import {
  type ClientDevice,
  deleteSessions,
  type FoundSession,
  ipHash,
  isOfAccount,
  lockAccount,
  recordIp,
  replaceSessionSecret,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import {
  accessTokens,
  credentials,
  knownAddresses,
  mailedTokens,
  signInFailures,
} from "#db/schema/accounts.ts";
import { listPasswordIssues } from "../new-account.server.ts";
import { consumeLink, findLinkOwner, linkUsedRefusal } from "./mailed-links.server.ts";
import { countFailure, isThrottled } from "./password-failures.server.ts";
import { hashCost, hashPassword, turnOfMember, verifyPassword } from "./password-hashing.server.ts";

type PasswordChange = {
  /** The owner's session, which makes the change. It gets a new secret; all other sessions of the account end. */
  session: FoundSession;
  /** Required if the account has a password. */
  current?: string | undefined;
  password: string;
  /** By default the access tokens end too, because somebody may have made one with the old password. */
  endTokens?: boolean;
  actor: Actor;
};

/** Returns a new secret for the session, so that a copied session cookie stops working. */
export async function changePassword({
  session,
  current,
  password,
  endTokens = true,
  actor,
}: PasswordChange): Promise<Outcome<string>> {
  const issues = listPasswordIssues(password);
  if (issues.length > 0) return refuse("invalid", "The new password does not keep the rules", issues);
  const { id: userId } = session.user;
  const checked = await checkPassword({ userId, actor, password: current, field: "current" });
  if (!checked.ok) return checked;
  const hashed = await hashPassword(password, turnOfMember(actor.ip ?? userId, userId));
  if (!hashed.ok) return hashed;
  // The current password proves nothing if the account has none, so an ended session could set its first one.
  return whileSessionValid(session, async (transaction) => {
    const stored = await storePassword(transaction, userId, hashed.value, checked.value);
    if (!stored)
      return refuse(
        "conflict",
        "The password was changed elsewhere a moment ago; reload the page and try again",
      );
    await deleteSessions(userId, { except: session.id }, transaction);
    await deleteResetLinks(transaction, userId);
    if (endTokens) await deleteAccessTokens(transaction, userId);
    await recordEvent({ kind: "password_changed", userId, actor }, transaction);
    return done(await replaceSessionSecret(session.id, transaction));
  });
}

const wrongPasswordRefusal = (field: string) =>
  refuse("invalid", "The current password is wrong", [{ path: field, message: "is wrong" }]);

/**
 * Returns the hash that `password` matches, or null if the account has no password. A wrong password counts like a
 * failed sign-in: somebody with a stolen session must not get more tries than a stranger.
 */
export async function checkPassword({
  userId,
  actor,
  password,
  field,
}: {
  /** The account's id, here and in the functions below: the other profiles have no password of their own. */
  userId: string;
  actor: Actor;
  password: string | undefined;
  field: "current" | "password";
}): Promise<Outcome<string | null>> {
  const client = actor.ip ?? userId;
  const record = await findPassword(userId, client);
  if (!record) return done(null);
  if (password === undefined) return wrongPasswordRefusal(field);
  const { hash } = record;
  const compared = await verifyPassword(password, hash, turnOfMember(client, userId));
  if (!compared.ok) return compared;
  if (!compared.value) inBackground("counting a wrong password", countFailure(userId, client));
  return compared.value && !isThrottled(record) ? done(hash) : wrongPasswordRefusal(field);
}

async function findPassword(userId: string, ip: string) {
  const { failures, windowStart } = signInFailures;
  const { addressHash } = knownAddresses;
  const [row] = await db
    .select({ hash: credentials.hash, failures, windowStart, knownAddress: addressHash })
    .from(credentials)
    .leftJoin(signInFailures, eq(signInFailures.userId, credentials.userId))
    .leftJoin(
      knownAddresses,
      and(eq(knownAddresses.userId, credentials.userId), eq(addressHash, ipHash({ ip }))),
    )
    .where(eq(credentials.userId, userId));
  return row;
}

export const hasPassword = async (userId: string) =>
  (await db.$count(credentials, eq(credentials.userId, userId))) > 0;

/**
 * Returns false if the password has changed since it was checked, so that only one of two concurrent changes succeeds.
 */
async function storePassword(
  transaction: Transaction,
  userId: string,
  hash: string,
  currentHash: string | null,
) {
  const newPassword = { hash, cost: hashCost, changedAt: new Date() };
  const stored =
    currentHash === null
      ? await transaction
          .insert(credentials)
          .values({ userId, ...newPassword })
          .onConflictDoNothing()
          .returning({ userId: credentials.userId })
      : await transaction
          .update(credentials)
          .set(newPassword)
          .where(and(eq(credentials.userId, userId), eq(credentials.hash, currentHash)))
          .returning({ userId: credentials.userId });
  return stored.length > 0;
}

type PasswordReset = { token: string; password: string };

/** Sets the password, and ends all sessions and tokens, because somebody else may have used the old password. */
export async function confirmPasswordReset(
  { token, password }: PasswordReset,
  client: ClientDevice,
): Promise<Outcome<null>> {
  const issues = listPasswordIssues(password);
  if (issues.length > 0) return refuse("invalid", "The new password does not keep the rules", issues);
  const userId = await findLinkOwner("reset", token);
  if (userId === null) return linkUsedRefusal;
  const hashed = await hashPassword(password, turnOfMember(client.ip, userId));
  if (!hashed.ok) return hashed;
  const isReset = await withTransaction(async (transaction) => {
    await lockAccount(transaction, userId);
    const isDone = await resetPassword(transaction, token, hashed.value);
    const actor: Actor = { kind: "member", ip: client.ip };
    if (isDone) await recordEvent({ kind: "password_reset", userId, actor }, transaction);
    return isDone;
  });
  if (!isReset) return linkUsedRefusal;
  await recordIp(userId, client);
  return done(null);
}

async function resetPassword(transaction: Transaction, token: string, hash: string): Promise<boolean> {
  const link = await consumeLink(transaction, "reset", token);
  if (!link) return false;
  const { userId } = link;
  const newPassword = { hash, cost: hashCost, changedAt: new Date() };
  await transaction
    .insert(credentials)
    .values({ userId, ...newPassword })
    .onConflictDoUpdate({ target: credentials.userId, set: newPassword });
  await deleteSessions(userId, {}, transaction);
  await deleteAccessTokens(transaction, userId);
  await transaction.delete(signInFailures).where(eq(signInFailures.userId, userId));
  await deleteResetLinks(transaction, userId);
  return true;
}

/** Deletes the tokens of all profiles of the account. */
const deleteAccessTokens = (transaction: Transaction, accountId: string) =>
  transaction.delete(accessTokens).where(isOfAccount(accessTokens.userId, accountId));

/** Without this, somebody who can read the member's old mail could still set a new password. */
export const deleteResetLinks = (transaction: Transaction, userId: string) =>
  transaction
    .delete(mailedTokens)
    .where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.kind, "reset")));
