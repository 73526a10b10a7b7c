import { once } from "node:events";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A running site, which reads its feeds by itself. */

const entry = {
  ...{ sources: ["https://myanimelist.net/anime/777002"], title: "From a Feed", type: "TV", episodes: 12 },
  ...{ status: "FINISHED", animeSeason: { season: "SPRING", year: 2020 }, tags: [] },
};

test("a site imports its feeds in a process of its own, which ends with the site in the middle of another feed", async () => {
  let slow: Promise<unknown> | undefined;
  const upstream = await startUpstream((request, response) => {
    if (request.url === "/quick") return void response.end(JSON.stringify({ data: [entry] }));
    response.writeHead(200, { "Content-Length": 1000 }).write("{");
    slow = once(response, "close");
  });
  const site = await startSite({
    DATABASE_URL: process.env.DATABASE_URL!,
    CATALOG_FEEDS: `offline-database 7d ${upstream.origin}/quick, offline-database 7d ${upstream.origin}/slow`,
  });
  const found = () => db.select({ title: titles.title }).from(titles).where(eq(titles.malId, 777_002));
  await expect.poll(found, { timeout: 30_000 }).toEqual([{ title: "From a Feed" }]);
  expect(await (await fetch(`${site.origin}/api/animes/getAnime?id=777002`)).text()).toContain("From a Feed");
  await expect.poll(() => upstream.requests, { timeout: 30_000 }).toContain("GET /slow");
  await site.stop();
  expect(site.process.exitCode).toBe(0);
  await slow;
});
