import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** When the built server cannot start, the last line of its output says why. */
const folder = temporaryFolder("trouble");
const occupied = createServer().listen(0, "127.0.0.1");
await once(occupied, "listening");

afterAll(() => {
  occupied.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function lastLineOf(settings: Record<string, string>) {
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
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(output).not.toMatch(/"level":"(?:warn|error)"/);
  return output.trim().split("\n").at(-1);
}

test("a taken port ends the start with one line, and the embedded database stops", {
  timeout: 60_000,
}, async () => {
  const { port } = occupied.address() as AddressInfo;
  expect(await lastLineOf({ PORT: String(port) })).toMatch(new RegExp(`^Port ${port} is taken.* PORT\\.$`));
  expect(await lastLineOf({ METRICS_PORT: String(port) })).toMatch(
    new RegExp(`^Port ${port} is taken.* METRICS_PORT\\.$`),
  );
  const cluster = join(folder, "database/cluster");
  expect(existsSync(join(cluster, "PG_VERSION"))).toBe(true);
  const isRunning = () => existsSync(join(cluster, "postmaster.pid"));
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 15_000, interval: 50 });
});

test("an invalid variable ends the start with its name", async () => {
  expect(await lastLineOf({ PORT: "http" })).toMatch(/^PORT: /);
});

test("with DATABASE_URL, a SESSION_SECRET that is missing or has a short secret ends the start and is not printed", async () => {
  const DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
  const long = "long enough to be a secret, surely";
  for (const SESSION_SECRET of ["", "short", `${long},short`]) {
    const line = await lastLineOf({ DATABASE_URL, SESSION_SECRET });
    expect(line).toMatch(/^SESSION_SECRET: /);
    expect(line).not.toContain("short");
  }
});

test("a MEDIA_DIR that does not exist ends the start with one line", async () => {
  expect(await lastLineOf({ MEDIA_DIR: join(folder, "nowhere") })).toMatch(/^MEDIA_DIR .* is not a folder/);
});

test("a DATA_DIR that is a file ends the start with one line", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(await lastLineOf({ DATA_DIR: file })).toMatch(/^DATA_DIR .* is not a folder/);
});

test.runIf(process.platform === "linux").each(["/proc/engawa", "/proc/engawa/data", "/proc"])(
  "a DATA_DIR of %s, whose file system cannot hold it, ends the start with one line",
  // The start once looped for ever here. A busy machine needs seconds to load the server.
  { timeout: 20_000 },
  async (path) => {
    expect(await lastLineOf({ DATA_DIR: path })).toMatch(
      /^DATA_DIR .* is (?:on a file system that cannot hold it|not writable)/,
    );
  },
);
