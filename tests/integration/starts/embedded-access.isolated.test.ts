import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { hasCluster, openClusterFolders } from "#db/embedded/cluster-folders.server.ts";
import { startEmbedded } from "#db/embedded/embedded.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The embedded database refuses strangers and hides its files from other users of the machine. */

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function newDataDir() {
  const folder = temporaryFolder("embedded-access");
  folders.push(folder);
  return folder;
}

type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

async function query(connection: Partial<Embedded["connection"]>, text: string) {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const wrongPassword = "28P01";

async function expectClosed({ connection }: Embedded) {
  for (const user of [connection.user, "postgres"])
    for (const pass of ["", "wrong"])
      expect(await query({ ...connection, user, database: "postgres", pass }, "select 1")).toBe(
        wrongPassword,
      );
  const admin = { ...connection, user: "postgres", database: "postgres" };
  expect(await query(admin, "select distinct auth_method from pg_hba_file_rules")).toEqual([
    { auth_method: "scram-sha-256" },
  ]);
}

test("the embedded database requires a password, which only the owner of its folder can read", async () => {
  const dataDir = newDataDir();
  const database = await startEmbedded(dataDir);
  await expectClosed(database);
  expect(await query(database.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  const root = join(dataDir, "database");
  expect(readFileSync(join(root, "password"), "utf8").trim()).toBe(database.connection.pass);
  expect(statSync(join(root, "password")).mode & 0o777).toBe(0o600);
  expect(statSync(root).mode & 0o007).toBe(0);
  expect(statSync(dirname(database.connection.path)).mode & 0o777).toBe(0o700);
  await database.stop();
});

/** Creates a cluster like an earlier version's: it trusts every user, has no passwords, and belongs to `nobody`. */
async function makeEarlierDatabase(dataDir: string) {
  const database = await startEmbedded(dataDir);
  await query(database.connection, "create table kept (word text)");
  await query(database.connection, "insert into kept values ('kept')");
  for (const role of [database.connection.user, "postgres"])
    await query({ ...database.connection, user: "postgres" }, `alter role ${role} password null`);
  await database.stop();
  const root = join(dataDir, "database");
  rmSync(join(root, "password"));
  rmSync(join(root, "pg_hba.conf"));
  expect(readFileSync(join(root, "cluster", "pg_hba.conf"), "utf8")).toMatch(/^local +all +all +trust$/m);
  if (isRoot) spawnSync("chown", ["-hR", "65534:65534", root]);
}

/** Each test gets a copy, because creating a database is slow. */
const earlier = temporaryFolder("earlier-database");
beforeAll(() => makeEarlierDatabase(earlier));
afterAll(() => rmSync(earlier, { recursive: true, force: true, maxRetries: 5 }));

function copyEarlierDatabase() {
  const dataDir = newDataDir();
  expect(spawnSync("cp", ["-a", `${earlier}/.`, dataDir]).status).toBe(0);
  return dataDir;
}

test("an earlier version's database keeps its rows and requires a password from the first start on", async () => {
  const dataDir = copyEarlierDatabase();
  for (const _ of ["the first start", "the next start"]) {
    const database = await startEmbedded(dataDir);
    await expectClosed(database);
    expect(await query(database.connection, "select word from kept")).toEqual([{ word: "kept" }]);
    await database.stop();
  }
});

test("several processes may start an earlier version's database at once", async () => {
  const dataDir = copyEarlierDatabase();
  const [one, other] = await Promise.all([startEmbedded(dataDir), startEmbedded(dataDir)]);
  expect(one.connection.pass).toBe(other.connection.pass);
  expect(await query(one.connection, "select word from kept")).toEqual([{ word: "kept" }]);
  await one.stop();
  expect(await query(other.connection, "select word from kept")).toEqual([{ word: "kept" }]);
  await other.stop();
});

test("a lost password ends the start with one line, and following its advice lets the next start make a new one", async () => {
  const dataDir = newDataDir();
  const first = await startEmbedded(dataDir);
  await first.stop();
  const root = join(dataDir, "database");
  writeFileSync(join(root, "password"), "another\n");
  await expect(startEmbedded(dataDir)).rejects.toThrow(
    /password does not hold the password of the embedded database.*pg_hba\.conf/,
  );
  // A failed process exits, and its death watch stops the database. This test's process keeps running.
  const lockFile = join(root, "cluster", "postmaster.pid");
  process.kill(Number.parseInt(readFileSync(lockFile, "utf8"), 10), "SIGINT");
  await expect.poll(() => existsSync(lockFile)).toBe(false);
  rmSync(join(root, "pg_hba.conf"));
  const again = await startEmbedded(dataDir);
  await expectClosed(again);
  expect(await query(again.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await again.stop();
});

test.runIf(isRoot)(
  "started by root, the database gets its own user, and `nobody` can open neither its files nor its socket",
  async () => {
    for (const dataDir of [newDataDir(), copyEarlierDatabase()]) {
      const database = await startEmbedded(dataDir);
      const { cluster } = openClusterFolders(dataDir);
      const { uid, gid } = statSync(cluster);
      expect([uid, gid]).not.toContain(nobody.uid);
      expect([uid, gid]).not.toContain(0);
      for (const path of [
        join(cluster, "PG_VERSION"),
        join(cluster, "base"),
        join(cluster, "postmaster.pid"),
      ])
        expect(statSync(path)).toMatchObject({ uid, gid });
      for (const path of [
        join(cluster, "PG_VERSION"),
        database.connection.path,
        join(cluster, "../password"),
      ]) {
        expect(existsSync(path)).toBe(true);
        expect(spawnSync("/bin/sh", ["-c", 'test -e "$1"', "sh", path], nobody).status).toBe(1);
      }
      await database.stop();
    }
  },
);

test.runIf(isRoot)(
  "a database in /var/lib that is missing stops the start, also in a copy of the data folder",
  async () => {
    const dataDir = join(newDataDir(), "closed");
    mkdirSync(dataDir, { mode: 0o700 });
    const database = await startEmbedded(dataDir);
    await database.stop();
    const noted = readFileSync(join(dataDir, "database-location"), "utf8").trim();
    expect(noted).toMatch(/^\/var\/lib\/engawa\/\w+$/);
    folders.push(noted, `${noted}-elsewhere`);
    renameSync(noted, `${noted}-elsewhere`);
    const copy = `${dataDir}-copy`;
    expect(spawnSync("cp", ["-a", dataDir, copy]).status).toBe(0);
    for (const folder of [dataDir, copy])
      await expect(startEmbedded(folder)).rejects.toThrow(`says that it is in ${noted}`);
    renameSync(`${noted}-elsewhere`, noted);
    await (await startEmbedded(dataDir)).stop();
    rmSync(noted, { recursive: true });
    rmSync(join(dataDir, "database-location"));
    await (await startEmbedded(dataDir)).stop();
    expect(existsSync(join(noted, "cluster"))).toBe(true);
  },
);

test.runIf(isRoot)(
  "in a folder that only another user can enter, root creates a database of this user",
  async () => {
    const daemon = { uid: 1, gid: 1 };
    const dataDir = newDataDir();
    chownSync(dataDir, daemon.uid, daemon.gid);
    chmodSync(dataDir, 0o700);
    const database = await startEmbedded(dataDir);
    await database.stop();
    expect(spawnSync("find", [dataDir, "!", "-uid", "1"], { encoding: "utf8" }).stdout).toBe("");
    expect(existsSync(join(dataDir, "database-location"))).toBe(false);
  },
);

test.runIf(isRoot)("a site that itself runs as `nobody` keeps its database", async () => {
  const dataDir = copyEarlierDatabase();
  spawnSync("chown", ["65534:65534", dataDir]);
  const database = await startEmbedded(dataDir);
  expect(statSync(join(dataDir, "database", "cluster"))).toMatchObject(nobody);
  expect(statSync(join(dataDir, "database", "password"))).toMatchObject(nobody);
  await database.stop();
});

test("a database whose folder cannot be looked into is not taken for missing", () => {
  const dataDir = newDataDir();
  expect(hasCluster(dataDir)).toBe(false);
  // A link to itself fails for root too, as a folder without the right to enter it does for others.
  symlinkSync("database", join(dataDir, "database"));
  expect(hasCluster(dataDir)).toBe(true);
});
