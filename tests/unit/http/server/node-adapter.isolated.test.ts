import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Counter } from "prom-client";
import { afterAll, expect, test } from "vitest";

/** Clients that read nothing hold the answers of the public cache in memory, also after the cache has evicted them. */

process.env.MEMORY = "4096";
const { publicFor } = await import("#app/http/cache-policy.server.ts");
const { applyCachePolicy } = await import("#app/http/endpoint/apply-cache-policy.server.ts");
const { createPublicCache } = await import("#app/http/pipeline/public-cache.server.ts");
const { memoryPlan } = await import("#app/platform/process/memory.server.ts");
const { registry } = await import("#app/platform/metrics.server.ts");
const { mebibytes, minutes } = await import("#app/platform/units.ts");
const { open } = await import("#tests/support/site/on-port.ts");
const { listenTinySite } = await import("#tests/support/site/tiny-site.ts");

const pageBytes = mebibytes(5);
const cache = createPublicCache({
  maxBytes: mebibytes(40),
  maxEntryBytes: mebibytes(6),
  charge: () => ({ headers: {} }),
  visitorKeyOf: () => "",
});
const site = await listenTinySite({
  routes: {
    "page/:number": ({ context }) => {
      const headers = new Headers({ "Content-Type": "application/octet-stream" });
      applyCachePolicy(headers, publicFor(minutes(1)), context);
      return new Response(randomBytes(pageBytes), { headers });
    },
  },
  cache,
});
afterAll(site.close);
const refused = registry.getSingleMetric("engawa_refused_total") as Counter;

async function countRefused() {
  const { values } = await refused.get();
  return values.find(({ labels }) => labels.kind === "unsent")?.value ?? 0;
}

test("a client that reads nothing of many cached pages is cut off", async () => {
  const most = Math.ceil(mebibytes(memoryPlan.unsentAnswers) / pageBytes);
  for (let number = 0; number <= most && (await countRefused()) === 0; number++) {
    const path = `${site.origin}/page/${number}`;
    // The first answer comes from the route. It is read, unless the client's share is used up already.
    await open(path)
      .then(buffer)
      .catch(() => null);
    await open(path).catch(() => null);
  }
  expect(await countRefused()).toBeGreaterThan(0);
});
