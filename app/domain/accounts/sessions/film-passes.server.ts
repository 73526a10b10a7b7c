import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { isOfAccount } from "../account-rows.server.ts";
import type { SessionUser } from "../accounts.ts";
import { isEnabled, sessionUserColumns, toSessionUser } from "./session-user.server.ts";

/** Signed addresses of films identify a profile without its session, for players outside of the browser. */

/** Null if the profile was deleted, its account is disabled, or its addresses have ended. */
export async function findPassHolder(userId: string, generation: number): Promise<SessionUser | null> {
  const [row] = await db
    .select(sessionUserColumns)
    .from(users)
    .where(and(eq(users.id, userId), eq(users.filmGeneration, generation), isEnabled));
  return row ? toSessionUser(row) : null;
}

/** Ends the signed addresses of all profiles of the account. */
export async function endFilmPasses(accountId: string, on: Pick<Transaction, "update">): Promise<void> {
  await on
    .update(users)
    .set({ filmGeneration: sql`${users.filmGeneration} + 1` })
    .where(isOfAccount(users.id, accountId));
}
