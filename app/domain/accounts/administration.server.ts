import { and, asc, eq, gt, isNull, max, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, identities, users } from "#db/schema/accounts.ts";
import { isMinor, normalizeEmail, type SessionUser } from "./accounts.ts";
import { accountEmail } from "./sessions/session-user.server.ts";
import { deleteSessions } from "./sessions/sessions.server.ts";
import { endSetupCode } from "./setup-nonce.server.ts";

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

/** True for an account's first profile. Other profiles have no rights of their own. */
const isAccount = (userId: string) => and(eq(users.id, userId), isNull(users.accountId));

export function updateRole(userId: string, role: SessionUser["role"], actor: Actor): Promise<boolean> {
  return withTransaction(async (transaction) => {
    const changed = await transaction
      .update(users)
      .set({ role })
      .where(isAccount(userId))
      .returning({ id: users.id });
    if (changed.length === 0) return false;
    if (role === "operator") await endSetupCode(transaction);
    const kind = role === "operator" ? "operator_added" : "operator_removed";
    await recordEvent({ kind, userId, actor }, transaction);
    return true;
  });
}

/** A disabled account keeps its data, but its sessions end and its access tokens are refused. */
export function updateDisabled(userId: string, disabled: boolean, actor: Actor): Promise<boolean> {
  return withTransaction(async (transaction) => {
    const changed = await transaction
      .update(users)
      .set({ disabled })
      .where(isAccount(userId))
      .returning({ id: users.id });
    if (changed.length === 0) return false;
    if (disabled) await deleteSessions(userId, {}, transaction);
    const kind = disabled ? "account_disabled" : "account_enabled";
    await recordEvent({ kind, userId, actor }, transaction);
    return true;
  });
}

/** Hidden titles do not appear by themselves: parental control stays on until the member turns it off. */
export function removeBirthday(userId: string, actor: Actor): Promise<boolean> {
  return withTransaction(async (transaction) => {
    const changed = await transaction
      .update(users)
      .set({ birthday: null, parentalControl: true })
      .where(isAccount(userId))
      .returning({ id: users.id });
    if (changed.length === 0) return false;
    await recordEvent({ kind: "birthday_removed", userId, actor }, transaction);
    return true;
  });
}

type AccountChange = { role: SessionUser["role"] } | { disabled: boolean } | { birthday: null };

/** Operators cannot change their own account on the site: the last operator could not undo a mistake. */
export async function updateAccount(
  operator: Actor & { operatorId: string },
  userId: string,
  change: AccountChange,
): Promise<Outcome<null>> {
  if (operator.operatorId === userId)
    return refuse("conflict", "You cannot change your own account; ask another operator to do it");
  const isFound = await applyChange(userId, change, operator);
  return isFound ? done(null) : refuse("not_found", "There is no such account");
}

function applyChange(userId: string, change: AccountChange, operator: Actor): Promise<boolean> {
  if ("role" in change) return updateRole(userId, change.role, operator);
  if ("disabled" in change) return updateDisabled(userId, change.disabled, operator);
  return removeBirthday(userId, operator);
}
