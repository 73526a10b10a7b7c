import { expect, test } from "vitest";
import { addressBlock, charge } from "#app/http/rate-limit.server.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s counts as %s", (address, block) => {
  expect(addressBlock(address)).toBe(block);
});

test("allows the points of a window, then refuses in the shape of the endpoint", async () => {
  const remaining: unknown[] = [];
  for (let hit = 0; hit < 100; hit++) {
    const { headers } = await charge("anime", "198.51.100.1");
    remaining.push(headers["X-RateLimit-Remaining"]);
  }
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => String(99 - index)));
  const { refusal } = await charge("anime", "198.51.100.1");
  expect(refusal?.status).toBe(429);
  expect(await refusal?.json()).toEqual({
    error: "Too many requests",
    status: 429,
    retryAfter: expect.any(Number),
  });
  expect((await charge("anime", "198.51.100.2")).refusal).toBeUndefined();
  expect((await charge("listing", "198.51.100.1")).refusal).toBeUndefined();
});
