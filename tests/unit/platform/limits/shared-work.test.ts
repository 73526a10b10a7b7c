import { expect, test, vi } from "vitest";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";

/** Work that ends when the test calls `finish`. */
function slowWork() {
  const started: { signal: AbortSignal; finish(result: string): void }[] = [];
  const start = (signal: AbortSignal) => new Promise<string>((finish) => started.push({ signal, finish }));
  return { started, start };
}

test("callers with the same key share one work, and the work goes on while one of them waits", async () => {
  const share = createSharedWork<string>();
  const { started, start } = slowWork();
  const leaving = new AbortController();
  const first = share("a", leaving.signal, start);
  const second = share("a", new AbortController().signal, start);
  const other = share("b", undefined, start);
  leaving.abort();
  await expect(first).rejects.toThrow();
  expect(started.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  for (const { finish } of started) finish("done");
  expect(await Promise.all([second, other])).toEqual(["done", "done"]);
});

test("when all callers have left, the work is aborted, and the next caller starts another", async () => {
  const share = createSharedWork<string>();
  const { started, start } = slowWork();
  const leaving = [new AbortController(), new AbortController()];
  const gone = leaving.map(({ signal }) => share("a", signal, start));
  for (const one of leaving) one.abort();
  await Promise.allSettled(gone);
  expect(started[0]?.signal.aborted).toBe(true);
  const next = share("a", new AbortController().signal, start);
  started[0]?.finish("late");
  started[1]?.finish("new");
  expect(await next).toBe("new");
});

test("a work that all callers have left can be aborted later, unless another caller has joined it", async () => {
  const stops: (() => void)[] = [];
  const share = createSharedWork<string>(undefined, undefined, (stop) => void stops.push(stop));
  const { started, start } = slowWork();
  const leave = async () => {
    const leaving = new AbortController();
    const left = share("a", leaving.signal, start);
    leaving.abort();
    await expect(left).rejects.toThrow();
  };
  await leave();
  const joined = share("a", new AbortController().signal, start);
  stops[0]?.();
  expect([started.length, started[0]?.signal.aborted]).toEqual([1, false]);
  started[0]?.finish("done");
  expect(await joined).toBe("done");
  await leave();
  await leave();
  expect([started.length, stops[1] === stops[2]]).toEqual([2, true]);
  stops[1]?.();
  expect(started[1]?.signal.aborted).toBe(true);
});

test("a caller that never leaves keeps the work alive, and ended work is not shared", async () => {
  const share = createSharedWork<string>();
  const { started, start } = slowWork();
  const leaving = new AbortController();
  const staying = share("a", undefined, start);
  const first = share("a", leaving.signal, start);
  leaving.abort();
  await expect(first).rejects.toThrow();
  expect(started[0]?.signal.aborted).toBe(false);
  started[0]?.finish("done");
  expect(await staying).toBe("done");
  void share("a", undefined, start);
  expect(started.length).toBe(2);
});

test("a refusal that concerns only the first caller makes each of the others start the work again", async () => {
  const share = createSharedWork<string>((result) => result.startsWith("too many requests of"));
  const { started, start } = slowWork();
  const [first, second, third] = [1, 2, 3].map(() => share("a", undefined, start));
  started[0]?.finish("too many requests of the first one");
  expect(await first).toBe("too many requests of the first one");
  await vi.waitUntil(() => started.length === 2, { timeout: 60_000 });
  started[1]?.finish("done");
  expect(await Promise.all([second, third])).toEqual(["done", "done"]);
});

test("an error that concerns only the first caller makes one of the others start the work again", async () => {
  const share = createSharedWork<string>(
    () => false,
    (error) => error instanceof RangeError,
  );
  const errors = [new RangeError("the queue of the first one is full"), new Error("the file is damaged")];
  let started = 0;
  const start = async () => {
    throw errors[started++];
  };
  const ended = await Promise.allSettled([1, 2, 3].map(() => share("a", undefined, start)));
  expect(ended.map((one) => one.status === "rejected" && one.reason)).toEqual([
    errors[0],
    errors[1],
    errors[1],
  ]);
});
