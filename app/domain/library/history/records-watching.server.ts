import { type SQL, sql } from "drizzle-orm";
import { users } from "#db/schema/accounts.ts";

/**
 * The SQL condition that this profile's watching is recorded. Each insert contains it, so that no caller can forget it.
 */
export const recordsWatching = (userId: string): SQL =>
  sql`exists (select from ${users} where id = ${userId}::uuid and not forgets_watched)`;
