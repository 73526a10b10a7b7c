import type { IncomingMessage, RequestListener } from "node:http";
import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** A feed from a server with Jikan's API: this site's own `/v4` as recorded, or a hostile server. */

let answer: RequestListener;
const asked: IncomingMessage[] = [];
const server = await startUpstream((request, response) => {
  asked.push(request);
  answer(request, response);
});
// Cached answers would outlive the titles that the tests delete.
process.env.PUBLIC_CACHE = "0";
process.env.CATALOG_FEEDS = `jikan 7d ${server.origin}/v4`;

const { db } = await import("#db/client.server.ts");
const { feeds } = await import("#db/schema/feeds.ts");
const { titleRecords, titleRelations, titles } = await import("#db/schema/catalog.ts");
const { listFeeds, makeAllDue, readDueFeeds } = await import("#app/domain/feeds/feeds.server.ts");
const { generatedTitle } = await import("#tests/support/data/generated-titles.ts");
const { log } = await import("#app/platform/log.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { request } = await import("#tests/support/site/in-process.ts");

async function read() {
  await makeAllDue();
  await readDueFeeds({ pauseMs: 0 });
  const run = (await listFeeds())[0]?.runs[0];
  if (!run) throw new Error("the feed was not read");
  return run;
}

type Page = { body: string; etag: string };
const pathOf = (page: number) => `/v4/anime?page=${page}&limit=25&order_by=mal_id&sort=asc`;

/** Records the pages of this site's own catalog, then empties the catalog. */
async function recordOwnPages(count: number): Promise<Map<string, Page>> {
  await importTitles(Array.from({ length: count }, (_, at) => generatedTitle(at + 1)));
  const pages = new Map<string, Page>();
  for (let page = 1; (page - 1) * 25 < count; page++) {
    const response = await request(pathOf(page));
    pages.set(pathOf(page), { body: await response.text(), etag: response.headers.get("ETag") ?? "" });
  }
  await db.delete(titles);
  return pages;
}

const serve =
  (pages: Map<string, Page>): RequestListener =>
  ({ url = "", headers }, response) => {
    const page = pages.get(url);
    if (!page) response.writeHead(404).end();
    else if (headers["if-none-match"] === page.etag) response.writeHead(304, { ETag: page.etag }).end();
    else response.writeHead(200, { ETag: page.etag }).end(page.body);
  };
const pagesAsked = () =>
  asked.splice(0).map(({ url }) => new URL(url ?? "", "http://x").searchParams.get("page"));
const names = async () =>
  (await db.select({ title: titles.title }).from(titles).orderBy(asc(titles.malId))).map(
    ({ title }) => title,
  );

beforeEach(async () => {
  await db.delete(titles);
  await db.delete(feeds);
  asked.length = 0;
});

test("this site's own /v4 is read page by page, and unchanged pages are not sent again", async () => {
  const pages = await recordOwnPages(30);
  answer = serve(pages);
  const { outcome, report } = await read();
  expect([outcome, report?.titles, report?.rejectedCount]).toEqual([
    "imported",
    { added: 30, changed: 0, unchanged: 0 },
    0,
  ]);
  expect(pagesAsked()).toEqual(["1", "2"]);
  expect((await names())[0]).toBe(generatedTitle(1).title);
  expect(new Set((await db.select().from(titleRecords)).map(({ source }) => source))).toEqual(
    new Set(["jikan"]),
  );
  const second = pages.get(pathOf(2));
  pages.set(pathOf(2), {
    body: (second?.body ?? "").replaceAll('"title":"', '"title":"New '),
    etag: '"new"',
  });
  expect((await read()).report?.titles).toEqual({ added: 0, changed: 5, unchanged: 0 });
  expect(asked.map(({ headers }) => headers["if-none-match"] !== undefined)).toEqual([true, true]);
  expect((await read()).outcome).toBe("unchanged");
});

const page = (data: readonly object[], has_next_page = false) =>
  JSON.stringify({ data, pagination: { has_next_page } });
const anime = (mal_id: number, more = {}) => ({
  mal_id,
  url: `https://myanimelist.net/anime/${mal_id}/x`,
  aired: {},
  titles: [],
  title: `Title ${mal_id}`,
  ...more,
});
const send =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

test("an interrupted run keeps its pages, and the next run continues after them", async () => {
  const pages = new Map(
    [1, 2, 3].map((malId) => [pathOf(malId), { body: page([anime(malId)], malId < 3), etag: `"${malId}"` }]),
  );
  answer = (received, response) =>
    received.url === pathOf(2) ? void response.writeHead(500).end() : serve(pages)(received, response);
  const warn = vi.spyOn(log, "warn");
  expect((await read()).message).toBe("The server answered 500. What came before is imported.");
  expect(warn).toHaveBeenCalledWith("a feed of the catalog failed", {
    feed: "jikan",
    why: "The server answered 500. What came before is imported.",
  });
  expect(await names()).toEqual(["Title 1"]);
  pagesAsked();
  answer = serve(pages);
  expect((await read()).outcome).toBe("imported");
  expect(pagesAsked()).toEqual(["2", "3"]);
  expect(await names()).toHaveLength(3);
});

test("a server that asks for a delay gets it, and its page is then read", async () => {
  let refusals = 3;
  answer = (received, response) =>
    refusals-- > 0
      ? void response.writeHead(429, { "Retry-After": "0" }).end()
      : send(page([anime(1)]))(received, response);
  expect((await read()).outcome).toBe("imported");
  expect(asked).toHaveLength(4);
});

test("colliding numbers, unknown formats and titles without a MyAnimeList number are refused one by one", async () => {
  answer = send(
    page([
      anime(1),
      anime(2, { url: "https://myanimelist.net/anime/7/x" }),
      anime(900_000_001, { url: "https://a.example/anime/900000001" }),
      { kind: "source", mal_id: 1, number: 1, url: "https://a.example/f.mp4", type: "mp4" },
      anime(3, { title: "" }),
    ]),
  );
  const { outcome, report } = await read();
  expect(outcome).toBe("imported");
  expect(report?.rejected.map(({ where, reason }) => `${where}: ${reason}`)).toEqual([
    "page 1, title 2: has the number 2 and the page of 7",
    "page 1, title 3: has no number of MyAnimeList",
    "page 1, title 4: is not a title of Jikan",
    expect.stringContaining("page 1, title 5: title:"),
  ]);
  expect(await names()).toEqual(["Title 1"]);
});

test("a page can neither change another source's values, withdraw values, nor relate a refused title", async () => {
  const foreign = { texts_from: { synopsis: "file" }, none: ["score"], synopsis: "Text", score: 5 };
  const relations = (mal_id: number) => [
    { relation: "Sequel", entry: [{ mal_id, type: "anime", name: "X" }] },
  ];
  await importTitles([
    { mal_id: 7, title: "Seven" },
    { mal_id: 900_100_005, title: "Local" },
  ]);
  answer = send(
    page([
      anime(1, { ...foreign, relations: relations(900_100_005) }),
      anime(900_100_005, { url: "https://a.example/x", relations: relations(7) }),
    ]),
  );
  const { report } = await read();
  expect(report?.rejected).toHaveLength(3);
  expect(await db.$count(titleRelations)).toBe(0);
  const records = await db.select().from(titleRecords).where(eq(titleRecords.malId, 1));
  expect(records).toMatchObject([{ source: "jikan", fields: { synopsis: "Text", score: 5 } }]);
});

/** tests/system/feeds has the hostile servers that need more time. */
const hostile: [string, RequestListener, RegExp][] = [
  ["never at its end", send(page([anime(1, { title: "Kept" })], true)), /^The server repeats its pages/],
  ["a web page", send("<!doctype html><html></html>"), /^The server answered with a web page/],
  [
    "of the opinion that nothing changed",
    (_, response) => void response.writeHead(304).end(),
    /answered 304$/,
  ],
  ["of another shape", send(JSON.stringify([anime(9)])), /something else than a page of titles/],
];

test.each(hostile)(
  "a server that is %s changes nothing, and the page says why",
  async (_, listener, message) => {
    await importTitles([{ mal_id: 1, title: "Kept" }]);
    answer = listener;
    const run = await read();
    expect(run.outcome).toBe("failed");
    expect(run.message).toMatch(message);
    expect(await names()).toEqual(["Kept"]);
  },
);
