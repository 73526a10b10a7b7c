import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { expect, test } from "vitest";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { startPostgres } from "#tests/support/database/postgres.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { startPgbouncer } from "#tests/support/servers/pgbouncer.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** Two instances reach PostgreSQL through PgBouncer in transaction mode, with the file that the project ships. */

const database = await startPostgres();
const pooler = await startPgbouncer(database.url);
const direct = postgres(database.url, { max: 1 });
atEnd(() => direct.end());

const settings = {
  NODE_ENV: "production",
  DATABASE_URL: pooler.url,
  DATABASE_DIRECT_URL: database.url,
  SESSION_SECRET: "the same for both ".repeat(3),
  PUBLIC_URL: "http://engawa.example",
  RATE_LIMIT_POINTS: "1000000",
};

const [one, other] = await Promise.all([startSite(settings, { isQuiet: true }), startSite(settings)]);
const member = await signUpAt(one.origin, "pooled@example.org", settings.PUBLIC_URL);

async function failedStart(changed: Record<string, string>) {
  const child = spawn(process.execPath, [resolve("build/server/server.js")], {
    env: { ...process.env, ...settings, PORT: "0", DATA_DIR: newDataDir(), ...changed },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, lines: output.trim().split("\n") };
}

await direct`create database untouched`;
const untouched = databaseUrl(database.url, "untouched");

test("without DATABASE_DIRECT_URL the site says in one line what to set, and creates no table", async () => {
  const { url, stop } = await startPgbouncer(untouched);
  const { code, lines } = await failedStart({ DATABASE_URL: url, DATABASE_DIRECT_URL: "" });
  await stop();
  expect(lines).toEqual([
    "DATABASE_URL leads to a pooler that gives each transaction another connection. Set DATABASE_DIRECT_URL to the database itself (docs/operating.md, PgBouncer).",
  ]);
  expect(code).toBe(1);
  const sql = postgres(untouched, { max: 1 });
  expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);
  await sql.end();
});

test("with PgBouncer in session mode and no DATABASE_DIRECT_URL, the one line points to the settings", async () => {
  const session = await startPgbouncer(untouched, { "pool_mode = transaction": "pool_mode = session" });
  const { code, lines } = await failedStart({ DATABASE_URL: session.url, DATABASE_DIRECT_URL: "" });
  expect([code, lines.at(-1)]).toEqual([
    1,
    "The pooler at DATABASE_URL refuses connections. Its log says why; docs/operating.md has the settings for PgBouncer.",
  ]);
  await session.stop();
});

type List = { data: { mal_id: number }[] };

test("two instances start together on an empty database, which is migrated and seeded", async () => {
  for (const { origin } of [one, other]) {
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${origin}/anime/900000001/engawa`)).status).toBe(200);
  }
});

test("simultaneous writes on both instances all succeed, and each instance shows the other's", async () => {
  const rows = await direct<{ id: number }[]>`select mal_id as id from titles order by mal_id limit 30`;
  const answers = await Promise.all(
    rows.map(({ id }, at) =>
      whenFree(() =>
        member.ask(`${(at % 2 === 0 ? one : other).origin}/api/user/watchList`, {
          animeId: id,
          type: "Watching",
        }),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  for (const site of [one, other]) {
    const list = (await (await member.ask(`${site.origin}/api/user/watchList`)).json()) as List;
    expect(list.data.map(({ mal_id: id }) => id).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
  }
});

test("an import shows on both instances", async () => {
  const totals = () =>
    Promise.all(
      [one, other].map(async ({ origin }) => {
        const answer = await fetch(`${origin}/api/animes/full?studio_filter=Veranda`);
        return ((await answer.json()) as { meta: { total_items: number } }).meta.total_items;
      }),
    );
  expect(await totals()).toEqual([0, 0]);
  const file = join(newDataDir(), "new.ndjson");
  writeFileSync(file, `${JSON.stringify({ mal_id: 777_003, title: "Newcomer", studios: ["Veranda"] })}\n`);
  const imported = await spawnTool("catalog-import", [file], {
    settings: { ...settings, DATA_DIR: one.dataDir },
  });
  expect(imported.code, imported.stderr).toBe(0);
  await expect.poll(totals, { interval: 20 }).toEqual([1, 1]);
});

test("PgBouncer's connections have the settings that the site sets itself on direct connections", async () => {
  // The site asks for a time zone, which PgBouncer passes on.
  const sql = postgres(pooler.url, { max: 1, prepare: false, connection: { TimeZone: "Asia/Tokyo" } });
  const settingsOf = await sql`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'random_page_cost', 'max_parallel_workers_per_gather', 'tcp_user_timeout')
      or name = 'TimeZone' or name like 'tcp_keepalives_%'`;
  expect(Object.fromEntries(settingsOf.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: "7000",
    random_page_cost: "1.1",
    max_parallel_workers_per_gather: "0",
    tcp_keepalives_idle: "5",
    tcp_keepalives_interval: "2",
    tcp_keepalives_count: "3",
    tcp_user_timeout: "10000",
    TimeZone: "Asia/Tokyo",
  });
  await sql.end();
});

test("while PgBouncer is down, /readyz is red; after it returns, the site recovers", async () => {
  await pooler.stop();
  await expect.poll(async () => (await fetch(`${one.origin}/readyz`)).status).toBe(503);
  await pooler.start();
  await expect.poll(async () => (await fetch(`${one.origin}/readyz`)).status).toBe(200);
  expect((await member.ask(`${one.origin}/api/user/watchList`)).status).toBe(200);
});
