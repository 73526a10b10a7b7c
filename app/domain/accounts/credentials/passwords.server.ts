import { and, eq } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { accessTokens, credentials, mailedTokens, signInFailures } from "#db/schema/accounts.ts";
import { listPasswordIssues } from "../new-account.server.ts";
import { deleteSessions, replaceSessionSecret } from "../sessions/sessions.server.ts";
import { type ClientDevice, rememberIp } from "./known-ips.server.ts";
import { consumeLink, isLinkUsable, linkUsedRefusal } from "./mailed-links.server.ts";
import { hashCost, hashPassword, verifyPassword } from "./password-hashing.server.ts";

/** Changing a password, and setting a new one without the old. */

type PasswordChange = {
  userId: string;
  /** The session it is done in, which goes on under a new secret; all others end. */
  sessionId: string;
  /** What an account that has a password must tell. */
  current?: string | undefined;
  password: string;
};

/** Gives the session's new secret: whoever copied its cookie is out. */
export async function changePassword({
  userId,
  sessionId,
  current,
  password,
}: PasswordChange): Promise<Outcome<string>> {
  const issues = listPasswordIssues(password);
  if (issues.length > 0) return refuse("invalid", "The new password does not keep the rules", issues);
  const proven = await checkPassword(userId, current, "current");
  if (!proven.ok) return proven;
  const hashed = await hashPassword(password);
  if (!hashed.ok) return hashed;
  return withTransaction(async (transaction) => {
    const stored = await storePassword(transaction, userId, hashed.value, proven.value);
    if (!stored) return refuse("conflict", "The password was changed elsewhere just now");
    await deleteSessions(userId, { except: sessionId }, transaction);
    return done(await replaceSessionSecret(sessionId, transaction));
  });
}

const wrongPasswordRefusal = (field: string) =>
  refuse("invalid", "The current password is wrong", [{ path: field, message: "is wrong" }]);

/** Gives the hash that `password` matches; null when the account has none and so nothing to prove. */
export async function checkPassword(
  userId: string,
  password: string | undefined,
  field: "current" | "password",
): Promise<Outcome<string | null>> {
  const hash = await findPasswordHash(userId);
  if (hash === null) return done(null);
  if (password === undefined) return wrongPasswordRefusal(field);
  const compared = await verifyPassword(password, hash);
  if (!compared.ok) return compared;
  return compared.value ? done(hash) : wrongPasswordRefusal(field);
}

export const hasPassword = async (userId: string) => (await findPasswordHash(userId)) !== null;

async function findPasswordHash(userId: string): Promise<string | null> {
  const [row] = await db
    .select({ hash: credentials.hash })
    .from(credentials)
    .where(eq(credentials.userId, userId));
  return row?.hash ?? null;
}

/** Of two changes at once that both proved the same old password, one counts. */
async function storePassword(transaction: Transaction, userId: string, hash: string, proven: string | null) {
  const fresh = { hash, cost: hashCost, changedAt: new Date() };
  const stored =
    proven === null
      ? await transaction
          .insert(credentials)
          .values({ userId, ...fresh })
          .onConflictDoNothing()
          .returning({ userId: credentials.userId })
      : await transaction
          .update(credentials)
          .set(fresh)
          .where(and(eq(credentials.userId, userId), eq(credentials.hash, proven)))
          .returning({ userId: credentials.userId });
  return stored.length > 0;
}

type PasswordReset = { token: string; password: string };

/** Whoever holds the link sets the password. Everything that the one before may have opened is closed. */
export async function confirmPasswordReset(
  { token, password }: PasswordReset,
  caller: ClientDevice,
): Promise<Outcome<null>> {
  const issues = listPasswordIssues(password);
  if (issues.length > 0) return refuse("invalid", "The new password does not keep the rules", issues);
  if (!(await isLinkUsable("reset", token))) return linkUsedRefusal;
  const hashed = await hashPassword(password);
  if (!hashed.ok) return hashed;
  const userId = await withTransaction((transaction) => resetPassword(transaction, token, hashed.value));
  if (userId === null) return linkUsedRefusal;
  await rememberIp(userId, caller);
  return done(null);
}

async function resetPassword(transaction: Transaction, token: string, hash: string): Promise<string | null> {
  const spent = await consumeLink(transaction, "reset", token);
  if (!spent) return null;
  const { userId } = spent;
  const fresh = { hash, cost: hashCost, changedAt: new Date() };
  await transaction
    .insert(credentials)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({ target: credentials.userId, set: fresh });
  await deleteSessions(userId, {}, transaction);
  await transaction.delete(accessTokens).where(eq(accessTokens.userId, userId));
  await transaction.delete(signInFailures).where(eq(signInFailures.userId, userId));
  await transaction
    .delete(mailedTokens)
    .where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.kind, "reset")));
  return userId;
}
