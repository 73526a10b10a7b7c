import sharp from "sharp";
import { afterEach, describe, expect, test, vi } from "vitest";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { bytesOf } from "#tests/support/requests/response-data.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.METRICS_PORT = "3999";
const { request, origin } = await import("#tests/support/site/in-process.ts");
const { hours } = await import("#app/platform/units.ts");

const photo = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "#2060c0" } })
  .composite([
    {
      input: await plainPng(300, 300, "#fff"),
      left: 0,
      top: 0,
    },
  ])
  .jpeg()
  .toBuffer();

let upstreamStatus = 200;
const waiting: (() => void)[] = [];
const upstream = await startUpstream(async (received, response) => {
  const path = received.url ?? "/";
  if (path.startsWith("/held")) await new Promise<void>((go) => waiting.push(go));
  const status = Number(/^\/status\/(\d+)/.exec(path)?.[1] ?? upstreamStatus);
  if (status !== 200) return response.writeHead(status).end("no");
  if (path === "/page.jpg")
    return response.writeHead(200, { "content-type": "image/jpeg" }).end("<!doctype html><p>hi");
  if (path === "/empty.png") return response.end();
  return response
    .writeHead(200, { "content-type": "image/jpeg", "set-cookie": "a=b", "content-security-policy": "x" })
    .end(photo);
});

const proxy = (path: string, query = "", init: RequestInit = {}) =>
  request(`/api/proxy?url=${encodeURIComponent(upstream.origin + path)}${query}`, init);

describe("GET /api/proxy", () => {
  test("a width gets WebP of that width, cached for a year", async () => {
    const response = await proxy("/a.jpg", "&w=640");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "content-security-policy": expect.stringContaining("sandbox"),
      etag: expect.stringMatching(/^"[\w-]{20,}"$/),
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    const bytes = await bytesOf(response);
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 640, height: 427 });
  });

  test("format=avif gets AVIF, and no width or one too large gets the original width", async () => {
    const avif = await proxy("/a.jpg", "&w=200&format=avif");
    expect(avif.headers.get("content-type")).toBe("image/avif");
    expect(await sharp(await bytesOf(avif)).metadata()).toMatchObject({ format: "heif", width: 200 });
    for (const query of ["", "&w=0", "&w=4000", "&w=99999", "&w=-3"])
      expect(await sharp(await bytesOf(await proxy("/a.jpg", query))).metadata()).toMatchObject({
        width: 1200,
      });
  });

  test("requests for the same result share one cache entry and one fetch, whatever their spelling", async () => {
    const before = upstream.requests.length;
    const tags = new Set<string | null>();
    for (const query of [
      "&w=300&q=50",
      "&w=0300",
      "&q=50&w=300&extra=1",
      "&w=300.7",
      "&w=300&q=&format=WebP",
    ])
      tags.add((await proxy("/shared.jpg", query)).headers.get("etag"));
    expect((await proxy("/shared.jpg#part", "&w=300")).status).toBe(200);
    expect(tags.size).toBe(1);
    expect(upstream.requests.length - before).toBe(1);
  });

  test("If-None-Match gets 304, and HEAD gets the headers without a body", async () => {
    const etag = (await proxy("/a.jpg", "&w=64")).headers.get("etag") ?? "";
    const notModified = await proxy("/a.jpg", "&w=64", { headers: { "If-None-Match": `"x", ${etag}` } });
    expect([
      notModified.status,
      notModified.headers.get("etag"),
      (await bytesOf(notModified)).length,
    ]).toEqual([304, etag, 0]);
    const head = await proxy("/a.jpg", "&w=64", { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), (await bytesOf(head)).length]).toEqual([200, etag, 0]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
  });

  test.each([
    ["/api/proxy", 400, "Missing image URL"],
    ["/api/proxy?url=", 400, "Missing image URL"],
    ["/api/proxy?url=blob:http://a/b", 400, "Only http and https addresses can be fetched"],
    ["/api/proxy?url=nonsense", 400, "This is not a valid address"],
    ["/api/proxy?url=http://a:b@c.test/", 400, "Addresses with a user name or password are not fetched"],
    [
      "/api/proxy?url=http://10.0.0.1/",
      400,
      "This address is in a private network; the operator can allow it with ALLOW_PRIVATE_UPSTREAMS",
    ],
    ["/api/proxy?url=http://169.254.169.254/", 400, "This address is reserved and never fetched"],
    ["/api/proxy?url=http://127.0.0.1:1/", 500, "The server at this address refused the connection"],
    [
      `/api/proxy?url=${origin}/api/proxy?url=x`,
      400,
      "This address belongs to this service itself, so it is not fetched",
    ],
    [
      `/api/proxy?url=http://127.0.0.1:3000/healthz`,
      400,
      "This address belongs to this service itself, so it is not fetched",
    ],
    [
      "/api/proxy?url=http://[::ffff:127.0.0.1]:3000/healthz",
      400,
      "This address belongs to this service itself, so it is not fetched",
    ],
    [
      "/api/proxy?url=http://127.0.0.1:3999/metrics",
      400,
      "This address belongs to this service itself, so it is not fetched",
    ],
    [`/api/proxy?url=${upstream.origin}/x&w=wide`, 400, "w: must be a number"],
    [`/api/proxy?url=${upstream.origin}/x&format=gif`, 400, "format: must be one of webp, avif"],
    [`/api/proxy?url=${upstream.origin}/status/404`, 404, "The server at this address answered 404"],
    [`/api/proxy?url=${upstream.origin}/status/410`, 404, "The server at this address answered 410"],
    [`/api/proxy?url=${upstream.origin}/status/403`, 500, "The server at this address answered 403"],
    [`/api/proxy?url=${upstream.origin}/page.jpg`, 400, "This is not an image that can be read"],
    [`/api/proxy?url=${upstream.origin}/empty.png`, 400, "This is not an image that can be read"],
  ])("%s gets %i: %s", async (path, status, error) => {
    const response = await request(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ error, status });
    expect(response.status).toBe(status);
  });

  test("100 equal requests at once, of which the first disconnects, make one fetch and get 99 answers", async () => {
    const before = upstream.requests.length;
    const leaving = new AbortController();
    const first = proxy("/held.jpg", "&w=500", { signal: leaving.signal }).catch(() => null);
    const others = Array.from({ length: 99 }, () => proxy("/held.jpg", "&w=500"));
    await expect.poll(() => waiting.length).toBe(1);
    leaving.abort();
    waiting.shift()?.();
    const answers = await Promise.all(others);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get("etag"))).size).toBe(1);
    expect(upstream.requests.length - before).toBe(1);
    await first;
  });

  test("our own posters are read in the process", async () => {
    const response = await request(`/api/proxy?url=${encodeURIComponent(`${origin}/poster/1.webp`)}`);
    expect(await response.json()).toMatchObject({ status: 404 });
  });
});

describe("POST /api/proxy", () => {
  const send = (body: Buffer, query = "", headers: Record<string, string> = {}) =>
    request(`/api/proxy?x=1${query}`, { method: "POST", body: body as BodyInit, headers });

  test("an image in the body is converted", async () => {
    const response = await send(photo, "&w=100&format=avif");
    expect(response.headers.get("content-type")).toBe("image/avif");
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ width: 100 });
  });

  test("an empty body, too much, no image, another site and another method are refused", async () => {
    expect((await send(Buffer.alloc(0))).status).toBe(400);
    expect((await send(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await send(Buffer.from("hello"))).status).toBe(400);
    expect((await send(photo, "", { Origin: "https://elsewhere.test" })).status).toBe(403);
    const deleted = await request("/api/proxy", { method: "DELETE" });
    expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
  });
});

describe("a cached result", () => {
  afterEach(() => {
    upstreamStatus = 200;
  });

  const later = (count: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours(count) });
  const status = async () => (await proxy("/stays.jpg", "&w=80")).status;

  test("is served for another day while the upstream fails, but not after it answered 404", async () => {
    expect(await status()).toBe(200);
    const before = upstream.requests.length;
    upstreamStatus = 503;
    later(23);
    expect(await status()).toBe(200);
    expect(upstream.requests.length - before).toBe(0);
    later(2);
    expect(await status()).toBe(200);
    expect(upstream.requests.length - before).toBe(1);
    upstreamStatus = 404;
    expect(await status()).toBe(404);
    upstreamStatus = 503;
    expect(await status()).toBe(500);
    upstreamStatus = 200;
    expect(await status()).toBe(200);
    upstreamStatus = 503;
    later(49);
    expect(await status()).toBe(500);
  });
});
