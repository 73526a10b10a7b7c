import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";

export type Site = { origin: string; dataDir: string; process: ChildProcess; stop(): Promise<void> };

/** The production server as an operator runs it, on a port and in a data folder of its own. */
export async function startSite(settings: Record<string, string> = {}): Promise<Site> {
  const dataDir = settings.DATA_DIR ?? newDataDir();
  const child = spawn(process.execPath, [resolve("build/server/server.js")], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      DATABASE_URL: "",
      LOG_LEVEL: "info",
      DATA_DIR: dataDir,
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGINT");
    await once(child, "exit");
  };
  afterAll(stop);
  return { origin: await listening(child), dataDir, process: child, stop };
}

/** Reachable for the account that runs the embedded database when the tests run as root. */
export function newDataDir() {
  const folder = mkdtempSync(join(tmpdir(), "engawa-site-"));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output to read");
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    const { message, address } = JSON.parse(line) as { message?: string; address?: string };
    if (message === "listening" && address) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error("the server ended before it listened");
}
