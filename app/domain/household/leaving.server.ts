import { and, eq } from "drizzle-orm";
import {
  type ClientDevice,
  deleteSessions,
  type FoundSession,
  recordIp,
  replaceSessionSecret,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import { isOwner, normalizeEmail } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse, refuseFields } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import {
  admitSignUp,
  getSignUpMode,
  type SignUpAdmission,
  type SignUpMode,
  type SignUpPass,
  spendInvitation,
} from "#app/domain/joining/joining.server.ts";
import {
  catchTakenEmail,
  emailInUseRefusal,
  hashCost,
  hashPassword,
  isEmailInUse,
  listAccessIssues,
  sendVerificationMail,
  turnOfMember,
} from "#app/domain/sign-in/sign-in.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { accessTokens, credentials, profilePins, users } from "#db/schema/accounts.ts";

/** Turns a profile into a separate account. The row stays, and with it the lists, histories and preferences. */

type NewAccess = { email: string; password: string };

/**
 * The sign-up rule applies, because a member of a closed site could otherwise make accounts for other people. An
 * operator's household is exempt: the operator has made its profiles.
 */
async function isExempt(accountId: string): Promise<boolean> {
  const [account] = await db.select({ role: users.role }).from(users).where(eq(users.id, accountId));
  return account?.role === "operator";
}

/** Whether this profile may become an account. */
async function admitLeaving({ user }: FoundSession, pass: SignUpPass): Promise<Outcome<SignUpAdmission>> {
  if (isOwner(user)) return refuse("conflict", "This profile is the account's own and cannot leave it");
  const admitted = await admitSignUp(pass);
  return admitted.ok || !(await isExempt(user.accountId)) ? admitted : done({ invitation: null });
}

/** The sign-up rule that applies to this profile. The form asks for a code or an invitation accordingly. */
export const getLeavingMode = async ({ user }: FoundSession, isLocal: boolean): Promise<SignUpMode> =>
  (await isExempt(user.accountId)) ? "open" : getSignUpMode(isLocal);

/**
 * Returns a new secret for the session, which continues in the new account. The profile's other sessions and its tokens
 * end, because they are on the household's devices.
 */
export async function leaveAccount(
  session: FoundSession,
  { email: typed, password }: NewAccess,
  pass: SignUpPass,
  client: ClientDevice,
): Promise<Outcome<string>> {
  const admitted = await admitLeaving(session, pass);
  if (!admitted.ok) return admitted;
  const email = normalizeEmail(typed);
  const issues = listAccessIssues({ email, password });
  if (issues.length > 0) return refuseFields(issues);
  if (await isEmailInUse(email)) return emailInUseRefusal;
  const hashed = await hashPassword(password, turnOfMember(client.ip, session.user.accountId));
  if (!hashed.ok) return hashed;
  const left = await whileSessionValid(session, (transaction) =>
    separate(
      transaction,
      session,
      { email, hash: hashed.value, ...admitted.value },
      { kind: "member", ip: client.ip },
    ),
  ).catch(catchTakenEmail);
  if (!left.ok) return left;
  const { id } = session.user;
  await recordIp(id, client);
  inBackground("sending a verification mail", sendVerificationMail({ id, email }));
  return left;
}

async function separate(
  transaction: Transaction,
  session: FoundSession,
  { email, hash, invitation }: { email: string; hash: string } & SignUpAdmission,
  actor: Actor,
): Promise<Outcome<string>> {
  const { id, accountId, name } = session.user;
  const left = await transaction
    .update(users)
    .set({ accountId: null, email, emailVerifiedAt: null })
    .where(and(eq(users.id, id), eq(users.accountId, accountId)))
    .returning({ id: users.id });
  if (left.length === 0) return refuse("unauthorized");
  await transaction.insert(credentials).values({ userId: id, hash, cost: hashCost });
  await deleteSessions(id, { except: session.id }, transaction);
  await transaction.delete(profilePins).where(eq(profilePins.userId, id));
  await transaction.delete(accessTokens).where(eq(accessTokens.userId, id));
  for (const userId of [accountId, id])
    await recordEvent({ kind: "profile_left", userId, actor, detail: name }, transaction);
  await spendInvitation(transaction, { invitation }, id);
  return done(await replaceSessionSecret(session.id, transaction));
}
