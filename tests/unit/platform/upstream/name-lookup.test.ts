import { afterEach, expect, test, vi } from "vitest";
import { seconds } from "#app/platform/units.ts";
import { createCachingResolver, LookupQueueFull } from "#app/platform/upstream/name-lookup.server.ts";

afterEach(() => {
  vi.useRealTimers();
});

const address = [{ address: "192.0.2.1", family: 4 }];

/** A resolver that answers when it is told to. */
function slowResolver() {
  const asked: { hostname: string; answer(): void; fail(): void }[] = [];
  const resolve = (hostname: string) =>
    new Promise<typeof address>((answer, fail) => {
      asked.push({ hostname, answer: () => answer(address), fail: () => fail(new Error("not found")) });
    });
  return { asked, resolve };
}

test("a name asked for by many at once is looked up once, and remembered", async () => {
  const { asked, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const all = Array.from({ length: 50 }, () => lookUp("a.test"));
  expect(asked.length).toBe(1);
  asked[0]?.answer();
  expect(await Promise.all(all)).toEqual(all.map(() => address));
  await lookUp("a.test");
  expect(asked.length).toBe(1);
});

test("never more than two at a time, in the order they came", async () => {
  const { asked, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const all = ["a", "b", "c", "d"].map((name) => lookUp(name));
  expect(asked.map(({ hostname }) => hostname)).toEqual(["a", "b"]);
  asked[1]?.answer();
  await all[1];
  await vi.waitFor(() => expect(asked.map(({ hostname }) => hostname)).toEqual(["a", "b", "c"]));
  for (const at of [0, 2]) asked[at]?.answer();
  await vi.waitFor(() => expect(asked.length).toBe(4));
  asked[3]?.answer();
  await Promise.all(all);
});

test("whoever waited longer than any caller does is told so instead of being looked up", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { asked, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const first = [lookUp("a"), lookUp("b")];
  const late = lookUp("late");
  late.catch(() => {});
  vi.setSystemTime(Date.now() + seconds(6));
  const newer = lookUp("newer");
  asked[0]?.answer();
  await expect(late).rejects.toBeInstanceOf(LookupQueueFull);
  expect(asked.map(({ hostname }) => hostname)).toEqual(["a", "b", "newer"]);
  for (const one of asked) one.answer();
  await Promise.all([...first, newer]);
});

test("a queue that is full refuses at once, and a failure is remembered", async () => {
  const { asked, resolve } = slowResolver();
  const lookUp = createCachingResolver(resolve);
  const crowd = Array.from({ length: 502 }, (_, at) => lookUp(`${at}.test`));
  for (const one of crowd) one.catch(() => {});
  await expect(lookUp("one-too-many.test")).rejects.toBeInstanceOf(LookupQueueFull);
  asked[0]?.fail();
  await expect(crowd[0]).rejects.toThrow("not found");
  await expect(lookUp("0.test")).rejects.toThrow("not found");
  expect(asked.filter(({ hostname }) => hostname === "0.test").length).toBe(1);
});
