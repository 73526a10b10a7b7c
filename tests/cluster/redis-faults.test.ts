import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { startRedis } from "#tests/support/servers/redis.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Redis fails under load: every request is still answered, and sharing resumes when Redis returns. */

const server = await startRedis();
const network = await startFaultyNetwork(server.url);
const admin = new Redis(server.url, { retryStrategy: () => 100 }).on("error", () => {});
const png = await plainPng(64, 64, "#306090");
const upstream = await startUpstream((_asked, response) =>
  response.writeHead(200, { "content-type": "image/png" }).end(png),
);
const site = await startSite(
  {
    DATABASE_URL: await newDatabase(),
    REDIS_URL: network.url,
    SESSION_SECRET: "with or without it ".repeat(3),
    ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
    RATE_LIMIT_POINTS: "1000000",
    RATE_LIMIT_IMAGE_SECONDS: "86400",
  },
  { isQuiet: true },
);

const beganAt = performance.now();
const paths = [
  (number: number) => `/api/animes/full?limit_count=3&page=${1 + (number % 100)}&year=${number}`,
  (number: number) => `/api/proxy?url=${encodeURIComponent(`${upstream.origin}/${number}.png`)}&w=32`,
  () => "/api/animes/random",
  () => "/healthz",
];
const load = startSteadyLoad(
  40,
  async (number) => {
    const path = paths[number % paths.length]!(number);
    const answer = await whenFree(() => fetch(site.origin + path, { redirect: "manual" }));
    await answer.arrayBuffer();
    return answer.status;
  },
  { atOnce: 20 },
);
await until(() => load.outcomes.length > 200);

const faults: Record<string, { begin(): unknown; end(): unknown }> = {
  stopped: {
    begin: () => Promise.all([server.stop(), network.leave(true)]),
    end: () => Promise.all([server.start(), network.leave(false)]),
  },
  silent: { begin: () => network.swallow(true), end: () => network.swallow(false) },
  resetting: { begin: () => network.refuse(true), end: () => network.refuse(false) },
  "out of connections": {
    begin: async () => {
      await admin.config("SET", "maxclients", 1);
      await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    },
    end: () => admin.config("SET", "maxclients", 1000),
  },
};
const isShared = async () => {
  await admin.flushall();
  const outcomes = load.outcomes.length;
  await until(() => load.outcomes.length > outcomes + 10);
  return (await admin.keys("engawa:limit:*")).length > 0;
};

test.each(Object.keys(faults))(
  "while Redis is %s, every request gets 200; afterwards, limits are shared again",
  async (name) => {
    // The first answers can be those of requests that were counted before the keys were deleted.
    await expect.poll(isShared).toBe(true);
    const { begin, end } = faults[name]!;
    const from = load.outcomes.length;
    await begin();
    const sinceFault = load.outcomes.length;
    await until(() => load.outcomes.length > sinceFault + 100);
    await end();
    await expect.poll(isShared).toBe(true);
    const during = load.outcomes.slice(from);
    expect(during.filter(({ status }) => status !== 200)).toEqual([]);
  },
);

test("after all faults the log has at most one warning a minute, each with its recovery, and no unhandled rejection", async () => {
  await load.stop();
  const countLogged = (pattern: RegExp) =>
    site.logged.filter(({ message }) => pattern.test(message ?? "")).length;
  const warnings = () => countLogged(/each instance counts requests for itself/);
  const recoveries = () => countLogged(/instances share their limits/);
  // Only a request whose count is shared ends the last warning.
  const isRecovered = async () => {
    await (await fetch(`${site.origin}/api/animes/random`)).arrayBuffer();
    return recoveries() === warnings();
  };
  await expect.poll(isRecovered).toBe(true);
  expect(warnings()).toBeGreaterThan(0);
  // The faults take less than a minute together, but not on a slow machine.
  expect(warnings()).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - beganAt) / 60_000));
  expect(countLogged(/unhandled|uncaught/)).toBe(0);
  expect(site.process.exitCode).toBeNull();
  admin.disconnect();
});
