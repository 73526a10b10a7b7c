import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";

/**
 * Locks an account, so that one transaction at a time changes its password, sessions, tokens or links. Without the
 * lock, a session or token that is created during a password change could survive it. Every such transaction locks the
 * account first, so that two of them cannot deadlock.
 */
export async function lockAccount(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, accountId)).for("no key update");
}

/** The condition that `userId` is a profile of this account. Sessions and access tokens belong to profiles. */
export const isOfAccount = (userId: AnyColumn, accountId: string): SQL =>
  sql`${userId} in (select profile.id from users as profile
    where profile.id = ${accountId}::uuid or profile.account_id = ${accountId}::uuid)`;
