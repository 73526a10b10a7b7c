import { expect, test, vi } from "vitest";
import { z } from "zod";
import { type ErrorShape, errorJson } from "#app/http/endpoint/error-response.server.ts";

vi.hoisted(() => {
  process.env.LOG_LEVEL = "warn";
});
const { chargeLimiter } = await import("#app/http/guards/rate-limit.server.ts");

test("a client over the limit is refused, while another client, or the same client at another limiter, is not", async () => {
  const limiter = { name: "first", maxRequests: 100 };
  const remaining: unknown[] = [];
  for (let hit = 0; hit < 100; hit++) {
    const { headers } = await chargeLimiter(limiter, "198.51.100.1");
    remaining.push(headers["X-RateLimit-Remaining"]);
  }
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => String(99 - index)));
  const { refusal } = await chargeLimiter(limiter, "198.51.100.1");
  expect(refusal?.status).toBe(429);
  expect(await refusal?.json()).toEqual({
    error: "Too many requests",
    status: 429,
    retryAfter: expect.any(Number),
  });
  expect((await chargeLimiter(limiter, "198.51.100.2")).refusal).toBeUndefined();
  expect((await chargeLimiter({ ...limiter, name: "second" }, "198.51.100.1")).refusal).toBeUndefined();
});

test("a client that waits as long as its refusal says is served again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const limiter = { name: "obedient", maxRequests: 1 };
    const charge = () => chargeLimiter(limiter, "198.51.100.1");
    await charge();
    vi.advanceTimersByTime(700);
    const { refusal, headers } = await charge();
    const retryAfter = refusal?.headers.get("Retry-After");
    expect(headers["X-RateLimit-Reset"]).toBe(retryAfter);
    vi.advanceTimersByTime(Number(retryAfter) * 1000);
    expect((await charge()).refusal).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test("the blocks of one IPv6 network are refused together after four times the limit, and another network is not", async () => {
  const limiter = { name: "network", maxRequests: 2 };
  const statuses = [];
  for (let block = 1; block <= 9; block++)
    statuses.push((await chargeLimiter(limiter, `2001:db8:1:${block}::1`)).refusal?.status);
  expect(statuses).toEqual([...Array(8).fill(undefined), 429]);
  expect((await chargeLimiter(limiter, "2001:db8:2:1::1")).refusal).toBeUndefined();
});

test("requests that their network's limit refuses are not counted for their block", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const limiter = { name: "refused network", maxRequests: 1 };
    const charge = async (block: number) =>
      (await chargeLimiter(limiter, `2001:db8:3:${block}::1`)).refusal?.status;
    for (let block = 1; block <= 4; block++) expect(await charge(block)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect([await charge(5), await charge(5)]).toEqual([429, 429]);
    // The network's window is over. One that the refused requests had opened for the block would not be.
    const { headers } = await chargeLimiter(limiter, "2001:db8:3:1::1");
    vi.advanceTimersByTime(Number(headers["X-RateLimit-Reset"]) * 1000 + 500);
    expect(await charge(5)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test("a limiter with an error shape and a hint answers in that shape and logs the hint once", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const errorShape: ErrorShape = Object.assign(
    ({ status, message, headers }: Parameters<ErrorShape>[0]) => errorJson(status, { message }, headers),
    { schema: z.object({ message: z.string() }) },
  );
  const limiter = { name: "shaped", maxRequests: 1, errorShape, hint: "SHAPED_LIMIT raises it" };
  const refusals = [];
  for (let hit = 0; hit < 3; hit++) refusals.push((await chargeLimiter(limiter, "198.51.100.1")).refusal);
  expect(refusals[0]).toBeUndefined();
  expect(await refusals[1]?.json()).toEqual({ message: "Too many requests" });
  expect(Object.fromEntries(refusals[1]?.headers ?? [])).toMatchObject({
    "cache-control": "no-store",
    "retry-after": expect.stringMatching(/^\d+$/),
    "x-ratelimit-remaining": "0",
  });
  expect(said.mock.calls.join().match(/SHAPED_LIMIT raises it/g)).toHaveLength(1);
  said.mockRestore();
});
