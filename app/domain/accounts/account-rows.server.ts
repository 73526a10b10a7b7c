import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";

/**
 * Lets one transaction at a time change how a member gets in: password, sessions, tokens and links. Without it, a
 * session or token could be created while a password change deletes them, and stay valid. Locking the account first also
 * gives all these transactions one order of locks, so that they cannot deadlock.
 */
export async function lockAccount(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, accountId)).for("no key update");
}

/** The condition that `userId` is a profile of this account. Sessions and access tokens belong to profiles. */
export const isOfAccount = (userId: AnyColumn, accountId: string): SQL =>
  sql`${userId} in (select profile.id from users as profile
    where profile.id = ${accountId}::uuid or profile.account_id = ${accountId}::uuid)`;
