import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { startRedis } from "#tests/support/servers/redis.ts";
import { isCountingAlone, measureSharedLimit } from "#tests/support/site/shared-limits.ts";
import { startSite } from "#tests/support/site/site-process.ts";

async function settingsFor(redis: { url: string }) {
  return {
    REDIS_URL: redis.url,
    DATABASE_URL: await newDatabase(),
    SESSION_SECRET: "the same for both ".repeat(3),
    // On a slow machine, drawing posters takes longer than an address may ask for.
    RATE_LIMIT_IMAGE_SECONDS: "86400",
  };
}

test("instances share rendered pictures through Redis, and still render when a value is damaged or Redis is down", async () => {
  const redis = await startRedis();
  const settings = await settingsFor(redis);
  const [one, other] = await Promise.all([startSite(settings), startSite(settings)]);
  const client = new Redis(redis.url);
  const listTitles = async (origin: string) => {
    const answer = await fetch(`${origin}/api/animes/full?limit_count=3`);
    return ((await answer.json()) as { data: { mal_id: number }[] }).data;
  };
  // On a slow machine, an instance can connect too late for its first commands.
  const isConnected = async (origin: string) => {
    await client.flushall();
    await listTitles(origin);
    return (await client.keys("engawa:limit:*")).length > 0;
  };
  for (const { origin } of [one, other]) await expect.poll(() => isConnected(origin)).toBe(true);
  const data = await listTitles(one.origin);
  const poster = async (origin: string, at: number) => {
    const response = await fetch(`${origin}/poster/${data[at]?.mal_id}.webp?w=160`);
    return { status: response.status, etag: response.headers.get("etag") };
  };
  const drawn = await poster(one.origin, 0);
  const pictures = () => client.keys("engawa:image:*");
  const hits = async () => Number(/keyspace_hits:(\d+)/.exec(await client.info("stats"))?.[1]);
  await expect.poll(async () => (await pictures()).length).toBe(1);
  const hitsBefore = await hits();
  expect(await poster(other.origin, 0)).toEqual(drawn);
  expect(await hits()).toBeGreaterThan(hitsBefore);
  const [key = ""] = await pictures();
  expect(await client.pttl(key)).toBeGreaterThan(24 * 3600_000);

  const drawnLater = await poster(one.origin, 1);
  await expect.poll(async () => (await pictures()).length).toBe(2);
  for (const name of await pictures()) await client.set(name, "damaged");
  expect(await poster(other.origin, 1)).toEqual(drawnLater);

  client.disconnect();
  await redis.stop();
  expect((await poster(one.origin, 2)).status).toBe(200);
});

test("instances share rate limits through Redis, also for cached answers, and count alone when Redis is down", async () => {
  const redis = await startRedis();
  const settings = {
    ...(await settingsFor(redis)),
    RATE_LIMIT_CATALOG_POINTS: "10",
    RATE_LIMIT_SECONDS: "86400",
    TRUST_PROXY: "1",
  };
  const sites = await Promise.all([startSite(settings), startSite(settings)]);
  const ask = (at: number, headers: Record<string, string>) =>
    fetch(`${sites[at % 2]?.origin}/api/animes/full?limit_count=1`, { headers });
  const { headers, statuses } = await measureSharedLimit(sites, async (headers) => {
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++) statuses.push((await ask(at, headers)).status);
    return { headers, statuses };
  });
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  const warnings = () => sites[0]?.logged.filter(isCountingAlone).length;
  const earlier = warnings() ?? 0;
  await redis.stop();
  const alone = await ask(0, headers);
  expect([alone.status, alone.headers.get("X-RateLimit-Remaining")]).toEqual([200, "9"]);
  await ask(0, headers);
  await expect.poll(warnings).toBe(earlier + 1);
});

test("pictures requested by visitors never exceed their share of Redis, and the oldest are evicted first", async () => {
  const redis = await startRedis();
  process.env.REDIS_URL = redis.url;
  const { deleteSharedBytes, findSharedBytes, maxSharedBytes, shareBytes } = await import(
    "#app/platform/cache/shared-bytes.server.ts"
  );
  const { hitShared, maxNewKeys } = await import("#app/platform/limits/shared-window.server.ts");
  const { closeRedis } = await import("#app/platform/cache/redis.server.ts");
  const client = new Redis(redis.url);
  const counted = async () => Number(await client.hget("engawa:shared:sizes", "total"));
  await shareBytes("engawa:image:too large", Buffer.alloc(3_000_000), 60_000);
  expect(await findSharedBytes("engawa:image:too large")).toBeNull();
  for (let at = 0; at < 80; at++)
    await shareBytes(`engawa:image:large ${at}`, Buffer.alloc(1_000_000), 60_000);
  // On a slow machine, Redis could not answer 2000 commands at once in time.
  for (let from = 0; from < 2000; from += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        shareBytes(`engawa:image:small ${from + at}`, Buffer.alloc(10), 60_000),
      ),
    );
  expect(await counted()).toBeLessThanOrEqual(maxSharedBytes);
  await expect.poll(() => findSharedBytes("engawa:image:large 79")).toHaveLength(1_000_000);
  expect(await client.exists("engawa:image:large 0")).toBe(0);
  const before = await counted();
  await deleteSharedBytes("engawa:image:large 79");
  await expect.poll(async () => before - (await counted())).toBeGreaterThan(1_000_000);
  const hits = async () => {
    await client.del("engawa:limit:catalog first", "engawa:limit:catalog second");
    await client.set("engawa:limits:60000", maxNewKeys - 1, "PX", 60_000);
    return [
      await hitShared("catalog first", 60_000),
      await hitShared("catalog second", 60_000),
      await hitShared("catalog first", 60_000),
    ];
  };
  await expect.poll(hits).toMatchObject([{ count: 1 }, null, { count: 2 }]);
  client.disconnect();
  await closeRedis();
});
