import type postgres from "postgres";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { connectAlone } from "./client.server.ts";

/**
 * Refuses a pooler that gives each transaction another connection. A session's lock would stay on a connection that the
 * pooler keeps, and every later start would wait for that lock without end.
 */
export async function requireOwnSession(sql: postgres.Sql, databaseUrl?: string): Promise<void> {
  const other = await connectAlone("pooler check", databaseUrl);
  try {
    if ((await sessionOf(sql)) === (await sessionOf(other)))
      throw new CannotStart(
        "DATABASE_URL leads to a pooler that gives each transaction another connection. Set DATABASE_DIRECT_URL to the database itself (docs/operating.md, PgBouncer).",
      );
  } finally {
    await other.end({ timeout: 5 });
  }
}

async function sessionOf(sql: postgres.Sql) {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid;
}
