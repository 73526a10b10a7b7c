import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { keepConnection } from "./client.server.ts";
import { requireOwnSession } from "./pooler.server.ts";

/**
 * Every running site holds this advisory lock shared. A restore takes it exclusively, so it never replaces a database
 * in use.
 */
const siteKey = 0x73697465;

/** Waits until no restore runs, and blocks restores until the returned function is called. */
export const holdSite = (): Promise<() => Promise<void>> =>
  keepConnection("site", async (sql) => {
    for (;;) {
      const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock_shared(${siteKey}) as held`;
      if (row?.held) return;
      log.warnOnce("restore", "a restore runs on this database; waiting until it ends");
      await pause(seconds(1));
    }
  });

/** Returns false if a site runs on this database. PostgreSQL releases the lock when the connection closes. */
export async function keepSitesAway(sql: postgres.Sql): Promise<boolean> {
  await requireOwnSession(sql);
  const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${siteKey}) as held`;
  return row?.held ?? false;
}
