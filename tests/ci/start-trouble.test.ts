import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

/** What an operator reads when the built server cannot start: one line. */
const folder = temporaryFolder("trouble");
const taken = createServer().listen(0, "127.0.0.1");
await once(taken, "listening");

afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function lastWords(settings: Record<string, string>) {
  const env = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: "",
    PORT: "0",
    DATA_DIR: folder,
    ...settings,
  };
  const child = spawn(process.execPath, [resolve("build/server/server.js")], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(said).not.toMatch(/"level":"(?:warn|error)"/);
  return said.trim().split("\n").at(-1);
}

test("a port that is taken, and no database stays behind", { timeout: 60_000 }, async () => {
  const { port } = taken.address() as AddressInfo;
  expect(await lastWords({ PORT: String(port) })).toMatch(new RegExp(`^Port ${port} is taken.* PORT\\.$`));
  expect(await lastWords({ METRICS_PORT: String(port) })).toMatch(
    new RegExp(`^Port ${port} is taken.* METRICS_PORT\\.$`),
  );
  const cluster = join(folder, "database/cluster");
  expect(existsSync(join(cluster, "PG_VERSION"))).toBe(true);
  const isRunning = () => existsSync(join(cluster, "postmaster.pid"));
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 15_000, interval: 50 });
});

test("a bad variable", async () => {
  expect(await lastWords({ PORT: "http" })).toMatch(/^PORT: /);
});

test("a database of one's own with a secret that is missing, short, or short among others", async () => {
  const DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
  const long = "long enough to be a secret, surely";
  for (const SESSION_SECRET of ["", "short", `${long},short`]) {
    const words = await lastWords({ DATABASE_URL, SESSION_SECRET });
    expect(words).toMatch(/^SESSION_SECRET: /);
    expect(words).not.toContain("short");
  }
});

test("a folder of films that is none", async () => {
  expect(await lastWords({ MEDIA_DIR: join(folder, "nowhere") })).toMatch(/^MEDIA_DIR .* is not a folder/);
});

test("a data folder that is none", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(await lastWords({ DATA_DIR: file })).toMatch(/^DATA_DIR .* is not a folder/);
});
