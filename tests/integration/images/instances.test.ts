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
    await expect.poll(() => client.dbsize()).toBe(1);
    expect(await poster(other.origin, 0)).toEqual(drawn);
    expect(await client.info("stats")).toContain("keyspace_hits:1\r\n");
    const [key = ""] = await client.keys("engawa:image:*");
    expect(await client.pttl(key)).toBeGreaterThan(24 * 3600_000);
    client.disconnect();
    await redis.stop();
    expect((await poster(one.origin, 1)).status).toBe(200);
    await Promise.all([one.stop(), other.stop()]);
  });
});
