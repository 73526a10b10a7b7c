import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = () =>
  createTimedQueue({
    running: { total: 4, perClient: 2 },
    waiting: { total: 10, perClient: 6 },
    maxWaitMs: 1000,
    maxTotalMs: 2000,
  });
type Queue = ReturnType<typeof start>;

const leaving = async (entering: ReturnType<Queue["enter"]>) => {
  const leave = await entering;
  if (!leave) throw new Error("it was refused");
  return leave;
};

test("a client runs as many requests as its share, and its next one begins when one of them ends", async () => {
  const queue = start();
  const [first] = await Promise.all([leaving(queue.enter("a")), leaving(queue.enter("a"))]);
  let hasBegun = false;
  const third = leaving(queue.enter("a")).then((leave) => {
    hasBegun = true;
    return leave;
  });
  await leaving(queue.enter("b"));
  expect([hasBegun, queue.waiting()]).toEqual([false, 1]);
  first();
  await third;
  expect(queue.waiting()).toBe(0);
});

test("waiting clients take turns, and a client whose share is running does not block another one", async () => {
  const queue = start();
  const running = await Promise.all(["a", "a", "b", "b"].map((client) => leaving(queue.enter(client))));
  const begun: string[] = [];
  for (const client of ["a", "a", "b", "c"]) void queue.enter(client).then(() => begun.push(client));
  for (const [at, expected] of [
    [2, "b"],
    [0, "a"],
    [3, "c"],
    [1, "a"],
  ] as const) {
    running[at]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun.at(-1)).toBe(expected);
  }
});

test("the request that has waited longest is refused, and a request that was given up does not begin", async () => {
  const queue = start();
  const running = await Promise.all(["a", "a", "b", "b"].map((client) => leaving(queue.enter(client))));
  const late = queue.enter("c");
  const gone = new AbortController();
  const left = queue.enter("d", { signal: gone.signal });
  gone.abort();
  expect(await left).toBeNull();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await late).toBeNull();
  for (const leave of running) leave();
  expect(queue.waiting()).toBe(0);
  expect(await queue.enter("e")).not.toBeNull();
});

test("a request that would wait too long, judging by recent durations, is refused at once", async () => {
  const queue = start();
  const fourAtOnce = async (ms: number) => {
    const running = await Promise.all(["a", "a", "b", "b"].map((client) => leaving(queue.enter(client))));
    await vi.advanceTimersByTimeAsync(ms);
    return running;
  };
  for (let round = 0; round < 3; round++) for (const leave of await fourAtOnce(1000)) leave();
  await fourAtOnce(0);
  const entering = Array.from({ length: 6 }, () => queue.enter("c"));
  const waiting = queue.waiting();
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThan(5);
  expect(await entering.at(-1)).toBeNull();
});

test("a client with more waiting requests than may run is refused only late in the longest wait, or when it leaves", async () => {
  const queue = start();
  const fill = () => Promise.all(["a", "a", "b", "b"].map((client) => leaving(queue.enter(client))));
  const slow = await fill();
  await vi.advanceTimersByTimeAsync(1000);
  for (const leave of slow) leave();
  await fill();
  for (let at = 0; at < 3; at++) void queue.enter("c");
  const refused: string[] = [];
  const enter = async (name: string, signal?: AbortSignal) => {
    expect(await queue.enter("c", { waitedMs: 400, ...(signal && { signal }) })).toBeNull();
    refused.push(name);
  };
  const gone = new AbortController();
  void enter("patient");
  void enter("gone", gone.signal);
  await vi.advanceTimersByTimeAsync(449);
  expect(refused).toEqual([]);
  gone.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(refused).toEqual(["gone"]);
  await vi.advanceTimersByTimeAsync(151);
  expect(refused).toEqual(["gone", "patient"]);
  // Half as many as may wait for a place.
  for (let at = 0; at < 3; at++) void enter("patient");
  await enter("beyond the limit");
  expect(refused.slice(2)).toEqual(["beyond the limit"]);
});

test("requests of a flood that arrive together are refused at different times, the first ones after the longest wait", async () => {
  const random = vi.spyOn(Math, "random").mockReturnValueOnce(0.2).mockReturnValueOnce(0.8);
  onTestFinished(() => random.mockRestore());
  const queue = start();
  await Promise.all(["a", "a", "b", "b"].map((client) => leaving(queue.enter(client))));
  const startedAt = Date.now();
  const waits: number[] = [];
  for (let at = 0; at < 5; at++) void queue.enter("c").then(() => waits.push(Date.now() - startedAt));
  await vi.advanceTimersByTimeAsync(1000);
  expect(waits).toEqual([800, 950, 1000, 1000, 1000]);
});

test("a request whose client left before a slot was free never gets one", async () => {
  expect(await start().enter("192.0.2.1", { signal: AbortSignal.abort() })).toBeNull();
});

test("an optional request never waits, and uses only the first half of the slots", async () => {
  const queue = start();
  const optional = { isOptional: true };
  expect(await queue.enter("a", optional)).not.toBeNull();
  expect(await queue.enter("b", optional)).not.toBeNull();
  expect(await queue.enter("c", optional)).toBeNull();
  expect(await queue.enter("c")).not.toBeNull();
});

test("a request that has waited elsewhere waits here only for the rest of its time, and begins too late only if nothing else runs", async () => {
  const queue = start();
  const running = await Promise.all(["a", "a", "b"].map((client) => leaving(queue.enter(client))));
  expect(await queue.enter("c", { waitedMs: 1000 })).toBeNull();
  running.push(await leaving(queue.enter("c", { waitedMs: 900 })));
  const waiting = queue.enter("d", { waitedMs: 900 });
  await vi.advanceTimersByTimeAsync(100);
  expect(await waiting).toBeNull();
  for (const leave of running) leave();
  await leaving(queue.enter("c", { waitedMs: 5000 }));
});

test("an account has one share from any number of addresses, and waits in its own line", async () => {
  const queue = createTimedQueue({
    running: { total: 10, perClient: 4, perAccount: 2 },
    waiting: { total: 10, perClient: 10 },
    maxWaitMs: 1000,
  });
  const enter = (address: string, account: string) => leaving(queue.enter(address, { account }));
  const [first] = await Promise.all([enter("a", "one"), enter("b", "one")]);
  const begun: string[] = [];
  const waiting = [enter("c", "one").then(() => begun.push("one")), enter("d", "one")];
  await enter("c", "other");
  expect([begun, queue.waiting()]).toEqual([[], 2]);
  first();
  // Ending a request twice frees only one slot.
  first();
  await waiting[0];
  expect([begun, queue.waiting()]).toEqual([["one"], 1]);
});

test("accounts behind one address share the slots of the address", async () => {
  const queue = createTimedQueue({
    running: { total: 10, perClient: 3, perAccount: 2 },
    waiting: { total: 10, perClient: 10 },
    maxWaitMs: 1000,
  });
  const enter = (account: string) => leaving(queue.enter("a", { account }));
  const running = await Promise.all([enter("one"), enter("one"), enter("two")]);
  const begun: string[] = [];
  const waiting = ["one", "two"].map((account) => enter(account).then(() => begun.push(account)));
  expect(queue.waiting()).toBe(2);
  // The second account has a free slot, but the address has none.
  running[0]?.();
  await waiting[0];
  expect([begun, queue.waiting()]).toEqual([["one"], 1]);
  running[2]?.();
  await waiting[1];
  expect(begun).toEqual(["one", "two"]);
});

test("a client that must leave time for others begins its next request later, and its pause takes no slot of theirs", async () => {
  let isBusy = true;
  const queue = createTimedQueue({
    running: { total: 1, perClient: 1, perAccount: 1 },
    waiting: { total: 10, perClient: 6 },
    maxWaitMs: 10_000,
    maxTotalMs: 10_000,
    leavesTime: () => isBusy,
  });
  const begun: string[] = [];
  const work = async (client: string, account?: string) => {
    const leave = await leaving(queue.enter(client, { account }));
    begun.push(client);
    await vi.advanceTimersByTimeAsync(20);
    leave();
  };
  await work("a", "account");
  void work("a");
  void work("b", "account");
  await work("c");
  expect(begun).toEqual(["a", "c"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(begun).toEqual(["a", "c", "a", "b"]);
  isBusy = false;
  await work("d");
  await work("d");
  expect(begun.slice(4)).toEqual(["d", "d"]);
});

test.each([
  { waiting: 0, restMs: 100 },
  { waiting: 1, restMs: 100 },
  { waiting: 2, restMs: 900 },
])(
  "an account of one place rests $restMs ms after a request of 300 ms if $waiting of its requests wait",
  async ({ waiting, restMs }) => {
    const queue = createTimedQueue({
      running: { total: 9, perClient: 9, perAccount: 1 },
      waiting: { total: 10, perClient: 6 },
      maxWaitMs: 10_000,
      maxTotalMs: 10_000,
      leavesTime: () => true,
    });
    const enter = (account: string) => leaving(queue.enter("home", { account }));
    const leave = await enter("own");
    // The rest of an account does not depend on its neighbours at the same address.
    await enter("neighbour");
    for (let at = 0; at < 3; at++) void queue.enter("home", { account: "neighbour" });
    let begun = 0;
    const begin = () => void enter("own").then(() => (begun += 1));
    for (let at = 0; at < waiting; at++) begin();
    await vi.advanceTimersByTimeAsync(300);
    leave();
    if (waiting === 0) begin();
    await vi.advanceTimersByTimeAsync(restMs - 1);
    expect(begun).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(1);
  },
);
