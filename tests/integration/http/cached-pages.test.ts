import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { answerStateContext, signalIn } from "#app/http/context.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { createPublicCache } from "#app/http/pipeline/public-cache.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { createTinySite, type Route } from "#tests/support/site/tiny-site.ts";

/** Pages shared by many visitors, in front of routes that count their runs. */

const origin = "http://site.example";

let runs: number;
let answerWith: Route;
let cache: ReturnType<typeof createPublicCache>;
let site: ReturnType<typeof createTinySite>;
let rendersForMs: number;
let waiting: number;
const maxWaiting = 1000;
let ask: (path: string, init?: RequestInit) => Promise<Response>;

const html: Route = ({ request }) => {
  const { search } = new URL(request.url);
  const text = `<!doctype html><p>${runs} for ${request.headers.get("Cookie")} at ${search} ${"-".repeat(900)}`;
  return new Response(text, {
    headers: { "Content-Type": "text/html", "Cache-Control": "private, no-store" },
  });
};

const storedPage: Route = async (args) => {
  runs++;
  await pause(rendersForMs);
  return answerWith(args);
};
const otherPage: Route = async (args) => {
  runs++;
  await pause(20);
  return html(args);
};

beforeEach(() => {
  runs = 0;
  answerWith = html;
  cache = createPublicCache({
    maxBytes: 100_000,
    maxEntryBytes: 50_000,
    charge: () => ({ headers: { "X-RateLimit-Remaining": "7" } }),
    visitorKeyOf: ({ cookie: cookies = "" }) => (cookies.includes("own") ? null : cookies),
  });
  const page = Object.assign(storedPage, { middleware: [cachedPage({ a: "first", b: "first" })] });
  waiting = 0;
  rendersForMs = 20;
  const admitWaiting = () => {
    if (waiting === maxWaiting) return new Response("busy", { status: 503 });
    waiting++;
    let isOver = false;
    return () => {
      if (!isOver) waiting--;
      isOver = true;
    };
  };
  site = createTinySite({ routes: { page, other: otherPage }, cache, admitWaiting });
  ask = (path, init) => site.handle(new Request(`${origin}${path}`, init), { peerAddress: "1.2.3.4" });
});

const texts = (asked: Promise<Response>[]) =>
  Promise.all(asked.map(async (response) => (await response).text()));

test("is rendered once, however many ask at the same time, and is private to caches elsewhere", async () => {
  const pages = await texts(Array.from({ length: 1000 }, () => ask("/page?b=2&a=1")));
  const late = await ask("/page?a=1&b=2");
  expect([runs, new Set(pages).size, await late.text()]).toEqual([1, 1, pages[0]]);
  expect(late.headers.get("Cache-Control")).toBe("private, no-store");
  expect(late.headers.get("X-RateLimit-Remaining")).toBeNull();
  const tag = late.headers.get("ETag") ?? "";
  expect((await ask("/page?a=1&b=2", { headers: { "If-None-Match": tag } })).status).toBe(304);
});

test("a client that leaves does not cancel it for the waiting clients", async () => {
  const leaving = new AbortController();
  const first = ask("/page", { signal: leaving.signal });
  const second = ask("/page");
  leaving.abort();
  await first;
  expect([(await second).status, runs, waiting]).toEqual([200, 1, 0]);
});

test("a page with no waiting client left is cancelled, and the next client gets a new one", async () => {
  const given: AbortSignal[] = [];
  let endFirst = () => {};
  const isFirstOver = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  answerWith = async (args) => {
    given.push(signalIn(args.context));
    if (given.length === 1) await isFirstOver;
    return html(args);
  };
  const leaving = [new AbortController(), new AbortController()];
  const left = leaving.map(({ signal }) => ask("/page", { signal }));
  await until(() => given.length === 1);
  for (const one of leaving) one.abort();
  const next = await ask("/page");
  endFirst();
  await Promise.all(left);
  expect([given.map(({ aborted }) => aborted), runs, next.status, waiting]).toEqual([
    [true, false],
    2,
    200,
    0,
  ]);
});

test("waiting clients count as requests in progress, and one too many is refused", async () => {
  const asked = Array.from({ length: maxWaiting + 3 }, () => ask("/page"));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  // The first request has begun and is counted by the router.
  expect([statuses.filter((status) => status === 503).length, runs, waiting]).toEqual([2, 1, 0]);
});

test("queries with names that the page does not read render it once, and none of its links contains them", async () => {
  const junk = ["utm_source", "fbclid", "x", "a[]", "_routes", "__proto__"];
  const queries = Array.from(
    { length: 1000 },
    (_, at) => `${junk[at % junk.length]}=poison${at}&b=2&a=1&a=3&b=`,
  );
  const pages = new Set<string>();
  for (const query of queries) pages.add(await (await ask(`/page?${query}`)).text());
  expect([runs, pages.size]).toEqual([1, 1]);
  expect([...pages][0]).toContain(" at ?a=1&b=2 ");
  expect(await (await ask("/page?b=&x=1")).text()).toContain(" at  -");
});

test.each<[string, RequestInit]>([
  ["", {}],
  ["compressed", { headers: { "Accept-Encoding": "br" } }],
  ["by HEAD", { method: "HEAD", headers: { "Accept-Encoding": "gzip" } }],
  ["in part", { headers: { Range: "bytes=0-3" } }],
  ["by another site", { headers: { Origin: "https://other.example" } }],
])("a cached page has the rendered one's headers, requested with %s", async (_how, init) => {
  const ofRendered = await ask("/page", { ...init, method: "GET" });
  const ofKept = await ask("/page", init);
  expect([runs, ofKept.status]).toEqual([1, 200]);
  expect([...ofKept.headers]).toEqual([...ofRendered.headers]);
  const bytes = (response: Response) => response.arrayBuffer().then((all) => Buffer.from(all));
  if (init.method !== "HEAD") expect(await bytes(ofKept)).toEqual(await bytes(ofRendered));
  expect(ofKept.headers.get("Vary")).toContain("Accept-Encoding");
  const tag = { "If-None-Match": ofKept.headers.get("ETag") ?? "" };
  const unchanged = await ask("/page", { ...init, headers: { ...init.headers, ...tag } });
  expect([unchanged.status, await unchanged.text(), unchanged.headers.get("ETag")]).toEqual([
    304,
    "",
    tag["If-None-Match"],
  ]);
  expect(unchanged.headers.get("Vary")).toBe(ofKept.headers.get("Vary"));
});

test("a client that requests ever more pages evicts none that two clients requested, and memory stays within its limit", async () => {
  const popular = await (await ask("/page?a=popular")).text();
  const elsewhere = () => site.handle(new Request(`${origin}/page?a=popular`), { peerAddress: "5.6.7.8" });
  await elsewhere();
  let most = 0;
  rendersForMs = 0;
  for (let at = 0; at < 300; at++) {
    await ask(`/page?a=${at}${"x".repeat(400)}`);
    most = Math.max(most, cache.bytes());
  }
  expect(most).toBeLessThanOrEqual(100_000);
  expect(most).toBeGreaterThan(40_000);
  const before = runs;
  expect(await (await elsewhere()).text()).toBe(popular);
  expect(runs).toBe(before);
  await ask(`/page?a=0${"x".repeat(400)}`);
  expect(runs).toBe(before + 1);
});

test("visitors with different preferences never get each other's page", async () => {
  const [one, other] = await texts([
    ask("/page", { headers: { Cookie: "tz=1" } }),
    ask("/page", { headers: { Cookie: "tz=2" } }),
  ]);
  expect([runs, one === other]).toEqual([2, false]);
});

test.each([
  ["a session", { Cookie: "engawa-session=x" }],
  ["preferences of their own", { Cookie: "own=1" }],
  ["a token", { Authorization: "Bearer x" }],
])("no cached page is given to %s, and none of theirs is cached", async (_who, headers) => {
  await ask("/page", { headers });
  await ask("/page");
  await ask("/page", { headers });
  await ask("/page");
  expect(runs).toBe(3);
});

test.each<[string, Route]>([
  [
    "with a cookie",
    () => new Response("x", { headers: { "Content-Type": "text/html", "Set-Cookie": "a=b" } }),
  ],
  ["that is not found", () => new Response("x", { status: 404, headers: { "Content-Type": "text/html" } })],
  [
    "with a part that failed",
    (args) => {
      args.context.get(answerStateContext).isNeverCached = true;
      return html(args);
    },
  ],
  [
    "whose data lacks a part",
    () =>
      new Response('[{"_1":2}]\nE4:["SanitizedError"]\n', { headers: { "Content-Type": "text/x-script" } }),
  ],
])("a page %s is not cached", async (_what, answer) => {
  answerWith = answer;
  await ask("/page");
  await ask("/page");
  expect(runs).toBe(2);
});

test("pages not declared as shared run for each request", async () => {
  await texts([ask("/other"), ask("/other")]);
  expect(runs).toBe(2);
});

test("a page begun before the catalog changed is given to waiting clients and not cached", async () => {
  answerWith = (args) => {
    cache.clear();
    return html(args);
  };
  await ask("/page");
  answerWith = html;
  await ask("/page");
  await ask("/page");
  expect(runs).toBe(2);
});
