import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { imageBombs as bombs } from "#tests/support/data/image-bombs.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");

/** Images and upstreams that try to use up memory and time: each is refused, and the rest of the site stays fast. */

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
    const response = await proxy(path);
    expect(await response.json()).toEqual({ error, status });
    await expect.poll(() => open.endless).toBe(0);
  });

  test("40 at once are refused, and /healthz answers before them", async () => {
    let refused = 0;
    const storm = Promise.all(
      Object.keys(bombs).flatMap((path) =>
        Array.from({ length: 8 }, async (_, at) => {
          const { status } = await proxy(`${path}#${at}`);
          refused++;
          return status;
        }),
      ),
    );
    expect((await request("/healthz")).status).toBe(200);
    expect(refused).toBeLessThan(40);
    expect(new Set(await storm)).toEqual(new Set([400]));
  });

  test("an SVG whose filters would take hours is refused before it is drawn", async () => {
    const clouds = `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="6000"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="5000"/></filter><rect width="6000" height="6000" filter="url(#f)"/></svg>`;
    const response = await request("/api/proxy", { method: "POST", body: clouds });
    expect(await response.json()).toEqual({ error: "This drawing is too complex to convert", status: 400 });
  });
});

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a site that runs as root decodes pictures under another account",
  async () => {
    await request("/api/proxy?w=9", { method: "POST", body: drawing });
    const accounts = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const status = readFileSync(`/proc/${pid}/status`, "utf8");
          const isChild = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid;
          const isRenderer = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("render-child");
          return isChild && isRenderer ? [/^Uid:\s+(\d+)/m.exec(status)?.[1]] : [];
        } catch {
          return [];
        }
      });
    expect(new Set(accounts)).toEqual(new Set(["65534"]));
  },
);
