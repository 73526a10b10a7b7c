import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrations } from "#db/migrate.ts";
import { firstMigrations, makeFirstDatabase, openDatabase } from "#tests/support/database/first-schema.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { signInAt, signUpAt } from "#tests/support/requests/session-member.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** Starts the present code on a database of the first schema. */

const later = migrations.map(({ name }) => name).filter((name) => !firstMigrations.includes(name));
const filled = ["users", "credentials", "watch_list", "search_history", "watch_history", "watch_progress"];

async function makeOldSite() {
  const { url, sql } = await makeFirstDatabase();
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and table_name = any (${filled}) order by table_name, ordinal_position`;
  await sql.end();
  return { url, columns };
}

type Columns = Awaited<ReturnType<typeof makeOldSite>>["columns"];

/** The values of the columns that the first schema had. */
async function rowsOf(url: string, columns: Columns) {
  const sql = openDatabase(url);
  const rows: Record<string, unknown> = {};
  for (const table of filled) {
    const names = columns.filter((one) => one.table === table).map(({ column }) => `"${column}"::text`);
    rows[table] = await sql.unsafe(`select ${names.join(", ")} from "${table}" order by 1, 2, 3`);
  }
  await sql.end();
  return rows;
}

const backupsIn = (dataDir: string) =>
  readdirSync(join(dataDir, "backups"))
    .filter((name) => name.startsWith("before-migration-"))
    .sort();

test("an upgrade keeps every value, and the backup before it restores the old state; three backups are kept", async () => {
  expect(later.length).toBeGreaterThan(0);
  const { url, columns } = await makeOldSite();
  const before = await rowsOf(url, columns);
  const dataDir = newDataDir();
  mkdirSync(join(dataDir, "backups"));
  const older = [1, 2, 3].map((day) => `before-migration-2024-01-0${day}T00-00-00-000Z.gz`);
  for (const name of older) writeFileSync(join(dataDir, "backups", name), "");
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, SESSION_SECRET: "kept ".repeat(10) };

  const site = await startSite(settings);
  const migrated = site.logged.filter(({ message }) => message === "migrated the database");
  expect(migrated.map(({ migration }) => migration)).toEqual(later);
  expect(await rowsOf(url, columns)).toEqual(before);
  const member = await signInAt(site.origin, "early@example.org");
  const list = await (await member.ask(`${site.origin}/api/user/watchList`)).text();
  for (const part of ["A Title of One's Own", '"progress":5', '"score":8.5', "縁側"])
    expect(list).toContain(part);
  const backups = backupsIn(dataDir);
  expect(backups).toHaveLength(3);
  expect(backups.slice(0, 2)).toEqual(older.slice(1));
  await site.stop();

  // SIGNUPS is not set, as in most installations from before invitations.
  const again = await startSite({ ...settings, SIGNUPS: "" });
  // These lines follow the one that says where the site listens.
  await expect
    .poll(() => again.said.filter((line) => line.includes("anybody may sign up as before")))
    .toHaveLength(1);
  await signUpAt(again.origin, "newcomer@example.org");
  expect(again.logged.filter(({ message }) => /migrat/.test(message ?? ""))).toEqual([]);
  await again.stop();
  await expectRestored(join(dataDir, "backups", backupsIn(dataDir).at(-1) ?? ""), columns, before);
});

test("a new site outside of local mode says how to make its first account, and accepts no sign-ups", async () => {
  const url = await newDatabase({ isEmpty: true });
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: newDataDir(),
    SESSION_SECRET: "kept ".repeat(10),
    SIGNUPS: "",
  };
  const site = await startSite(settings);
  await expect.poll(() => site.said.join("\n")).toMatch(/\/setup#[\w-]{43}/);
  await expect(signUpAt(site.origin, "newcomer@example.org")).rejects.toThrow("answered 403");
});

async function expectRestored(file: string, columns: Columns, before: Record<string, unknown>) {
  const elsewhere = await newDatabase({ isEmpty: true });
  const settings = { DATABASE_URL: elsewhere, DATA_DIR: newDataDir() };
  const restored = await spawnTool("restore", [file], { settings });
  expect(restored.code, restored.stderr).toBe(0);
  expect(await rowsOf(elsewhere, columns)).toEqual(before);
}
