import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import buildIfStale from "#tests/support/setup/fresh-build.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The data folder of a site that has started once. Each site of this run begins with a copy, as a first start takes seconds. */
    filledDataDir?: string;
  }
}

export default async function setup(project: TestProject) {
  buildIfStale();
  const filledDataDir = temporaryFolder("filled-site");
  await startOnce(filledDataDir);
  project.provide("filledDataDir", filledDataDir);
  return () => rmSync(filledDataDir, { recursive: true, force: true });
}

/** Resolves when the site has started and ended, and its database too: on a busy machine the site ends first. */
async function startOnce(dataDir: string) {
  const settings = {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: "",
    LOG_LEVEL: "info",
  };
  const server = spawn(process.execPath, ["build/server/server.js"], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes('"message":"listening"')) server.kill("SIGINT");
  while (existsSync(join(dataDir, "database/cluster/postmaster.pid"))) await setTimeout(50);
}
