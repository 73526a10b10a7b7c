import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { patchDriver } from "#db/patch-driver.ts";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Several processes start, stop and are killed while they share one embedded database. */
type Message = { up?: string; trouble?: string; acknowledged?: number; rows?: number[]; failed?: string };
type Member = {
  process: ChildProcess;
  messages: Message[];
  next<Key extends keyof Message>(key: Key): Promise<Required<Message>[Key]>;
};

const program = resolve("build/tests/embedded-database-process.js");
/** Most tests need a database that was used before. They share this folder, because creating a database is slow. */
const usedFolder = temporaryFolder("embedded");
const folders: string[] = [];
const members: Member[] = [];

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: "error",
    plugins: [patchDriver()],
    build: {
      ssr: "tests/support/database/embedded-database-process.ts",
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
  await vi.waitFor(() => expect(postmasterOf(folder)).toBeUndefined(), { timeout: 60_000 });
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

function start(dataDir: string): Member {
  const child = fork(program, [dataDir], { stdio: "ignore" });
  const messages: Message[] = [];
  child.on("message", (message: Message) => messages.push(message));
  child.setMaxListeners(0);
  const ended = once(child, "exit").then(() => "ended" as const);
  const member: Member = {
    process: child,
    messages,
    async next(key) {
      for (;;) {
        const found = messages.findIndex((message) => key in message);
        if (found >= 0) return messages.splice(found, 1)[0]?.[key] as Required<Message>[typeof key];
        if ((await Promise.race([once(child, "message"), ended])) === "ended")
          throw new Error(`the process ended before it said "${key}"`);
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

async function stop({ process: child }: Member) {
  child.send("stop");
  await once(child, "exit");
}

function rowsOf(member: Member) {
  member.process.send("read");
  return member.next("rows");
}

/** Writes until two hundred rows are acknowledged, then runs `cut`. Returns the number of every acknowledged row. */
async function writeUntilCut(member: Member, cut: () => void) {
  member.process.send("write");
  let last = -1;
  while (last < 200) last = await member.next("acknowledged");
  cut();
  await Promise.race([once(member.process, "exit"), member.next("failed")]);
  const later = member.messages.flatMap(({ acknowledged }) => acknowledged ?? []);
  last = Math.max(last, ...later);
  return Array.from({ length: last + 1 }, (_, number) => number);
}

test("two processes that start together on an empty folder share one database, and the last one stops it", async () => {
  const dataDir = newFolder();
  const [first, second] = [start(dataDir), start(dataDir)];
  const started = await Promise.all([first.next("up"), second.next("up")]);
  expect(started[0]).toBe(started[1]);

  const postmaster = postmasterOf(dataDir) ?? 0;
  await stop(first);
  expect(isAlive(postmaster)).toBe(true);
  expect(await rowsOf(second)).toEqual([]);
  await stop(second);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("a process that starts while the last one stops gets a working database", async () => {
  const dataDir = usedFolder;
  let current = start(dataDir);
  await current.next("up");
  for (let round = 0; round < 4; round++) {
    const next = start(dataDir);
    await pause(round * 120);
    await Promise.all([stop(current), next.next("up")]);
    expect(await rowsOf(next)).toBeInstanceOf(Array);
    current = next;
  }
  await stop(current);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("after kill -9 of the server alone, the postmaster stops by itself, and the next start has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const acknowledged = await writeUntilCut(server, () => server.process.kill("SIGKILL"));
  await expect.poll(() => postmasterOf(dataDir)).toBeUndefined();
  // PostgreSQL writes its last line after it has removed postmaster.pid.
  await expect
    .poll(() => readFileSync(join(dataDir, "database/postgres.log"), "utf8").trim())
    .toMatch(/database system is shut down$/);

  const next = start(dataDir);
  await next.next("up");
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await stop(next);
});

test("after kill -9 of the process that started the postmaster, the other process keeps it", async () => {
  const dataDir = usedFolder;
  const first = start(dataDir);
  const started = await first.next("up");
  const second = start(dataDir);
  expect(await second.next("up")).toBe(started);
  await kill(first);
  await pause(500);
  expect(await rowsOf(second)).toBeInstanceOf(Array);
  expect(isAlive(postmasterOf(dataDir) ?? 0)).toBe(true);
  await kill(second);
  await expect.poll(() => postmasterOf(dataDir)).toBeUndefined();
});

test.each(["SIGTERM", "SIGINT", "SIGQUIT"] as const)(
  "a postmaster that is ended by %s is replaced",
  async (signal) => {
    const dataDir = usedFolder;
    const server = start(dataDir);
    await server.next("up");
    const postmaster = postmasterOf(dataDir) ?? 0;
    process.kill(postmaster, signal);
    await expect.poll(() => isAlive(postmaster)).toBe(false);
    expect(await rowsOf(server)).toBeInstanceOf(Array);
    expect(postmasterOf(dataDir)).not.toBe(postmaster);
    await stop(server);
    expect(postmasterOf(dataDir)).toBeUndefined();
  },
);

test.each(["stops", "is killed"])(
  "after the data folder was moved, a server that %s leaves no postmaster",
  async (how) => {
    const dataDir = join(newFolder(), "first");
    mkdirSync(dataDir);
    const server = start(dataDir);
    await server.next("up");
    const postmaster = postmasterOf(dataDir) ?? 0;
    const moved = `${dataDir}-moved`;
    renameSync(dataDir, moved);
    await (how === "stops" ? stop(server) : kill(server));
    await expect.poll(() => isAlive(postmaster)).toBe(false);
    expect(existsSync(dataDir)).toBe(false);
    const next = start(moved);
    await next.next("up");
    await stop(next);
  },
);

test("after kill -9 of only the database, the server restarts it and has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await writeUntilCut(server, () => process.kill(postmaster, "SIGKILL"));

  expect(await rowsOf(server)).toEqual(expect.arrayContaining(acknowledged));
  expect(postmasterOf(dataDir)).not.toBe(postmaster);
  await stop(server);
});

test("after kill -9 of both, the next start has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  const started = await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await writeUntilCut(server, () => {
    server.process.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
  });

  const next = start(dataDir);
  expect(await next.next("up")).not.toBe(started);
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await stop(next);
});

test("a postmaster.pid with the process id of another program does not stop the start", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const file = join(clusterOf(dataDir), "postmaster.pid");
  const { uid, gid } = statSync(file);
  const text = readFileSync(file, "utf8");
  server.process.kill("SIGKILL");
  process.kill(postmaster, "SIGKILL");

  const otherProgram = spawn("sleep", ["600"], { uid, gid });
  try {
    writeFileSync(file, text.replace(String(postmaster), String(otherProgram.pid)));
    writeFileSync(join(dataDir, "database", "run", ".s.PGSQL.5432.lock"), `${otherProgram.pid}\n`);
    const next = start(dataDir);
    expect(await next.next("up")).toBeTruthy();
    await stop(next);
  } finally {
    otherProgram.kill("SIGKILL");
  }
});

test("two processes share a database in a path that is too long for a socket and has spaces, quotes and non-Latin letters", async () => {
  const dataDir = join(newFolder(), "縁側 où l'on s'assied, \"le soir\"", "x".repeat(100));
  mkdirSync(dataDir, { recursive: true });
  const [first, second] = [start(dataDir), start(dataDir)];
  expect(await first.next("up")).toBe(await second.next("up"));
  await stop(first);
  await stop(second);
});

test("a cluster of another major version stops the start, and the message names npm run restore", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  await stop(server);
  writeFileSync(join(clusterOf(dataDir), "PG_VERSION"), "14\n");
  expect(await start(dataDir).next("trouble")).toMatch(
    /PostgreSQL 14 created .* but this is PostgreSQL 18.*npm run restore/,
  );
});

test("a DATA_DIR inside a file is refused, and the message names it", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(await start(join(file, "data")).next("trouble")).toMatch(/^DATA_DIR .* is not a folder/);
});
