import { once } from "node:events";
import { expect, test } from "vitest";
import { testHostileFeeds } from "#tests/support/scaled/hostile-feeds.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** tests/release has every attack from every kind of feed. */
const tried = ["colliding-ids", "redirected-into-the-network"];

testHostileFeeds(
  "hostile feeds change neither the site nor its titles, and the page says what is wrong",
  (kind, attack) => kind === "offline-database" && tried.includes(attack),
);

test("a site that ends in the middle of a feed ends its reader too", async () => {
  let slow: Promise<unknown> | undefined;
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { "Content-Length": 1000 }).write("{");
    slow = once(response, "close");
  });
  const site = await startSite({ CATALOG_FEEDS: `offline-database 7d ${upstream.origin}/slow` });
  await expect.poll(() => upstream.requests).toHaveLength(1);
  await site.stop();
  expect(site.process.exitCode).toBe(0);
  await slow;
});
