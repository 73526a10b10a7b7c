import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { heapFlags } from "#tests/support/site/heap-flags.ts";

type LogLine = { message?: string; address?: string } & Record<string, unknown>;
export type Site = {
  origin: string;
  dataDir: string;
  /** Empty if the site has no folder of films. */
  mediaDir: string;
  process: ChildProcess;
  /** The log lines so far. */
  logged: LogLine[];
  /** All lines of output so far, including those that are not JSON. */
  said: string[];
  stop(): Promise<void>;
};

type RunOptions = { isQuiet?: boolean; folder?: string };

/**
 * Starts the production server and returns at once, so that the caller can stop it even if it never listens.
 * `listening` resolves to the site. A global set-up uses this too, so nothing here may import vitest.
 */
export function runSite(
  settings: Record<string, string> & { DATA_DIR: string },
  { isQuiet = false, folder = "." }: RunOptions = {},
): { stop: Site["stop"]; listening: Promise<Site> } {
  const env = {
    ...process.env,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: "",
    LOG_LEVEL: "info",
    // Without this, a site that is not in local mode would accept sign-ups only by invitation.
    SIGNUPS: "open",
    // Browser tests open more pages per minute than a person.
    RATE_LIMIT_PAGE_POINTS: "1000000",
    // Most tests read films as visitors, so films are open to everyone.
    FILMS: "everyone",
    ...settings,
  };
  // Few tests need a limited heap, and computing the arguments takes half a second.
  const flags = settings.MEMORY === undefined ? [] : heapFlags(env);
  const child = spawn(process.execPath, [...flags, resolve(folder, "build/server/server.js")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // The last output can arrive after `exit`.
  const closed = once(child, "close");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
    await closed;
  };
  const logged: LogLine[] = [];
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on("line", (line) => said.push(line));
  const { DATA_DIR: dataDir, MEDIA_DIR: mediaDir = "" } = settings;
  const site = { dataDir, mediaDir, process: child, logged, said, stop };
  const listening = urlWhenListening(child, site, isQuiet).then((origin) => ({ ...site, origin }));
  return { stop, listening };
}

/** Waits for the server's URL. Prints the server's errors unless the test provokes them (`isQuiet`). */
async function urlWhenListening(
  child: ChildProcess,
  { logged, said }: Pick<Site, "logged" | "said">,
  isQuiet: boolean,
): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("the server has no output to read");
  createInterface({ input: stderr }).on("line", (line) => {
    if (line.startsWith("{")) logged.push(JSON.parse(line) as LogLine);
    if (!isQuiet) process.stderr.write(`${line}\n`);
  });
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => {
      if (!line.startsWith("{")) return;
      const parsed = JSON.parse(line) as LogLine;
      logged.push(parsed);
      if (parsed.message === "listening" && parsed.address) resolve(parsed.address);
    });
    lines.on("close", () => {
      reject(
        new Error(["the server exited before it listened. It said last:", ...said.slice(-5)].join("\n")),
      );
    });
  });
}
