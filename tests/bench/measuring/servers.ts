import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Servers to measure, each in a process of its own. */

export type Served = {
  origin: string;
  /** Seconds of processor it has used so far; NaN where the system does not tell. */
  cpuSeconds(): number;
  residentBytes(): number;
  /** Files, sockets and pipes it holds. */
  openHandles(): number;
  stop(): Promise<void>;
};

/** The site as it is run in production, with limits out of the way. */
export async function startSite(settings: Record<string, string> = {}): Promise<Served> {
  const dataDir = temporaryFolder("bench");
  const served = await start([resolve("build/server/server.js")], {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    LOG_LEVEL: "info",
    RATE_LIMIT_POINTS: "1000000",
    RATE_LIMIT_SECONDS: "86400",
    ...settings,
  });
  const stop = async () => {
    await served.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...served, stop };
}

/** `node:http` with nothing around it, sending one body: from memory, or piped from its file. */
export const startBareServer = (how: "memory" | "pipe", file: string, type: string) =>
  start([resolve("tests/bench/measuring/bare-server.mjs"), how, file, type], {});

/** A script that says where it listens as our server does. */
export async function start(command: string[], settings: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const orphan = () => child.kill("SIGKILL");
  process.once("exit", orphan);
  const stop = async () => {
    process.off("exit", orphan);
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  };
  return {
    origin: await addressOf(child),
    cpuSeconds: () => cpuSeconds(child),
    residentBytes: () => resident(child),
    openHandles: () => (existsSync("/proc") ? readdirSync(`/proc/${child.pid}/fd`).length : Number.NaN),
    stop,
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    const { stdout } = child;
    if (!stdout) return failed(new Error("no output"));
    const lines = createInterface({ input: stdout });
    lines.on("line", (line) => {
      const address = /"message":"listening","address":"([^"]+)"/.exec(line)?.[1];
      if (!address) return;
      found(address);
      lines.close();
      // Its log goes nowhere unread: whoever reads it line by line takes time from what is measured.
      stdout.resume();
    });
    lines.on("close", () => failed(new Error("a server ended before it listened")));
  });
}

/** Linux counts the nanoseconds of each thread. */
function cpuSeconds({ pid }: ChildProcess) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return Number.NaN;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, "schedstat"), "utf8").split(" ", 1)[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

function resident({ pid }: ChildProcess) {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1]) * 1024;
}
