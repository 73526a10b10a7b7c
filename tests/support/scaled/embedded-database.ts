import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { postmasterOf } from "#tests/support/site/memory.ts";

/** Several processes start, stop and are killed while they share one embedded database. */
type Message = { up?: string; trouble?: string; acknowledged?: number; rows?: number[]; failed?: string };
type Member = {
  process: ChildProcess;
  messages: Message[];
  next<Key extends keyof Message>(key: Key): Promise<Required<Message>[Key]>;
};

const program = resolve("build/tests/embedded-database-process.js");
/** Most tests need a database that was used before. They share this folder, because creating a database is slow. */
export const usedFolder = temporaryFolder("embedded");
const folders: string[] = [];
const members: Member[] = [];

beforeAll(() => build({ configFile: resolve("tests/support/database/embedded-database-process.vite.ts") }));

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

export function newFolder() {
  const folder = temporaryFolder("embedded");
  folders.push(folder);
  return folder;
}

export function start(dataDir: string): Member {
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

export const kill = ({ process }: Member) => endProgram(process, "SIGKILL");

export async function stop({ process: child }: Member) {
  child.send("stop");
  await once(child, "exit");
}

export function rowsOf(member: Member) {
  member.process.send("read");
  return member.next("rows");
}

/** Writes until two hundred rows are acknowledged, then runs `cut`. Returns the number of every acknowledged row. */
export async function writeUntilCut(member: Member, cut: () => void) {
  member.process.send("write");
  let last = -1;
  while (last < 200) last = await member.next("acknowledged");
  cut();
  await Promise.race([once(member.process, "exit"), member.next("failed")]);
  const later = member.messages.flatMap(({ acknowledged }) => acknowledged ?? []);
  last = Math.max(last, ...later);
  return Array.from({ length: last + 1 }, (_, number) => number);
}

type EndSignal = "SIGTERM" | "SIGINT" | "SIGQUIT";

export function testEndedPostmaster(signals: readonly EndSignal[]) {
  test.each(signals)("a postmaster that is ended by %s is replaced", async (signal) => {
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
  });
}

export function testMovedFolder(ends: readonly ("stops" | "is killed")[]) {
  test.each(ends)("after the data folder was moved, a server that %s leaves no postmaster", async (how) => {
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
  });
}
