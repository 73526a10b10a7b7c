import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { hasRedis, startRedis } from "#tests/support/redis.ts";
import { startSite } from "#tests/support/site.ts";

describe.runIf(hasRedis)("instances that share a Redis", () => {
  test("share their pictures, and go on without it", async () => {
    const redis = await startRedis();
    const [one, other] = await Promise.all([
      startSite({ REDIS_URL: redis.url }),
      startSite({ REDIS_URL: redis.url }),
    ]);
    const { data } = (await (await fetch(`${one.origin}/api/animes/full?limit_count=2`)).json()) as {
      data: { mal_id: number }[];
    };
    const poster = async (origin: string, at: number) => {
      const response = await fetch(`${origin}/poster/${data[at]?.mal_id}.webp?w=160`);
      return { status: response.status, etag: response.headers.get("etag") };
    };
    const drawn = await poster(one.origin, 0);
    const client = new Redis(redis.url);
    const pictures = () => client.keys("engawa:image:*");
    const hits = async () => Number(/keyspace_hits:(\d+)/.exec(await client.info("stats"))?.[1]);
    await expect.poll(async () => (await pictures()).length).toBe(1);
    const hitsBefore = await hits();
    expect(await poster(other.origin, 0)).toEqual(drawn);
    expect(await hits()).toBe(hitsBefore + 1);
    const [key = ""] = await pictures();
    expect(await client.pttl(key)).toBeGreaterThan(24 * 3600_000);
    client.disconnect();
    await redis.stop();
    expect((await poster(one.origin, 1)).status).toBe(200);
    await Promise.all([one.stop(), other.stop()]);
  });

  test("share their limits, also for what their caches hold, and count alone without Redis", async () => {
    const redis = await startRedis();
    const settings = { REDIS_URL: redis.url, RATE_LIMIT_CATALOG_POINTS: "10" };
    const sites = await Promise.all([startSite(settings), startSite(settings)]);
    const ask = (at: number) => fetch(`${sites[at % 2]?.origin}/api/animes/full?limit_count=1`);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++) statuses.push((await ask(at)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    await redis.stop();
    const alone = await ask(0);
    expect([alone.status, alone.headers.get("X-RateLimit-Remaining")]).toEqual([200, "9"]);
    await ask(0);
    const warnings = () =>
      sites[0]?.logged.filter(({ message }) => message?.includes("counts requests for itself"));
    await expect.poll(warnings).toHaveLength(1);
    await Promise.all(sites.map((site) => site.stop()));
  });
});
