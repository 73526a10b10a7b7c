import { type SQL, sql } from "drizzle-orm";
import { users } from "#db/schema/accounts.ts";

/** True in a query if what this profile watches is remembered. A part of each insert, so that no caller can forget it. */
export const remembersWatched = (userId: string): SQL =>
  sql`exists (select from ${users} where id = ${userId}::uuid and not forgets_watched)`;
