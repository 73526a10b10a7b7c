import type { RequestListener } from "node:http";
import { beforeEach, expect, test, vi } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** Server faults that all three kinds of feeds handle alike. */

let answer: RequestListener;
const server = await startUpstream((request, response) => answer(request, response));
const kinds = ["offline-database", "jikan", "engawa"];
process.env.CATALOG_FEEDS = kinds.map((kind) => `${kind} 7d ${server.origin}/${kind}`).join(",");

const { minutes, seconds } = await import("#app/platform/units.ts");
const { db } = await import("#db/client.server.ts");
const { feeds } = await import("#db/schema/feeds.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { listFeeds, readDueFeeds } = await import("#app/domain/feeds/feeds.server.ts");

const messages = async () => (await listFeeds()).map(({ runs }) => runs[0]?.message);
const countRequests = (kind: string) =>
  server.requests.filter((request) => request.startsWith(`GET /${kind}`)).length;

beforeEach(async () => {
  await db.delete(feeds);
  server.requests.length = 0;
});
test("servers that fail for a day are asked nine times each, less and less often, and the catalog stays", async () => {
  await db.insert(titles).values({ malId: 1, title: "Kept", titleKey: "kept" });
  answer = (_, response) => void response.writeHead(500).end();
  const begin = Date.now();
  const asked: number[] = [];
  for (let now = begin; now <= begin + minutes(24 * 60); ) {
    vi.useFakeTimers({ toFake: ["Date"], now });
    await readDueFeeds();
    asked.push((now - begin) / minutes(1));
    now = Math.max(...(await listFeeds()).map(({ nextAt }) => nextAt.getTime()));
    vi.setSystemTime(now - seconds(1));
    await readDueFeeds();
    expect(countRequests("jikan")).toBe(asked.length);
  }
  expect(asked).toEqual([0, 1, 5, 21, 85, 341, 701, 1061, 1421]);
  expect(kinds.map(countRequests)).toEqual([9, 9, 9]);
  expect(await messages()).toEqual(kinds.map(() => "The server answered 500"));
  expect(await db.$count(titles)).toBe(1);
});

test("servers that trickle single bytes are cut off at the time limit of an answer", async () => {
  answer = (_, response) => {
    const drip = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drip));
  };
  await readDueFeeds({ maxMs: 150 });
  for (const message of await messages()) expect(message).toMatch(/timed out after/);
});

test("redirects into the private network are not followed", async () => {
  answer = (_, response) => void response.writeHead(302, { Location: `${server.origin}/private` }).end();
  await readDueFeeds();
  for (const message of await messages()) expect(message).toMatch(/private network/);
  expect(countRequests("private")).toBe(0);
});
