import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#app/platform/log.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { seconds } from "#app/platform/units.ts";
import { connectAlone } from "./client.server.ts";
import { isConnectionError } from "./trouble.server.ts";

/** Brings the database to this code's schema. Any number of processes may try at the same instant. */

type Migration = { name: string; text: string };

const files = import.meta.glob<string>("./migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, text]) => ({ name: path.replace(/^.*\/(.*)\.sql$/, "$1"), text }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** What the migrations have made so far, whatever else the database holds. */
export const tableNames: readonly string[] = migrations.flatMap(({ text }) =>
  [...text.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name = ""]) => name),
);

/** Any number that nothing else in the database locks by. */
const lockKey = 0x6d696772;

type Options = {
  /** Another database than the product's own. */
  address?: string;
  /** Called before a database that already holds data is changed. */
  beforeChange?: (pending: readonly string[]) => Promise<void>;
};

/** The names of the migrations it ran. */
export async function migrate({ address, beforeChange }: Options = {}): Promise<string[]> {
  const sql = await connectAlone("migration", address);
  try {
    await lock(sql);
    await makeRecord(sql);
    const applied = await sql<{ name: string; digest: string }[]>`select name, digest from schema_migrations`;
    const pending = pendingAfter(applied);
    if (applied.length > 0 && pending.length > 0) await beforeChange?.(pending.map(({ name }) => name));
    for (const migration of pending) await run(sql, migration);
    return pending.map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const makeRecord = (sql: postgres.Sql | postgres.TransactionSql) =>
  sql`create table if not exists schema_migrations (
    name text primary key, digest text not null, applied_at timestamptz not null default now())`;

/** The schema as it was after these migrations, in a transaction that goes on to fill it. */
export async function createTables(sql: postgres.TransactionSql, names: readonly string[]): Promise<void> {
  await makeRecord(sql);
  for (const migration of migrations.filter(({ name }) => names.includes(name))) await apply(sql, migration);
}

/** A database that is still starting is waited for; what waiting cannot mend is one line for the operator. */
async function lock(sql: postgres.Sql) {
  const giveUp = Date.now() + seconds(30);
  for (;;) {
    try {
      await sql`select pg_advisory_lock(${lockKey})`;
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? "";
      const remedy = remedyTexts[code];
      if (remedy) throw new CannotStart(remedy);
      if (!isConnectionError(error)) throw error;
      if (Date.now() > giveUp)
        throw new CannotStart(`The database does not answer (${code}). Is it running?`);
      log.warnOnce("database-wait", "waiting for the database", { code });
      await pause(500);
    }
  }
}

const remedyTexts: Record<string, string> = {
  "28P01": "The database refuses the password in DATABASE_URL.",
  "28000": "The database refuses the user in DATABASE_URL.",
  "3D000": "The database named in DATABASE_URL does not exist: create it first.",
};

/** A digest that does not match means a file changed after it ran: the schema is not what the code thinks. */
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
      `The database was made by another version of migration ${changed.name}. Restore a backup, or use another database.`,
    );
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

const digestOf = ({ text }: Migration) => createHash("sha256").update(text).digest("hex");

async function run(sql: postgres.Sql, migration: Migration) {
  await sql.begin((transaction) => apply(transaction, migration));
  log.info("migrated the database", { migration: migration.name });
}

async function apply(sql: postgres.TransactionSql, migration: Migration) {
  for (const statement of migration.text.split("--> statement-breakpoint")) await sql.unsafe(statement);
  await sql`insert into schema_migrations (name, digest) values (${migration.name}, ${digestOf(migration)})`;
}
