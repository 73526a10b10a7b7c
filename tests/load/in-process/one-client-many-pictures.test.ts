import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { slowDrawing } from "#tests/support/data/slow-drawing.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request, newAddress } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { registry } = await import("#app/platform/metrics.server.ts");

/** One client requests pictures that take long. Only that client's pictures wait. */

const upstream = await startUpstream(({ url }, response) => response.end(slowDrawing(url ?? "")));
const proxy = (path: string, init: { address: string; signal?: AbortSignal }) =>
  request(`/api/proxy?url=${encodeURIComponent(`${upstream.origin}/${path}`)}`, init);

const metric = async (name: string) =>
  Number(new RegExp(`^engawa_images_render_${name} (\\d+)`, "m").exec(await registry.metrics())?.[1]);
const busy = () => metric("busy");
const queued = () => metric("queue");

test("while one client waits for 220 slow drawings, another client gets its poster; when the client leaves, its work ends", async ({
  task,
}) => {
  await importTitles([
    { mal_id: 7, title: "A Poster" },
    { mal_id: 8, title: "Another" },
  ]);
  // The first poster starts the child process.
  await request("/poster/7.webp?w=240");
  const [address, leaving] = [newAddress(), new AbortController()];
  const drawings = Array.from({ length: 220 }, (_, at) =>
    proxy(String(at), { address, signal: leaving.signal }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await expect.poll(queued).toBeGreaterThan(90);
  const startedAt = performance.now();
  const poster = await request("/poster/8.webp?w=240");
  figure(task.name, "the poster takes", performance.now() - startedAt, "ms");
  figure(task.name, "drawings that still wait after it", await queued(), "");
  expect([poster.status, poster.headers.get("content-type")]).toEqual([200, "image/webp"]);
  leaving.abort();
  await expect.poll(queued).toBe(0);
  await expect.poll(busy).toBe(0);
  await Promise.all(drawings);
});
