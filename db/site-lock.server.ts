import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { connectToHold } from "./client.server.ts";
import { requireOwnSession } from "./pooler.server.ts";

/**
 * Every running site holds this advisory lock shared. A restore takes it exclusively, so it never replaces a database
 * in use.
 */
const siteKey = 0x73697465;

/**
 * Waits until no restore runs, and blocks restores until the returned function is called. The lock belongs to a
 * connection, which is replaced when it closes.
 */
export async function holdSite(): Promise<() => Promise<void>> {
  let isEnded = false;
  let current: postgres.Sql | undefined;
  const open = async (): Promise<void> => {
    const onclose = () => {
      if (!isEnded && current === sql) void reopen(sql);
    };
    const sql = await connectToHold("site", { max_lifetime: null, onclose });
    current = sql;
    await lockShared(sql);
  };
  const reopen = async (closed: postgres.Sql) => {
    await closed.end({ timeout: 0 });
    await pause(seconds(1));
    if (!isEnded) await open().catch(() => {});
  };
  await open();
  return async () => {
    isEnded = true;
    await current?.end({ timeout: 1 });
  };
}

async function lockShared(sql: postgres.Sql) {
  for (;;) {
    const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock_shared(${siteKey}) as held`;
    if (row?.held) return;
    log.warnOnce("restore", "a restore runs on this database; waiting until it ends");
    await pause(seconds(1));
  }
}

/** Returns false if a site runs on this database. PostgreSQL releases the lock when the connection closes. */
export async function keepSitesAway(sql: postgres.Sql): Promise<boolean> {
  await requireOwnSession(sql);
  const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${siteKey}) as held`;
  return row?.held ?? false;
}
