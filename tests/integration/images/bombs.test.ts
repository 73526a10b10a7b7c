import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { avifClaim, flatPng, svgClaim, webpClaim } from "#tests/support/data/misleading-images.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");

/** Pictures and upstreams made to hurt: each is refused, and nothing else notices. */

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
const upstream = await startUpstream(async (asked, response) => {
  const path = asked.url ?? "";
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

/** Resident bytes of this process and of those it started. */
function residentBytes() {
  let total = process.memoryUsage().rss;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid)
        total += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      // It ended in between.
    }
  return total;
}

/** The most that memory grew by while the work ran. */
async function growth(work: () => Promise<unknown>) {
  const before = residentBytes();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes());
  }, 20);
  await work();
  clearInterval(watch);
  return most - before;
}

const tooLarge = "This image is too large: it has too many pixels";
const noImage = "This is not an image that can be read";

describe.runIf(process.platform === "linux")("a bomb", () => {
  test.each([
    ["/tiny.webp", 400, tooLarge],
    ["/tiny.avif", 400, tooLarge],
    ["/flat.png", 400, tooLarge],
    ["/vast.svg", 400, tooLarge],
    ["/laughs.svg", 400, noImage],
    ["/endless", 400, "What this address holds is too large (over 30 MB)"],
    ["/announced", 400, "What this address holds is too large (over 30 MB)"],
    ["/loop", 500, "The server at this address redirects too many times"],
  ])("%s: %i %s", async (path, status, error) => {
    await request("/api/proxy?w=1", { method: "POST", body: bombs["/vast.svg"] as BodyInit });
    const grown = await growth(async () => {
      const response = await proxy(path);
      expect(await response.json()).toEqual({ error, status });
    });
    expect(grown).toBeLessThan(150 * mebibyte);
    await expect.poll(() => open.endless).toBe(0);
  });

  test("all of them at once leave the rest of the site quick", async () => {
    const grown = await growth(async () => {
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
