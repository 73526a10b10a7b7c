import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { endProgram } from "#tests/support/servers/end-program.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { heapFlags } from "#tests/support/site/heap-flags.ts";
import { processesOf, readOrEmpty, residentMiB, totalMiB } from "#tests/support/site/memory.ts";

/** Starts the servers to measure, each in its own process. */

export type Served = {
  origin: string;
  pid: number;
  /** The seconds of processor time that the server has used so far, or NaN on systems other than Linux. */
  cpuSeconds(): number;
  /** The same for the server, the processes that it started, and its embedded database. Excludes processes that have ended. */
  totalCpuSeconds(): number;
  residentBytes(): number;
  /** The memory of the server, the processes that it started, and its embedded database. */
  totalMiB(): number;
  /** The number of the server's open files, sockets and pipes. */
  openHandles(): number;
  stop(): Promise<void>;
};

/** Starts the site as in production, with rate limits that no benchmark reaches. `folder` holds another copy of it. */
export async function startSite(settings: Record<string, string> = {}, folder = "."): Promise<Served> {
  const flags = settings.MEMORY === undefined ? [] : heapFlags({ DATABASE_URL: "", ...settings });
  return start(
    [...flags, resolve(folder, "build/server/server.js")],
    {
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: temporaryFolder("bench"),
      DATABASE_URL: "",
      LOG_LEVEL: "info",
      RATE_LIMIT_POINTS: "1000000",
      RATE_LIMIT_SECONDS: "86400",
      RATE_LIMIT_IMAGE_SECONDS: "86400",
      RATE_LIMIT_PLAYLIST_SECONDS: "86400",
      CLIENT_REQUESTS: "1000000",
      CLIENT_CONNECTIONS: "1000000",
      RATE_LIMIT_PAGE_POINTS: "1000000",
      SIGNUPS: "open",
      ...settings,
    },
    folder,
  );
}

/** Starts a bare `node:http` server that sends one body, from memory or piped from its file. */
export const startBareServer = (mode: "memory" | "pipe", file: string, headers: Record<string, string>) =>
  start([resolve("tests/bench/measuring/bare-server.mjs"), mode, file, JSON.stringify(headers)], {});

/** Starts a script that logs the URL it listens on as our server does. */
export async function start(
  command: string[],
  settings: Record<string, string> = {},
  folder = ".",
): Promise<Served> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);
  const stop = async () => {
    process.off("exit", killChild);
    await endProgram(child, "SIGINT");
  };
  return {
    origin: await urlOf(child),
    pid: child.pid ?? 0,
    cpuSeconds: () => processorSecondsOf(child.pid),
    totalCpuSeconds: () =>
      processesOf(child.pid ?? 0, settings.DATA_DIR).reduce((sum, pid) => sum + processorSecondsOf(pid), 0),
    residentBytes: () => residentMiB({ process: child }) * 2 ** 20,
    totalMiB: () => totalMiB(child, settings.DATA_DIR),
    openHandles: () => (existsSync("/proc") ? readdirSync(`/proc/${child.pid}/fd`).length : Number.NaN),
    stop,
  };
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    const { stdout } = child;
    if (!stdout) return failed(new Error("the server has no output to read"));
    const lines = createInterface({ input: stdout });
    lines.on("line", (line) => {
      const address = /"message":"listening","address":"([^"]+)"/.exec(line)?.[1];
      if (!address) return;
      found(address);
      lines.close();
      // Discard the rest of the log: reading it line by line takes processor time from the measurement.
      stdout.resume();
    });
    lines.on("close", () => failed(new Error("the server exited before it listened")));
  });
}

/** Linux reports the processor time of each thread in nanoseconds. */
export function processorSecondsOf(pid = 0) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return Number.NaN;
  const nanoseconds = readdirSync(threads).map((thread) => {
    const path = join(threads, thread, "schedstat");
    // The thread may have ended since its folder was listed.
    return Number(readOrEmpty(path).split(" ", 1)[0]);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}
