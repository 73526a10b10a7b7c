import { type AnyColumn, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";

/**
 * Locks an account, so that one transaction at a time changes its password, sessions, tokens or links. Without the
 * lock, a session or token that is created during a password change could survive it. Every such transaction locks the
 * account first, so that two of them cannot deadlock.
 */
export const lockAccount = (transaction: Transaction, accountId: string): Promise<void> =>
  lockAccounts(transaction, [accountId]);

/** Locks several accounts in the order of their ids, so that two transactions that lock the same ones cannot deadlock. */
export async function lockAccounts(transaction: Transaction, accountIds: string[]): Promise<void> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, accountIds))
    .orderBy(users.id)
    .for("no key update");
}

/** The condition that `userId` is a profile of this account. Sessions and access tokens belong to profiles. */
export const isOfAccount = (userId: AnyColumn, accountId: string): SQL =>
  sql`${userId} in (select profile.id from users as profile
    where profile.id = ${accountId}::uuid or profile.account_id = ${accountId}::uuid)`;
