import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";

/** Waits until queries of the test's database wait for locks. */
export const untilQueriesWait = (count = 1) => until(async () => (await countLockWaits()) >= count);

export async function countLockWaits(): Promise<number> {
  const [row] = await db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return row?.waiting ?? 0;
}
