import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** A running site with its public cache, while another process imports titles. */

const folder = newDataDir();
const { origin } = await startSite({
  DATABASE_URL: process.env.DATABASE_URL!,
  PUBLIC_URL: "http://localhost",
  RATE_LIMIT_POINTS: "100000",
});

async function total(query: string) {
  const { meta } = (await (await fetch(`${origin}/api/animes/full?${query}`)).json()) as {
    meta: { total_items: number };
  };
  return meta.total_items;
}

test("an import by another process shows in cached answers and counts", async () => {
  const before = await total("studio_filter=Freshness");
  expect([before, await total("studio_filter=Freshness")]).toEqual([0, 0]);
  const all = await total("");
  const file = join(folder, "new.ndjson");
  writeFileSync(file, `${JSON.stringify({ mal_id: 777_001, title: "Brand New", studios: ["Freshness"] })}\n`);
  await promisify(execFile)(process.execPath, [resolve("build/server/catalog-import.js"), file]);
  await expect.poll(() => total("studio_filter=Freshness"), { interval: 20 }).toBe(1);
  expect(await total("")).toBe(all + 1);
});
