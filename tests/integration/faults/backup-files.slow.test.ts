import { createHash, randomUUID } from "node:crypto";
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { tool as backup } from "#app/cli/backup.ts";
import { tool as restore } from "#app/cli/restore.ts";
import { createAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { driverArguments } from "#db/driver-arguments.ts";
import { migrate } from "#db/migrate.ts";
import { holdSite } from "#db/site-lock.server.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** Files that are not whole backups: each is refused within seconds, and the database keeps its content. */

const folder = temporaryFolder("backups");
const whole = join(folder, "whole.gz");

const sql = postgres(...driverArguments(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} }));
await createAccount({ email: "kept@example.org", username: "Kept", password: goodPassword });
expect(await runToolInProcess(backup, [whole])).toMatchObject({ code: 0 });
const bytes = readFileSync(whole);

async function expectUnchanged() {
  const [row] =
    await sql`select count(*)::int as locks from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.mode = 'AccessExclusiveLock'`;
  expect(row?.locks).toBe(0);
  expect(await sql`select email from users`).toEqual([{ email: "kept@example.org" }]);
}

async function expectRefused(file: string, text: RegExp) {
  for (const ran of [
    await runToolInProcess(backup, ["--verify", file]),
    await runToolInProcess(restore, [file, "--replace"]),
  ]) {
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(text);
    expect(ran.stderr.trim()).not.toContain("\n");
  }
}

function write(name: string, content: Buffer | string) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Where a backup is damaged: always the same places, spread over the whole file. */
function damage(number: number, count: number) {
  const damaged = Buffer.from(bytes);
  // The first ten bytes are gzip's header. Damage to most of them, such as the time, loses nothing.
  const at = 10 + Math.floor(((bytes.length - 11) * number) / count);
  if (number % 3 === 2) return damaged.subarray(0, at);
  damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (number % 8)), at);
  return damaged;
}

/** A few bits of a gzip file mean nothing. */
function hasSameContent(damaged: Buffer) {
  try {
    return gunzipSync(damaged).equals(gunzipSync(bytes));
  } catch {
    return false;
  }
}

// With CI=1, the number is two hundred.
const samples = process.env.CI === "1" ? 200 : 18;

test(`${samples} flipped and cut backups are refused, and the database keeps its content and has no lock`, {
  timeout: 300_000,
}, async () => {
  for (let number = 0; number < samples; number++) {
    const damaged = damage(number, samples);
    if (!hasSameContent(damaged))
      await expectRefused(
        write("damaged.gz", damaged),
        /^(?:The backup is (?:damaged|incomplete)|This file is not an Engawa backup)/,
      );
  }
  await expectUnchanged();
});

const foreign: [string, () => string, RegExp][] = [
  ["a picture", () => write("picture.png", readFileSync("docs/screenshot.webp")), /not an Engawa backup/],
  ["an empty file", () => write("empty.gz", ""), /is empty/],
  ["gzipped text", () => write("text.gz", gzipSync("text\n".repeat(9))), /not an Engawa backup/],
  ["gzipped zeros", () => write("zeros.gz", gzipSync(Buffer.alloc(5_000_000))), /not an Engawa backup/],
  ["gzipped JSON", () => write("json.gz", gzipSync('{"kind":"end"}\n')), /not an Engawa backup/],
  ["nothing", () => join(folder, "missing.gz"), /does not exist/],
  [
    "a folder",
    () => {
      mkdirSync(join(folder, "folder"));
      return join(folder, "folder");
    },
    /is a folder/,
  ],
];

test.each(foreign)("%s is refused with one line", async (_what, make, text) => {
  await expectRefused(make(), text);
  await expectUnchanged();
});

/** A backup with changed content and valid checksums. */
function forge(change: (lines: string) => string) {
  const text = gunzipSync(bytes).toString("latin1");
  const changed = change(text);
  expect(changed === text).toBe(false);
  const content = Buffer.from(changed.slice(0, changed.lastIndexOf('{"kind":"end"')), "latin1");
  const sum = createHash("sha256").update(content).digest("hex");
  const forged = changed.replace(/"sha256":"\w+"/, `"sha256":"${sum}"`);
  return write("forged.gz", gzipSync(Buffer.from(forged, "latin1")));
}

test.each<[string, (text: string) => string, RegExp]>([
  ["of a newer format", (text) => text.replace('"version":1', '"version":2'), /newer version/],
  ["of another program", (text) => text.replace('"engawa-backup"', '"other-backup"'), /not an Engawa backup/],
  [
    "with a foreign table",
    (text) => text.replace('"name":"users"', '"name":"userz"'),
    /does not have: userz/,
  ],
  [
    "without its last rows",
    (text) => text.replace(/"users":\d+/, '"users":7'),
    /missing rows of the table users/,
  ],
  ["with an endless row", (text) => text.replace(/"bytes":\d+/, '"bytes":1e15'), /not an Engawa backup/],
  ["that begins twice", (text) => `${text.split("\n")[0]}\n${text}`, /begins twice/],
  ["with more after its end", (text) => `${text}more`, /more after its end/],
])("a backup %s is refused with one line", async (_what, change, text) => {
  await expectRefused(forge(change), text);
  await expectUnchanged();
});

test.each<[string, (text: string) => string]>([
  ["a value of the wrong kind", (text) => text.replace(/(kept@example\.org[^\n]*?)\d{4}-/, "$1wxyz-")],
  [
    "a reference to nobody",
    (text) =>
      text.replace(
        /("table":"credentials","bytes":\d+\}\n)(\w)/,
        (_, head, digit) => `${head}${digit === "f" ? "e" : "f"}`,
      ),
  ],
  ["an unknown column", (text) => text.replace('"email"', '"emails"')],
])("a backup whose rows have %s is refused and changes nothing", async (_what, change) => {
  const file = forge(change);
  const ran = await runToolInProcess(restore, [file, "--replace"]);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The backup has rows that do not fit/),
  });
  await expectUnchanged();
});

test("--verify prints the tables, rows and pictures of a whole backup and changes nothing", async () => {
  const ran = await runToolInProcess(backup, ["--verify", whole, "--json"]);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ pictures: 0, tables: { users: 1 } });
  expect((await runToolInProcess(backup, ["--verify", whole])).stdout).toContain("is complete");
});

test.runIf(process.getuid?.() === 0)(
  "a backup that root makes for another user's site belongs to that user, as does its folder",
  async () => {
    const dataDir = env.DATA_DIR;
    const { uid, gid } = statSync(dataDir);
    chownSync(dataDir, 1000, 100);
    const ran = await runToolInProcess(backup, ["--json"]);
    chownSync(dataDir, uid, gid);
    const { file } = JSON.parse(ran.stdout) as { file: string };
    for (const path of [file, dirname(file)]) expect(statSync(path)).toMatchObject({ uid: 1000, gid: 100 });
    expect(statSync(whole).uid).toBe(0);
  },
);

test("while a backup is written to a file, a second backup to this file is refused", async () => {
  const file = join(folder, "twice.gz");
  const lock = await sql.reserve();
  await lock`begin`;
  await lock`lock table search_history in access exclusive mode`;
  const first = runToolInProcess(backup, [file]);
  await vi.waitUntil(async () => {
    const waiting =
      await lock`select from pg_locks where not granted and relation = 'search_history'::regclass`;
    return waiting.length > 0;
  }, 60_000);
  const second = runToolInProcess(backup, [file]);
  await expect(second).rejects.toThrow(`Another backup is being written to ${file}.`);
  await lock`rollback`;
  lock.release();
  expect(await first).toMatchObject({ code: 0 });
  expect(await runToolInProcess(backup, ["--verify", file])).toMatchObject({ code: 0 });
});

test("while a site runs on the database, a restore is refused and says how to stop the site", async () => {
  const release = await holdSite();
  const refused = await runToolInProcess(restore, [whole, "--replace"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/site runs on this database.*Stop the site/),
  });
  await release();
  expect(await runToolInProcess(restore, [whole])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--replace"),
  });
  expect(await runToolInProcess(restore, [whole, "--replace"])).toMatchObject({ code: 0 });
  await expectUnchanged();
});

test("restoring over a newer version's database leaves none of its tables, and keeps tables of other programs", async () => {
  const tables = async () =>
    (await sql`select tablename from pg_tables where tablename in ('of_others', 'of_newer') order by 1`).map(
      ({ tablename }) => tablename,
    );
  await sql`create table of_others (id int)`;
  expect(await runToolInProcess(restore, [whole, "--replace"])).toMatchObject({ code: 0 });
  expect(await tables()).toEqual(["of_others"]);
  await sql`create table of_newer (id int, user_id uuid references users)`;
  await sql`insert into schema_migrations (name, digest) values ('9999_newer', 'x')`;
  await expect(migrate()).rejects.toThrow(
    /^The database is newer than this version of Engawa \(it has 9999_newer\)[^\n]*$/,
  );
  expect(await runToolInProcess(restore, [whole, "--replace"])).toMatchObject({ code: 0 });
  expect(await tables()).toEqual([]);
  expect(await migrate()).toEqual([]);
  await expectUnchanged();
});

test("tables of another program with the same names are never dropped, not even with --replace", async () => {
  const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
  await sql.unsafe(`create database ${name}`);
  const settings = { DATABASE_URL: databaseUrl(process.env.DATABASE_URL ?? "", name) };
  const other = postgres(...driverArguments(settings.DATABASE_URL, { max: 1, onnotice: () => {} }));
  const expectForeign = async (names: string) => {
    const ran = await spawnTool("restore", [whole, "--replace"], { settings });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`of Engawa's: ${names}. Use`) });
  };
  try {
    await other`create table schema_migrations (version text)`;
    await expectForeign("schema_migrations");
    await other`drop table schema_migrations`;
    await other`create table users (id int)`;
    await expectForeign("users");
    // Its start fails at these tables, but leaves a record of the first migrations.
    await expect(migrate({ databaseUrl: settings.DATABASE_URL })).rejects.toThrow("users");
    await expectForeign("users");
    await other`drop table users`;
    expect(await spawnTool("restore", [whole], { settings })).toMatchObject({ code: 0 });
    expect(await other`select email from users`).toEqual([{ email: "kept@example.org" }]);
  } finally {
    await other.end();
    await dropDatabase(sql, name);
  }
});

test("a site whose connection was cut blocks restores again within seconds", async () => {
  const release = await holdSite();
  const holders = async () =>
    (
      await sql`select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and a.datname = current_database() and a.application_name = 'engawa site'`
    ).map(({ pid }) => pid as number);
  const [cut] = await holders();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'engawa site'`;
  // The cut connection keeps its lock until its process has ended.
  await expect.poll(holders).toEqual([expect.toSatisfy((pid) => pid !== cut)]);
  expect((await runToolInProcess(restore, [whole, "--replace"])).stderr).toMatch(
    /^The site runs on this database/,
  );
  await release();
});
