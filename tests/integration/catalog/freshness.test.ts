import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

/** A running server, with its public cache, and an import in another process. */

const folder = mkdtempSync(join(tmpdir(), "engawa-freshness-"));
const server = spawn(process.execPath, [resolve("build/server/server.js")], {
  env: {
    ...process.env,
    PORT: "0",
    HOST: "127.0.0.1",
    NODE_ENV: "production",
    PUBLIC_URL: "http://localhost",
    LOG_LEVEL: "info",
    RATE_LIMIT_POINTS: "100000",
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const origin = await new Promise<string>((found) => {
  createInterface({ input: server.stdout }).on("line", (line) => {
    const address = /"message":"listening","address":"([^"]+)"/.exec(line)?.[1];
    if (address) found(address);
  });
});
afterAll(async () => {
  server.kill("SIGINT");
  await once(server, "exit");
  rmSync(folder, { recursive: true });
});

async function total(query: string) {
  const { meta } = (await (await fetch(`${origin}/api/animes/full?${query}`)).json()) as {
    meta: { total_items: number };
  };
  return meta.total_items;
}

test("an import beside a running server is seen at once, cached answers and counts included", async () => {
  const before = await total("studio_filter=Freshness");
  expect([before, await total("studio_filter=Freshness")]).toEqual([0, 0]);
  const all = await total("");
  const file = join(folder, "new.ndjson");
  writeFileSync(file, `${JSON.stringify({ mal_id: 777_001, title: "Brand New", studios: ["Freshness"] })}\n`);
  await promisify(execFile)(process.execPath, [resolve("build/server/catalog-import.js"), file]);
  await expect.poll(() => total("studio_filter=Freshness"), { timeout: 2000, interval: 20 }).toBe(1);
  expect(await total("")).toBe(all + 1);
});
