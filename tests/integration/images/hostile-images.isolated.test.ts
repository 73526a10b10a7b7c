import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { avifClaim, flatPng, svgClaim, webpClaim } from "#tests/support/data/misleading-images.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");

/** Images and upstreams that try to use up memory and time: each is refused, and the rest of the site stays quick. */

const mebibyte = 1024 * 1024;
const bombs: Record<string, Buffer> = {
  "/tiny.webp": webpClaim(16_000, 16_000),
  "/tiny.avif": await avifClaim(7000, 7000),
  "/flat.png": flatPng(16_000, 16_000),
  "/vast.svg": svgClaim(100_000, 100_000),
  "/laughs.svg": Buffer.from(
    `<!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from({ length: 12 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join("")}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a12;</text></svg>`,
  ),
};

const open = { endless: 0 };
const upstream = await startUpstream(async (received, response) => {
  const path = received.url ?? "";
  const bomb = bombs[path];
  if (bomb) return response.end(bomb);
  if (path === "/loop") return response.writeHead(302, { location: "/loop" }).end();
  if (path === "/announced") return response.writeHead(200, { "content-length": 3e9 }).write("x");
  if (path === "/endless") {
    open.endless++;
    response.on("close", () => open.endless--);
    const piece = Buffer.alloc(256 * 1024, 0xff);
    while (!response.destroyed)
      if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
});
const once = (emitter: NodeJS.EventEmitter, name: string) =>
  new Promise((resolve) => emitter.once(name, resolve));

const proxy = (path: string) => request(`/api/proxy?w=300&url=${encodeURIComponent(upstream.origin + path)}`);

/** Resident memory of this process and its child processes. */
function residentBytes() {
  let total = process.memoryUsage().rss;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid)
        total += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      // The process ended before its file was read.
    }
  return total;
}

/** The largest growth of resident memory while the work runs. */
async function maxGrowth(work: () => Promise<unknown>) {
  const before = residentBytes();
  let maxBytes = before;
  const watch = setInterval(() => {
    maxBytes = Math.max(maxBytes, residentBytes());
  }, 20);
  await work();
  clearInterval(watch);
  return maxBytes - before;
}

const tooLarge = "This image is too large: it has too many pixels";
const noImage = "This is not an image that can be read";

describe.runIf(process.platform === "linux")("a hostile image", () => {
  test.each([
    ["/tiny.webp", 400, tooLarge],
    ["/tiny.avif", 400, tooLarge],
    ["/flat.png", 400, tooLarge],
    ["/vast.svg", 400, tooLarge],
    ["/laughs.svg", 400, noImage],
    ["/endless", 400, "The content at this address is too large (over 30 MB)"],
    ["/announced", 400, "The content at this address is too large (over 30 MB)"],
    ["/loop", 500, "The server at this address redirects too many times"],
  ])("%s gets %i: %s", async (path, status, error) => {
    await request("/api/proxy?w=1", { method: "POST", body: bombs["/vast.svg"] as BodyInit });
    const grown = await maxGrowth(async () => {
      const response = await proxy(path);
      expect(await response.json()).toEqual({ error, status });
    });
    expect(grown).toBeLessThan(150 * mebibyte);
    await expect.poll(() => open.endless).toBe(0);
  });

  test("while 40 at once are refused, /healthz answers within a second", async () => {
    const grown = await maxGrowth(async () => {
      const storm = Promise.all(
        Object.keys(bombs).flatMap((path) => Array.from({ length: 8 }, (_, at) => proxy(`${path}#${at}`))),
      );
      const started = performance.now();
      expect((await request("/healthz")).status).toBe(200);
      expect(performance.now() - started).toBeLessThan(1000);
      for (const { status } of await storm) expect(status).toBe(400);
    });
    expect(grown).toBeLessThan(150 * mebibyte);
  });
});
