import { expect, test } from "vitest";
import { slowDrawing } from "#tests/support/data/slow-drawing.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.RATE_LIMIT_IMAGE_SECONDS = "3";
const { request, newAddress } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { registry } = await import("#app/platform/metrics.server.ts");

/** One client requests pictures that take long. Only its own pictures wait. */

const bomb = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><filter id="f">${'<feMorphology radius="9"/>'.repeat(20)}</filter><rect width="500" height="500" filter="url(#f)"/></svg>`;

const upstream = await startUpstream(({ url }, response) =>
  response.end(url === "/bomb.svg" ? bomb : slowDrawing(url ?? "")),
);
const proxy = (path: string, init: { address: string; signal?: AbortSignal }) =>
  request(`/api/proxy?url=${encodeURIComponent(`${upstream.origin}/${path}`)}`, init);

const metric = async (name: string) =>
  Number(new RegExp(`^engawa_images_render_${name} (\\d+)`, "m").exec(await registry.metrics())?.[1]);
const busy = () => metric("busy");

test("a drawing whose filter is too much work gets 400", async () => {
  const response = await proxy("bomb.svg", { address: newAddress() });
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: "This drawing is too complex to convert", status: 400 },
  ]);
});

test("a client that has used up its time gets 503 with the time to wait, and another client does not", async () => {
  await importTitles([{ mal_id: 7, title: "A Poster" }]);
  const address = newAddress();
  // A conversion without a waiting client ends after a second, which counts toward its client's time.
  for (const path of ["1001", "1002", "1003", "1004"]) {
    const leaving = new AbortController();
    const drawing = proxy(path, { address, signal: leaving.signal });
    await expect.poll(busy).toBe(1);
    leaving.abort();
    await Promise.allSettled([drawing]);
    await expect.poll(busy).toBe(0);
  }
  const refused = await proxy("1005", { address });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  const small = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const other = await request("/api/proxy?w=9", { method: "POST", body: small as BodyInit });
  expect(other.status).toBe(200);
  // Posters for a client without time left are sketches.
  const sketch = await request("/poster/7.webp?w=480", { address });
  expect(sketch.headers.get("content-type")).toBe("image/svg+xml");
});
