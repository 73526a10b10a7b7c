import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type postgres from "postgres";
import { expect, test } from "vitest";
import { createTables, migrations } from "#db/migrate.ts";
import { firstMigrations, makeFirstDatabase, openDatabase } from "#tests/support/database/first-schema.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** A site of the first schema is upgraded, and its process is killed several times while the migrations run. */

const names = migrations.map(({ name }) => name);

/** Every row of every table that the first schema has. */
async function readAll(sql: postgres.Sql, tables: string[]) {
  const rows: Record<string, string[]> = {};
  for (const table of tables)
    rows[table] = (await sql.unsafe(`select t::text as row from "${table}" t order by 1`)).map(
      ({ row }) => row,
    );
  return rows;
}

const listTables = async (sql: postgres.Sql) =>
  (
    await sql<{ name: string }[]>`select tablename as name from pg_tables
      where schemaname = current_schema() and tablename <> 'schema_migrations' order by 1`
  ).map(({ name }) => name);

const gateKey = 4711;

/** Makes these migrations wait at their end until the connection that holds the lock ends. Backups contain no triggers. */
const gateFunction = `create function wait_at_gate() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${gateKey}); return new; end'`;
const gateAt = (
  waiting: readonly string[],
) => `create trigger gate before insert on schema_migrations for each row
    when (new.name in (${waiting.map((name) => `'${name}'`).join(", ")})) execute function wait_at_gate()`;

/** Starts the site and kills it while it waits in a migration. The database server then ends that transaction. */
async function startAndKill(settings: Record<string, string>, watcher: postgres.Sql) {
  const child = spawn(process.execPath, ["build/server/server.js"], {
    env: { ...process.env, NODE_ENV: "production", PORT: "0", ...settings },
    stdio: "ignore",
  });
  const findWaiting = () => watcher<{ pid: number }[]>`
    select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and locktype = 'advisory' and objid = ${gateKey} and not granted`;
  await expect.poll(async () => (await findWaiting()).length).toBe(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  // The backend would notice that its client is gone only after getting the lock.
  const [waiting] = await findWaiting();
  await watcher`select pg_terminate_backend(${waiting?.pid ?? 0}, 60000)`;
}

const countMigrations = async (sql: postgres.Sql) =>
  Number((await sql`select count(*) as count from schema_migrations`)[0]?.count);

/**
 * Reads a backup as the first version did: it refuses an unknown migration or kind of line, and ignores unknown fields of
 * lines.
 */
async function restoreAsFirstVersion(file: string, url: string) {
  const content = gunzipSync(readFileSync(file));
  const sql = openDatabase(url);
  const rows: Record<string, number> = {};
  await sql.begin(async (transaction) => {
    await createTables(transaction, firstMigrations);
    const columns = new Map<string, string>();
    for (let at = 0; at < content.length; ) {
      const end = content.indexOf(10, at);
      const frame = JSON.parse(content.toString("utf8", at, end));
      at = end + 1;
      if (frame.kind === "backup") {
        expect([frame.format, frame.version]).toEqual(["engawa-backup", 1]);
        expect(frame.migrations).toEqual(firstMigrations);
        for (const { name, columns: found } of frame.tables)
          columns.set(name, found.map((one: string) => `"${one}"`).join(", "));
      } else if (frame.kind === "rows") {
        const bytes = content.subarray(at, at + frame.bytes);
        const into = await transaction
          .unsafe(`copy "${frame.table}" (${columns.get(frame.table)}) from stdin`)
          .writable();
        into.end(bytes);
        await once(into, "finish");
        at += frame.bytes;
        rows[frame.table] = (rows[frame.table] ?? 0) + bytes.toString("latin1").split("\n").length - 1;
      } else {
        expect(frame.kind).toBe("end");
        for (const [table, count] of Object.entries(frame.rows))
          expect([table, rows[table] ?? 0]).toEqual([table, count]);
        expect(at).toBe(content.length);
      }
    }
  });
  return sql;
}

/** Kills the process in the migrations at these places of their list, of which -1 is the last. */
export function testInterruptedUpgrade(name: string, places: readonly number[]) {
  test(name, { timeout: 600_000 }, () => upgradeThroughKills(places.map((place) => names.at(place)!)));
}

async function upgradeThroughKills(kills: readonly string[]) {
  const { url, sql } = await makeFirstDatabase();
  const tables = await listTables(sql);
  const before = await readAll(sql, tables);
  await sql.unsafe(`${gateFunction}; ${gateAt(kills)}`);
  const gatekeeper = openDatabase(url);
  const settings = { DATABASE_URL: url, DATA_DIR: newDataDir(), SESSION_SECRET: "kept ".repeat(10) };
  const backups = () =>
    readdirSync(join(settings.DATA_DIR, "backups")).filter((name) => /^before-migration-.*\.gz$/.test(name));

  for (const name of kills) {
    await gatekeeper`select pg_advisory_lock(${gateKey})`;
    await startAndKill(settings, sql);
    expect(await countMigrations(sql)).toBe(names.indexOf(name));
    await gatekeeper`select pg_advisory_unlock(${gateKey})`;
    // The next start gets past this migration.
    const later = kills.slice(kills.indexOf(name) + 1);
    await sql.unsafe(`drop trigger gate on schema_migrations; ${later.length > 0 ? gateAt(later) : ""}`);
  }
  await gatekeeper.end();
  const site = await startSite(settings);
  expect(await countMigrations(sql)).toBe(names.length);
  await site.stop();
  await sql.end();

  const [backup = "", ...others] = backups();
  expect(others).toEqual([]);
  const elsewhere = await restoreAsFirstVersion(
    join(settings.DATA_DIR, "backups", backup),
    await newDatabase({ isEmpty: true }),
  );
  expect(await readAll(elsewhere, tables)).toEqual(before);
  await elsewhere.end();
}
