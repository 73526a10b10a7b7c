import { BrotliCompress, brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type CachePolicy, privateNoStore, publicFor } from "#app/http/cache-policy.server.ts";
import { answerStateContext, type Context } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { carriesSession } from "#app/http/guards/session-cookie.server.ts";
import { createPublicCache } from "#app/http/pipeline/public-cache.server.ts";
import { createTinySite, type Route } from "#tests/support/site/tiny-site.ts";

/** The public cache in front of routes that count how often they run. */

const origin = "http://site.example";
const body = JSON.stringify({ text: "engawa ".repeat(500) });

let runs: number;
let charged: string[];
let refuses: boolean;
let cache: ReturnType<typeof createPublicCache>;
let ask: (path: string, init?: RequestInit) => Promise<Response>;

const minute = publicFor(60_000);

const declare = (context: Context, headers: Headers, policy: CachePolicy = minute) => {
  applyCachePolicy(headers, policy, context);
  context.get(answerStateContext).limiter = { name: "listing", maxRequests: 100 };
};

const listing: Route = ({ context }) => {
  runs++;
  const headers = new Headers({ "Content-Type": "application/json", "X-RateLimit-Remaining": "99" });
  declare(context, headers);
  return new Response(body, { headers });
};

const cookie: Route = (args) => {
  const response = listing(args) as Response;
  response.headers.append("Set-Cookie", "a=b");
  return response;
};

const personal: Route = () => {
  runs++;
  return Response.json({ mine: true }, { headers: { "Cache-Control": "private, no-store" } });
};

/** Answers like an operation that declares `isPersonal`. */
const sessionless: Route = ({ request, context }) => {
  runs++;
  const headers = new Headers({ "Content-Type": "application/json" });
  const hasSession = carriesSession(request.headers.get("Cookie"));
  declare(context, headers, hasSession ? privateNoStore : { ...minute, isForSessionless: true });
  return new Response(JSON.stringify({ owner: hasSession }), { headers });
};

const unknown: Route = (args) => {
  args.context.get(answerStateContext).hasUnknownParameters = true;
  return listing(args);
};

const local: Route = (args) => {
  args.context.get(answerStateContext).isFromPrivateUpstream = true;
  return listing(args);
};

const failing: Route = ({ context }) => {
  runs++;
  const headers = new Headers();
  declare(context, headers);
  return Response.json({ error: "no" }, { status: 404, headers });
};

const keptBriefly: Route = ({ context }) => {
  runs++;
  const headers = new Headers({ "Content-Type": "application/json" });
  declare(context, headers, { ...minute, cachedForMs: 10_000 });
  return new Response(body, { headers });
};

const changing: Route = (args) => {
  cache.clear();
  return listing(args);
};

beforeEach(() => {
  runs = 0;
  charged = [];
  refuses = false;
  cache = createPublicCache({
    maxBytes: 100_000,
    maxEntryBytes: 50_000,
    visitorKeyOf: ({ cookie }) => cookie ?? "",
    charge: ({ name }, address) => {
      charged.push(`${name} ${address}`);
      const headers = { "X-RateLimit-Remaining": "7" };
      return refuses
        ? { headers, refusal: Response.json({ error: "slow down" }, { status: 429 }) }
        : { headers };
    },
  });
  const routes = { listing, cookie, personal, sessionless, unknown, local, failing, changing, keptBriefly };
  const site = createTinySite({ routes, cache });
  ask = (path, init) => site.handle(new Request(`${origin}${path}`, init), { peerAddress: "1.2.3.4" });
});

describe("a cached answer", () => {
  test("is the route's answer, and the route does not run again", async () => {
    const first = await ask("/listing");
    const second = await ask("/listing");
    expect(runs).toBe(1);
    expect(await second.text()).toBe(await first.text());
    const stableHeaders = (response: Response) =>
      [...response.headers].filter(([name]) => !/^(?:expires|x-ratelimit)/.test(name));
    expect(stableHeaders(second)).toEqual(stableHeaders(first));
  });

  test("charges the route's limiter, and gets 429 over its limit", async () => {
    await ask("/listing");
    const second = await ask("/listing");
    expect(charged).toEqual(["listing 1.2.3.4"]);
    expect(second.headers.get("X-RateLimit-Remaining")).toBe("7");
    refuses = true;
    const third = await ask("/listing");
    expect([third.status, await third.json()]).toEqual([429, { error: "slow down" }]);
  });

  test("has a new Expires header", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:00Z") });
    await ask("/listing");
    vi.setSystemTime(new Date("2030-01-01T00:00:30Z"));
    const second = await ask("/listing");
    expect([runs, second.headers.get("Expires")]).toEqual([1, "Tue, 01 Jan 2030 00:01:30 GMT"]);
  });

  test("keeps the Expires header of its route if the cache keeps it for a shorter time", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: new Date("2030-01-01T00:00:00Z") });
    const first = await ask("/keptBriefly");
    const second = await ask("/keptBriefly");
    expect([runs, second.headers.get("Expires")]).toEqual([1, first.headers.get("Expires")]);
    vi.advanceTimersByTime(10_000);
    await ask("/keptBriefly");
    expect(runs).toBe(2);
  });

  test("is not used after it has expired", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    await ask("/listing");
    vi.advanceTimersByTime(59_000);
    await ask("/listing");
    expect(runs).toBe(1);
    vi.advanceTimersByTime(1000);
    await ask("/listing");
    expect(runs).toBe(2);
  });

  test("is not used for longer when the clock is set back", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    await ask("/listing");
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    await ask("/listing");
    expect(runs).toBe(2);
  });

  test("has an ETag for each encoding, and its own one gets 304", async () => {
    const plain = (await ask("/listing")).headers.get("ETag") ?? "";
    const small = await ask("/listing", { headers: { "Accept-Encoding": "br" } });
    const tag = small.headers.get("ETag") ?? "";
    expect(tag).toBe(plain.replace(/"$/, '-br"'));
    expect(brotliDecompressSync(Buffer.from(await small.arrayBuffer())).toString()).toBe(body);
    const notModified = await ask("/listing", { headers: { "Accept-Encoding": "br", "If-None-Match": tag } });
    expect([notModified.status, await notModified.text(), notModified.headers.get("ETag")]).toEqual([
      304,
      "",
      tag,
    ]);
    expect((await ask("/listing", { headers: { "If-None-Match": tag } })).status).toBe(200);
    expect(runs).toBe(1);
  });

  test("is compressed anew after its compression has failed", async () => {
    await ask("/listing");
    vi.spyOn(BrotliCompress.prototype, "end").mockImplementationOnce(function (this: BrotliCompress) {
      return this.destroy(new Error("no memory"));
    });
    const headers = { "Accept-Encoding": "br" };
    await expect(ask("/listing", { headers })).rejects.toThrow("no memory");
    const second = await ask("/listing", { headers });
    expect([runs, second.status, second.headers.get("Content-Encoding")]).toEqual([1, 200, "br"]);
  });

  test("answers HEAD with its length", async () => {
    await ask("/listing");
    const head = await ask("/listing", { method: "HEAD" });
    expect([runs, head.headers.get("Content-Length"), await head.text()]).toEqual([
      1,
      String(body.length),
      "",
    ]);
  });
});

describe("requests that may share an answer", () => {
  const pairs: [string, string, number][] = [
    ["/listing?a=1&b=2", "/listing?b=2&a=1", 1],
    ["/listing?a=%41", "/listing?a=A", 1],
    ["/listing?a=1&a=2", "/listing?a=2&a=1", 2],
    ["/listing?a=1", "/listing?a=2", 2],
    ["/listing", "/listing?", 1],
    ["/personal", "/personal", 2],
    ["/cookie", "/cookie", 2],
    ["/local", "/local", 2],
    ["/unknown", "/unknown", 2],
    ["/failing", "/failing", 2],
    ["/changing", "/changing", 2],
  ];
  test.each(pairs)("%s and %s: the route runs %i×", async (one, other, times) => {
    await ask(one);
    await ask(other);
    expect(runs).toBe(times);
  });

  test("an answer to a query of thousands of characters is not stored, because no turn has admitted its parsing", async () => {
    const path = `/listing?${"a&".repeat(1500)}`;
    await ask(path);
    await ask(path);
    expect(runs).toBe(2);
  });

  test("requests for two hosts do not share one, because answers contain absolute URLs", async () => {
    await ask("/listing");
    await ask("/listing", { headers: { Host: "other.example" } });
    expect(runs).toBe(2);
  });

  test.each([
    "theme=dark; engawa-session=abc",
    "__Host-engawa-session=abc",
    "engawa-session\t =abc",
    "other_session_id=abc",
  ])(
    "an answer that depends on the session is not sent to %j and not stored from its request",
    async (Cookie) => {
      const signedIn = { headers: { Cookie } };
      const owners: unknown[] = [];
      for (const init of [signedIn, {}, signedIn, {}, signedIn])
        owners.push(((await (await ask("/sessionless", init)).json()) as { owner: boolean }).owner);
      expect(owners).toEqual([true, false, true, false, true]);
      expect(runs).toBe(4);
    },
  );

  test("an answer that does not depend on the session is stored from a member's request and sent to others", async () => {
    await ask("/listing", { headers: { Cookie: "engawa-session=abc" } });
    await ask("/listing");
    expect(runs).toBe(1);
  });

  test("a request with an access token does not use the cache", async () => {
    await ask("/listing");
    await ask("/listing", { headers: { Authorization: "Bearer abc" } });
    expect(runs).toBe(2);
  });
});

test("over its memory limit, the cache drops the least used answer", async () => {
  for (let page = 0; page < 20; page++) await ask(`/listing?page=${page}`);
  expect(cache.bytes()).toBeLessThanOrEqual(100_000);
  runs = 0;
  await ask("/listing?page=19");
  await ask("/listing?page=0");
  expect(runs).toBe(1);
});

test("after clear(), the route runs again", async () => {
  await ask("/listing");
  cache.clear();
  await ask("/listing");
  expect(runs).toBe(2);
});

test("20 requests during a compression all get the whole answer", async () => {
  await ask("/listing");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask("/listing", { headers: { "Accept-Encoding": "br" } })),
  );
  const texts = await Promise.all(
    answers.map(async (answer) => brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()),
  );
  expect(new Set(texts)).toEqual(new Set([body]));
});
