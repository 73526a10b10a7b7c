import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#app/platform/log.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { seconds } from "#app/platform/units.ts";
import { connectAlone } from "./client.server.ts";
import { codeOf, explainDatabaseError, isConnectionError, isLockError } from "./database-errors.server.ts";
import { requireOwnSession } from "./pooler.server.ts";

type Migration = { name: string; text: string };

const files = import.meta.glob<string>("./migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, text]) => ({ name: path.replace(/^.*\/(.*)\.sql$/, "$1"), text }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

export const tablesCreatedBy = ({ text }: Migration): string[] =>
  [...text.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name = ""]) => name);

/** The tables that the migrations create. */
export const tableNames: readonly string[] = migrations.flatMap(tablesCreatedBy);

/** The key of the advisory lock. No other code may use it. */
const lockKey = 0x6d696772;

export type AppliedMigration = { name: string; appliedAt: string };

type Options = {
  /** A database other than the site's. */
  databaseUrl?: string;
  /** Called before migrations change a database that already holds data. */
  beforeChange?: (pending: readonly string[], applied: readonly AppliedMigration[]) => Promise<void>;
};

/**
 * Migrates the database to the schema of this code. Returns the names of the migrations that ran. A lock lets several
 * processes start together.
 */
export async function migrate({ databaseUrl, beforeChange }: Options = {}): Promise<string[]> {
  const sql = await connectAlone("migration", databaseUrl);
  try {
    await lock(sql, databaseUrl);
    await createRecordTable(sql);
    const applied = await sql<(AppliedMigration & { digest: string })[]>`
      select name, digest, applied_at::text as "appliedAt" from schema_migrations`;
    const pending = pendingAfter(applied);
    if (applied.length > 0 && pending.length > 0)
      await beforeChange?.(
        pending.map(({ name }) => name),
        applied,
      );
    for (const migration of pending) await run(sql, migration);
    return pending.map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const createRecordTable = (sql: postgres.Sql | postgres.TransactionSql) =>
  sql`create table if not exists schema_migrations (
    name text primary key, digest text not null, applied_at timestamptz not null default now())`;

/** Creates the tables as these migrations left them. A restore then fills the tables in the same transaction. */
export async function createTables(sql: postgres.TransactionSql, names: readonly string[]): Promise<void> {
  await createRecordTable(sql);
  for (const migration of migrations.filter(({ name }) => names.includes(name))) await apply(sql, migration);
}

/** Waits for a database that is still starting. Errors that waiting cannot fix stop the start with one line. */
async function lock(sql: postgres.Sql, databaseUrl: string | undefined) {
  const giveUp = Date.now() + seconds(30);
  for (;;) {
    try {
      await requireOwnSession(sql, databaseUrl);
      await sql`select pg_advisory_lock(${lockKey})`;
      return;
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > giveUp) throw explainDatabaseError(error);
      log.warnOnce("database-wait", "waiting for the database", { code: codeOf(error) });
      await pause(500);
    }
  }
}

/**
 * Refuses migrations whose digest differs: the file changed after the migration ran, so the schema differs from this
 * code's.
 */
export function pendingAfter(applied: readonly { name: string; digest: string }[]): readonly Migration[] {
  const known = new Map(migrations.map((one) => [one.name, digestOf(one)]));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown)
    throw new CannotStart(
      `The database is newer than this version of Engawa (it has ${unknown.name}). Update Engawa, or restore a backup.`,
    );
  const changed = applied.find(({ name, digest }) => known.get(name) !== digest);
  if (changed)
    throw new CannotStart(
      `Another version of migration ${changed.name} created this database. Restore a backup, or use another database.`,
    );
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

const digestOf = ({ text }: Migration) => createHash("sha256").update(text).digest("hex");

/**
 * An ALTER TABLE waits until every transaction that has used the table ends, and all later queries of the table wait
 * behind it. It may do so only this long, because an older version of the site can be in service. The time exceeds
 * PostgreSQL's deadlock_timeout of one second, after which a statement that waits cancels an autovacuum of the table.
 */
const maxLockWait = seconds(2);

/** Repeats a migration until it gets its locks: a backup can use all tables for an hour. */
async function run(sql: postgres.Sql, migration: Migration) {
  for (let tries = 1; !(await tryToRun(sql, migration)); tries += 1) {
    if (tries === 1)
      log.warn("a migration waits until no other program, such as a backup, uses its tables", {
        migration: migration.name,
      });
    await pause(Math.min(tries * seconds(2), seconds(30)));
  }
  log.info("migrated the database", { migration: migration.name });
}

/** Returns false if another program uses a table. The whole transaction is then undone, so it can be repeated. */
async function tryToRun(sql: postgres.Sql, migration: Migration): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${maxLockWait}`);
      await apply(transaction, migration);
    });
    return true;
  } catch (error) {
    if (isLockError(error)) return false;
    throw error;
  }
}

async function apply(sql: postgres.TransactionSql, migration: Migration) {
  for (const statement of migration.text.split("--> statement-breakpoint")) await sql.unsafe(statement);
  await sql`insert into schema_migrations (name, digest) values (${migration.name}, ${digestOf(migration)})`;
}
