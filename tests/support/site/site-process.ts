import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { atEnd } from "../setup/at-end.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

type LogLine = { message?: string; address?: string } & Record<string, unknown>;
export type Site = {
  origin: string;
  dataDir: string;
  process: ChildProcess;
  /** What it has logged so far. */
  logged: LogLine[];
  /** The same as it was written, and whatever else was. */
  said: string[];
  stop(): Promise<void>;
};

/** The production server as an operator runs it, on a port and in a data folder of its own. */
export async function startSite(
  settings: Record<string, string> = {},
  { isQuiet = false } = {},
): Promise<Site> {
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
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Not its exit: what it said last may still be on its way then.
  const closed = once(child, "close");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
    await closed;
  };
  atEnd(stop);
  const logged: LogLine[] = [];
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on("line", (line) => said.push(line));
  return { origin: await listening(child, logged, isQuiet), dataDir, process: child, logged, said, stop };
}

export function newDataDir() {
  const folder = temporaryFolder("site");
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** What it says of its troubles is shown, unless they are what the test is about. */
async function listening(child: ChildProcess, logged: LogLine[], isQuiet: boolean): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("no output to read");
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
    lines.on("close", () => reject(new Error("the server ended before it listened")));
  });
}
