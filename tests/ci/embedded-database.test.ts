import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { mendDriver, mended } from "#db/mend-driver.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

/** Processes that come, go and are killed around one embedded database. */
type Message = { up?: string; trouble?: string; acknowledged?: number; rows?: number[]; failed?: string };
type Member = {
  process: ChildProcess;
  heard: Message[];
  hear<Key extends keyof Message>(key: Key): Promise<Required<Message>[Key]>;
};

const program = resolve("build/tests/database-member.js");
/** Most of these begin with a database that has been used before, and making one takes its time. */
const usedFolder = temporaryFolder("embedded");
const folders: string[] = [];
const members: Member[] = [];

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: "error",
    plugins: [mendDriver],
    ssr: { noExternal: mended },
    build: {
      ssr: "tests/support/database-member.ts",
      outDir: "build/tests",
      emptyOutDir: false,
      target: "node20",
    },
  });
});

afterEach(async () => {
  for (const member of members.splice(0)) await kill(member);
  for (const folder of [usedFolder, ...folders]) await stopPostmaster(folder);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

afterAll(() => rmSync(usedFolder, { recursive: true, force: true, maxRetries: 5 }));

async function stopPostmaster(folder: string) {
  const pid = postmasterOf(folder);
  if (!pid || !isAlive(pid)) return;
  process.kill(pid, "SIGQUIT");
  await vi.waitFor(() => expect(postmasterOf(folder)).toBeUndefined(), { timeout: 10_000 });
}

function newFolder() {
  const folder = temporaryFolder("embedded");
  folders.push(folder);
  return folder;
}

const clusterOf = (dataDir: string) => join(dataDir, "database", "cluster");

function postmasterOf(dataDir: string) {
  const file = join(clusterOf(dataDir), "postmaster.pid");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function begin(dataDir: string): Member {
  const child = fork(program, [dataDir], { stdio: "ignore" });
  const heard: Message[] = [];
  child.on("message", (message: Message) => heard.push(message));
  const member: Member = {
    process: child,
    heard,
    async hear(key) {
      for (;;) {
        const found = heard.findIndex((message) => key in message);
        if (found >= 0) return heard.splice(found, 1)[0]?.[key] as Required<Message>[typeof key];
        await once(child, "message");
      }
    },
  };
  members.push(member);
  return member;
}

async function kill({ process: child }: Member) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function leave({ process: child }: Member) {
  child.send("stop");
  await once(child, "exit");
}

function rowsOf(member: Member) {
  member.process.send("read");
  return member.hear("rows");
}

/** Writes, and cuts in once two hundred rows are acknowledged; answers every number that was. */
async function interrupted(member: Member, cut: () => void) {
  member.process.send("write");
  let last = -1;
  while (last < 200) last = await member.hear("acknowledged");
  cut();
  await Promise.race([once(member.process, "exit"), member.hear("failed")]);
  const later = member.heard.flatMap(({ acknowledged }) => acknowledged ?? []);
  last = Math.max(last, ...later);
  return Array.from({ length: last + 1 }, (_, number) => number);
}

test("two processes that begin at once on an empty folder share one database, and the last one out stops it", async () => {
  const dataDir = newFolder();
  const [first, second] = [begin(dataDir), begin(dataDir)];
  const started = await Promise.all([first.hear("up"), second.hear("up")]);
  expect(started[0]).toBe(started[1]);

  const postmaster = postmasterOf(dataDir) ?? 0;
  await leave(first);
  expect(isAlive(postmaster)).toBe(true);
  expect(await rowsOf(second)).toEqual([]);
  await leave(second);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("everyone who leaves and joins at the same time ends with a database or without one", async () => {
  const dataDir = usedFolder;
  let guest = begin(dataDir);
  await guest.hear("up");
  for (let round = 0; round < 5; round++) {
    const next = begin(dataDir);
    await Promise.all([leave(guest), next.hear("up")]);
    expect(await rowsOf(next)).toBeInstanceOf(Array);
    guest = next;
  }
  await leave(guest);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("after kill -9 of the server alone the next start joins the same postmaster", async () => {
  const dataDir = usedFolder;
  const server = begin(dataDir);
  const started = await server.hear("up");
  const acknowledged = await interrupted(server, () => server.process.kill("SIGKILL"));

  const next = begin(dataDir);
  expect(await next.hear("up")).toBe(started);
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await leave(next);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("after kill -9 of the database alone the server starts it again", async () => {
  const dataDir = usedFolder;
  const server = begin(dataDir);
  await server.hear("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await interrupted(server, () => process.kill(postmaster, "SIGKILL"));

  expect(await rowsOf(server)).toEqual(expect.arrayContaining(acknowledged));
  expect(postmasterOf(dataDir)).not.toBe(postmaster);
  await leave(server);
});

test("after kill -9 of both the next start has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = begin(dataDir);
  const started = await server.hear("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await interrupted(server, () => {
    server.process.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
  });

  const next = begin(dataDir);
  expect(await next.hear("up")).not.toBe(started);
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await leave(next);
});

test("a postmaster.pid whose number a stranger has taken since is no obstacle", async () => {
  const dataDir = usedFolder;
  const server = begin(dataDir);
  await server.hear("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const file = join(clusterOf(dataDir), "postmaster.pid");
  const { uid, gid } = statSync(file);
  const text = readFileSync(file, "utf8");
  server.process.kill("SIGKILL");
  process.kill(postmaster, "SIGKILL");

  const stranger = spawn("sleep", ["60"], { uid, gid });
  try {
    writeFileSync(file, text.replace(String(postmaster), String(stranger.pid)));
    writeFileSync(join(dataDir, "database", "run", ".s.PGSQL.5432.lock"), `${stranger.pid}\n`);
    const next = begin(dataDir);
    expect(await next.hear("up")).toBeTruthy();
    await leave(next);
  } finally {
    stranger.kill("SIGKILL");
  }
});

test("a path too long for a socket, with spaces and letters of elsewhere, is no obstacle", async () => {
  const dataDir = join(newFolder(), "縁側 où l'on s'assied, \"le soir\"", "x".repeat(100));
  mkdirSync(dataDir, { recursive: true });
  const [first, second] = [begin(dataDir), begin(dataDir)];
  expect(await first.hear("up")).toBe(await second.hear("up"));
  await leave(first);
  await leave(second);
});

test("a cluster of another major version stops the start and names the way back", async () => {
  const dataDir = usedFolder;
  const server = begin(dataDir);
  await server.hear("up");
  await leave(server);
  writeFileSync(join(clusterOf(dataDir), "PG_VERSION"), "14\n");
  expect(await begin(dataDir).hear("trouble")).toMatch(
    /made by PostgreSQL 14 and this is 18.*npm run restore/,
  );
});

test("a data folder that is none gets one line", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(await begin(join(file, "data")).hear("trouble")).toMatch(/^DATA_DIR .* is not a folder/);
});
