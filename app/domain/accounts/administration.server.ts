import { and, asc, eq, gt, isNull, max, sql } from "drizzle-orm";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { credentials, identities, users } from "#db/schema/accounts.ts";
import { siteSettings } from "#db/schema/site-settings.ts";
import { lockAccounts } from "./account-rows.server.ts";
import { isMinor, normalizeEmail, type SessionUser } from "./accounts.ts";
import { accountEmail } from "./sessions/session-user.server.ts";
import { deleteSessions, type FoundSession, isSessionValid } from "./sessions/sessions.server.ts";

export type AccountRecord = {
  id: string;
  email: string;
  name: string;
  role: SessionUser["role"];
  disabled: boolean;
  verified: boolean;
  hasPassword: boolean;
  hasProvider: boolean;
  /** The number of profiles, including the account's first one. */
  profiles: number;
  /** The birthday says that the member is under 18. Then only an operator can change it. */
  isMinor: boolean;
  createdAt: Date;
  lastSeenAt: Date | null;
};

type Page = { after?: string | undefined; limit: number; words?: string };

/** The time at which any profile of the account was last active. */
const lastSeenAt = sql<string | null>`(select max(session.last_seen_at)
  from sessions as session join users as profile on profile.id = session.user_id
  where profile.id = users.id or profile.account_id = users.id)`;
const countOfProfiles = sql<number>`(select 1 + count(*)::int from users as profile
  where profile.account_id = users.id)`;

/** True for an account whose email, or the name of one of its profiles, contains the words. */
const isNamed = (words: string) => sql`(position(lower(${words}) in lower(${users.email})) > 0
  or exists (select from users as profile
    where (profile.id = users.id or profile.account_id = users.id)
    and position(lower(${words}) in lower(profile.name)) > 0))`;

/** Sorted by email. `after` is the last email of the previous page. */
export async function listAccounts({ after = "", limit, words = "" }: Page): Promise<AccountRecord[]> {
  const rows = await db
    .select({
      id: users.id,
      email: accountEmail,
      name: users.name,
      role: users.role,
      disabled: users.disabled,
      birthday: users.birthday,
      emailVerifiedAt: users.emailVerifiedAt,
      password: max(credentials.changedAt),
      provider: max(identities.issuer),
      createdAt: users.createdAt,
      profiles: countOfProfiles,
      lastSeenAt,
    })
    .from(users)
    .leftJoin(credentials, eq(credentials.userId, users.id))
    .leftJoin(identities, eq(identities.userId, users.id))
    .where(and(isNull(users.accountId), gt(users.email, after), words === "" ? undefined : isNamed(words)))
    .groupBy(users.id)
    .orderBy(asc(users.email))
    .limit(limit);
  return rows.map(({ emailVerifiedAt, password, provider, birthday, lastSeenAt: seen, ...row }) => ({
    ...row,
    lastSeenAt: seen === null ? null : new Date(seen),
    isMinor: isMinor(birthday),
    verified: emailVerifiedAt !== null,
    hasPassword: password !== null,
    hasProvider: provider !== null,
  }));
}

export async function findAccountId(email: string): Promise<string | null> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)));
  return row?.id ?? null;
}

type AccountChange = { role: SessionUser["role"] } | { disabled: boolean } | { birthday: null };

/** Without a birthday a member counts as an adult. Parental control stays on until the member turns it off. */
const withoutBirthday = { birthday: null, parentalControl: true };

/**
 * Changes an account. `userId` is its first profile, since other profiles have no rights of their own. Returns false if
 * there is no such account. A disabled account keeps its data, but its sessions end and its access tokens are refused.
 */
export const changeAccount = (userId: string, change: AccountChange, actor: Actor): Promise<boolean> =>
  withTransaction((transaction) => storeChange(transaction, userId, change, actor));

async function storeChange(
  transaction: Transaction,
  userId: string,
  change: AccountChange,
  actor: Actor,
): Promise<boolean> {
  const changed = await transaction
    .update(users)
    .set("birthday" in change ? withoutBirthday : change)
    .where(and(eq(users.id, userId), isNull(users.accountId)))
    .returning({ id: users.id });
  if (changed.length === 0) return false;
  const kind = eventOf(change);
  if (kind === "operator_added") await endSetupCode(transaction);
  if (kind === "account_disabled") await deleteSessions(userId, {}, transaction);
  await recordEvent({ kind, userId, actor }, transaction);
  return true;
}

/**
 * Invalidates the code of the setup page once the site has an operator, however the operator was made. The start prints
 * the code, so logs contain it, and it would work again after the last operator is gone. The noun `setup` derives the
 * code from this nonce (`findSetupCode`).
 */
export async function endSetupCode(transaction: Pick<Transaction, "insert">): Promise<void> {
  const set = { setupNonce: crypto.randomUUID() };
  await transaction.insert(siteSettings).values(set).onConflictDoUpdate({ target: siteSettings.only, set });
}

function eventOf(change: AccountChange) {
  if ("role" in change) return change.role === "operator" ? "operator_added" : "operator_removed";
  if ("disabled" in change) return change.disabled ? "account_disabled" : "account_enabled";
  return "birthday_removed";
}

/** An operator who makes a change on the site. */
export type SignedInOperator = Actor & { operatorId: string; session: FoundSession };

/**
 * Refuses an operator whose session or role has ended since the request was authenticated, because the rest of its body
 * can arrive minutes later. Also locks the account that the operator changes. Of two operators who demote each other at
 * the same time, the second one is refused.
 */
export async function refuseFormerOperator(
  transaction: Transaction,
  { operatorId, session }: SignedInOperator,
  changedId = operatorId,
): Promise<Refusal | null> {
  await lockAccounts(transaction, [operatorId, changedId]);
  if (!(await isSessionValid(transaction, session))) return refuse("unauthorized");
  const isOperator = and(eq(users.id, operatorId), eq(users.role, "operator"));
  return (await transaction.$count(users, isOperator)) > 0 ? null : refuse("forbidden");
}

/** Operators cannot change their own account on the site: the last operator could not undo a mistake. */
export async function updateAccount(
  operator: SignedInOperator,
  userId: string,
  change: AccountChange,
): Promise<Outcome<null>> {
  if (operator.operatorId === userId)
    return refuse("conflict", "You cannot change your own account; ask another operator to do it");
  return withTransaction(async (transaction) => {
    const refusal = await refuseFormerOperator(transaction, operator, userId);
    if (refusal) return refusal;
    const isFound = await storeChange(transaction, userId, change, operator);
    return isFound ? done(null) : refuse("not_found", "There is no such account");
  });
}
