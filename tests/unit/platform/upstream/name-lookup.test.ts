import { afterEach, expect, test, vi } from "vitest";
import { seconds } from "#app/platform/units.ts";
import { createCachingResolver, LookupQueueFull } from "#app/platform/upstream/name-lookup.server.ts";

afterEach(() => {
  vi.useRealTimers();
});

const address = [{ address: "192.0.2.1", family: 4 }];

/** A resolver that answers when the test calls `answer` or `fail`. */
function slowResolver() {
  const queries: { hostname: string; answer(): void; fail(): void }[] = [];
  const resolve = (hostname: string) =>
    new Promise<typeof address>((answer, fail) => {
      queries.push({ hostname, answer: () => answer(address), fail: () => fail(new Error("not found")) });
    });
  return { queries, resolve };
}

test("many lookups of one name at once make one query, and the answer is cached", async () => {
  const { queries, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const all = Array.from({ length: 50 }, () => lookUp("a.test"));
  expect(queries.length).toBe(1);
  queries[0]?.answer();
  expect(await Promise.all(all)).toEqual(all.map(() => address));
  await lookUp("a.test");
  expect(queries.length).toBe(1);
});

test("at most two names are looked up at a time, in the order of the calls", async () => {
  const { queries, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const all = ["a", "b", "c", "d"].map((name) => lookUp(name));
  expect(queries.map(({ hostname }) => hostname)).toEqual(["a", "b"]);
  queries[1]?.answer();
  await all[1];
  await vi.waitFor(() => expect(queries.map(({ hostname }) => hostname)).toEqual(["a", "b", "c"]));
  for (const at of [0, 2]) queries[at]?.answer();
  await vi.waitFor(() => expect(queries.length).toBe(4));
  queries[3]?.answer();
  await Promise.all(all);
});

test("a lookup that waited too long is refused without a query", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { queries, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const first = [lookUp("a"), lookUp("b")];
  const late = lookUp("late");
  late.catch(() => {});
  vi.setSystemTime(Date.now() + seconds(6));
  const newer = lookUp("newer");
  queries[0]?.answer();
  await expect(late).rejects.toBeInstanceOf(LookupQueueFull);
  expect(queries.map(({ hostname }) => hostname)).toEqual(["a", "b", "newer"]);
  for (const one of queries) one.answer();
  await Promise.all([...first, newer]);
});

test("a full queue refuses at once, and a failed lookup is cached", async () => {
  const { queries, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const lookups = Array.from({ length: 502 }, (_, at) => lookUp(`${at}.test`));
  for (const one of lookups) one.catch(() => {});
  await expect(lookUp("one-too-many.test")).rejects.toBeInstanceOf(LookupQueueFull);
  queries[0]?.fail();
  await expect(lookups[0]).rejects.toThrow("not found");
  await expect(lookUp("0.test")).rejects.toThrow("not found");
  expect(queries.filter(({ hostname }) => hostname === "0.test").length).toBe(1);
});
