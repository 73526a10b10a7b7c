import type postgres from "postgres";
import { withTimeLimit } from "#app/platform/limits/time-limit.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { seconds } from "#app/platform/units.ts";
import { connectAlone } from "./client.server.ts";
import { codeOf } from "./database-errors.server.ts";

/**
 * Checks on a separate connection whether the database accepts writes. On a connection of the pool the check would wait
 * behind the site's users, and fail although nothing is broken.
 */

const deadlineMs = seconds(1.5);
/** Writing more often would only fill the database's write-ahead log. */
const writeEveryMs = seconds(2);
const insufficientPrivilege = "42501";

/** Creating a table needs free disk space. Updating an existing row does not always need it. */
const writeOnePage = "create temporary table engawa_write_check on commit drop as select 1 as page";

export type WriteCheck = { check(): Promise<void>; close(): Promise<void> };

/** Connects the same way as requests, so that it also notices a pooler that is down. */
export function createWriteCheck(databaseUrl = env.DATABASE_URL): WriteCheck {
  let connection: Promise<postgres.Sql> | undefined;
  let running: Promise<void> | undefined;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let isWritable = true;
  let isClosed = false;

  async function check() {
    if (isClosed) throw new Error("the process stops");
    connection ??= connectAlone("readiness", databaseUrl);
    const current = connection;
    try {
      const isWriteDue = performance.now() - wroteAt >= writeEveryMs;
      await withTimeLimit(
        current.then((sql) => requireWrites(sql, isWriteDue)),
        deadlineMs,
        () => new Error("the database does not answer"),
      );
      if (isWriteDue) wroteAt = performance.now();
      noteChange(true);
    } catch (error) {
      noteChange(false, error);
      wroteAt = Number.NEGATIVE_INFINITY;
      connection = undefined;
      // A connection whose packets are lost never answers again.
      void current.then((sql) => sql.end({ timeout: 0 })).catch(() => {});
      throw error;
    }
  }

  function noteChange(isWritableNow: boolean, error?: unknown) {
    if (isWritableNow === isWritable) return;
    isWritable = isWritableNow;
    if (isWritable) log.info("the database accepts writes again");
    else log.warn("the database does not accept writes; /readyz answers 503", errorFields(error));
  }

  return {
    /** Rejects if the database accepts no writes. Concurrent checks share one answer. */
    check() {
      running ??= check().finally(() => {
        running = undefined;
      });
      return running;
    },
    async close() {
      isClosed = true;
      await connection?.then((sql) => sql.end({ timeout: 1 })).catch(() => {});
    },
  };
}

async function requireWrites(sql: postgres.Sql, isWriteDue: boolean) {
  const [row] = await sql.unsafe("select current_setting('transaction_read_only') as is_read_only");
  if (row?.is_read_only !== "off") throw new Error("the database is read-only");
  if (!isWriteDue) return;
  await sql
    .begin((transaction) => transaction.unsafe(writeOnePage))
    .catch((error) => {
      if (codeOf(error) !== insufficientPrivilege) throw error;
      log.warnOnce(
        "write-check",
        "/readyz does not notice a full disk of the database, because this user may not create temporary tables",
      );
    });
}
