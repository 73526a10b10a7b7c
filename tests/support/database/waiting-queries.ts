import { db } from "#db/client.server.ts";

/** The number of queries of this test's database that wait for a lock. */
export const waitingQueries = async (): Promise<number> =>
  (
    await db.execute(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).length;
