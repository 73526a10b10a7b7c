import { beforeAll, expect, test } from "vitest";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

/** The whole application while its database is unreachable, and afterwards. */

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.PUBLIC_CACHE = "0";
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");

const answer = async (path: string, init?: Parameters<typeof request>[1]) => {
  const response = await request(path, init);
  return {
    status: response.status,
    body: await response.json().catch(() => null),
    headers: response.headers,
  };
};
const listing = () => answer("/api/animes/full");

beforeAll(async () => {
  await importTitles([{ mal_id: 1, title: "One" }]);
  expect((await listing()).status).toBe(200);
});

test.each([
  ["refused", network.refuse],
  ["swallowed", network.swallow],
] as const)(
  "while connections are %s, requests that need the database get 500 and others are answered; afterwards all work",
  async (_name, fault) => {
    fault(true);
    const [listed, signedOut, healthy] = await Promise.all([
      listing(),
      answer("/api/user/watchList"),
      answer("/healthz"),
    ]);
    expect(listed).toMatchObject({
      status: 500,
      body: { error: { message: "Internal server error", type: "database", statusCode: 500 } },
    });
    expect(listed.headers.get("Cache-Control")).toBe("no-store");
    expect(JSON.stringify(listed.body)).not.toMatch(/select|ECONN|postgres/i);
    expect([signedOut.status, signedOut.body]).toEqual([401, { error: "Unauthorized", status: 401 }]);
    expect(healthy.status).toBe(200);
    fault(false);
    await expect.poll(async () => (await listing()).status, { timeout: 60_000, interval: 100 }).toBe(200);
  },
);
