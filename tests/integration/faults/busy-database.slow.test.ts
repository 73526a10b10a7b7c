import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Agent, request as sendRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** Readers wait for a database that does not answer. 127.0.0.1 and 127.0.0.2 are two clients. */

const share = 20;
process.env.CLIENT_REQUESTS = String(share);
// The test expects a cached answer, also in a run without the public cache.
process.env.PUBLIC_CACHE = "1";
process.env.RATE_LIMIT_POINTS = "1000";
const { addReadinessCheck } = await import("#app/http/server/health.server.ts");
const { createWriteCheck } = await import("#db/write-check.server.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");
const { listen } = await import("#tests/support/site/on-port.ts");

const { origin } = await listen();
const writes = createWriteCheck();
// A starting process does the same.
addReadinessCheck("database", writes.check);

async function askFrom(from: string, path: string) {
  const asked = sendRequest(origin + path, { agent: new Agent(), localAddress: from }).end();
  const [response] = await once(asked, "response");
  return { status: response.statusCode as number, body: await text(response) };
}

test("one client's readers that wait for the database take nothing from other clients, and /readyz stays green", async () => {
  const listing = (year: number) => `/api/animes/full?limit_count=1&year_filter=${1900 + year}`;
  expect((await askFrom("127.0.0.1", listing(1))).status).toBe(200);
  const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));
  const unlock = await lockTables("titles, catalog_state");
  let refused = 0;
  const readers = Array.from({ length: 3 * share }, async (_, at) => {
    const { status } = await askFrom("127.0.0.1", listing(at + 2));
    if (status === 503) refused++;
    return status;
  });
  await expect.poll(() => refused, { interval: 10 }).toBe(2 * share);
  const jikan = await askFrom("127.0.0.1", "/v4/seasons");
  expect([jikan.status, JSON.parse(jikan.body).type]).toEqual([503, "ServiceUnavailableException"]);

  for (const from of ["127.0.0.1", "127.0.0.2"])
    for (const path of ["/healthz", "/readyz", `/assets/${asset}`, listing(1)]) {
      const { status, body } = await askFrom(from, path);
      expect([from, path, status], body.slice(0, 200)).toEqual([from, path, 200]);
    }
  const other = askFrom("127.0.0.2", listing(100));
  await unlock();
  expect((await other).status).toBe(200);
  expect((await Promise.all(readers)).filter((status) => status === 200)).toHaveLength(share);
  await writes.close();
});
