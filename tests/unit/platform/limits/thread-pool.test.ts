import { afterEach, expect, test, vi } from "vitest";
import { isTooLargeForThread, PoolOverloaded, ThreadPool } from "#app/platform/limits/thread-pool.server.ts";

const turn = { client: "192.0.2.1" };

type Job = number | "thread" | "die" | "throw" | "fill" | "spin" | { gate: SharedArrayBuffer };
const file = new URL("../../../fixtures/pool-worker.js", import.meta.url);

let pool: ThreadPool<Job, number | string>;
const open = (gate: SharedArrayBuffer) => {
  const flag = new Int32Array(gate);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
};
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await pool.close();
});

test("every job gets its own answer", async () => {
  pool = new ThreadPool({ file, threads: 2, queueLimit: 100 });
  const jobs = Array.from({ length: 50 }, (_, index) => index);
  expect(await Promise.all(jobs.map((job) => pool.run(job, turn)))).toEqual(jobs.map((job) => job * job));
});

test("a job for a full queue is refused, and later jobs run", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2 });
  const gate = new SharedArrayBuffer(4);
  const held = pool.run({ gate }, turn);
  const waiting = [pool.run(2, turn), pool.run(3, turn)];
  await expect(pool.run(4, turn)).rejects.toBeInstanceOf(PoolOverloaded);
  expect(isTooLargeForThread(new PoolOverloaded())).toBe(false);
  open(gate);
  expect(await held).toBe("held");
  expect(await Promise.all(waiting)).toEqual([4, 9]);
  expect(await pool.run(4, turn)).toBe(16);
});

test("a thread that ends is replaced, and only its own job fails", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 10 });
  const [dead, thrown, alive] = await Promise.allSettled([
    pool.run("die", turn),
    pool.run("throw", turn),
    pool.run(5, turn),
  ]);
  expect(dead).toMatchObject({ status: "rejected" });
  expect(thrown).toMatchObject({ status: "rejected", reason: { message: "asked to throw" } });
  expect(alive).toEqual({ status: "fulfilled", value: 25 });
});

test("a job whose thread ends says how long it ran, without the time that it waited", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
  pool = new ThreadPool({ file, threads: 1, queueLimit: 10 });
  const ended = Promise.allSettled([pool.run("die", turn), pool.run("throw", turn)]);
  clock.mockReturnValue(4000);
  expect(await ended).toMatchObject([{ reason: { ranMs: 3000 } }, { reason: { ranMs: 0 } }]);
});

test("a job over its heap limit fails, and the process continues", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2, heapMebibytes: 16, maxIdleMs: 1000 });
  expect(await pool.run("fill", turn).catch(isTooLargeForThread)).toBe(true);
  expect(await pool.run(3, turn)).toBe(9);
  expect(await pool.run(4, turn)).toBe(16);
});

test("a job over its time limit fails, and the next one gets a new thread", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2, maxJobMs: 300 });
  expect(await pool.run(2, turn)).toBe(4);
  vi.advanceTimersByTime(301);
  expect(await pool.run(3, turn)).toBe(9);
  const hung = expect(pool.run("spin", turn).catch(isTooLargeForThread)).resolves.toBe(true);
  const waiting = pool.run(4, turn);
  vi.advanceTimersByTime(301);
  await hung;
  expect(await waiting).toBe(16);
});

test("a thread is kept for the next job, and ends when it has been idle for its time limit", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2, maxIdleMs: 300 });
  const first = await pool.run("thread", turn);
  vi.advanceTimersByTime(200);
  expect(await pool.run("thread", turn)).toBe(first);
  // The time counts from the last job.
  vi.advanceTimersByTime(200);
  expect(await pool.run("thread", turn)).toBe(first);
  vi.advanceTimersByTime(301);
  expect(await pool.run("thread", turn)).not.toBe(first);
});

/** Fills the only thread and the queue, and returns the names of the jobs in the order of completion. */
async function orderOf(add: (run: (name: string, client: string) => void) => void) {
  const gate = new SharedArrayBuffer(4);
  const held = pool.run({ gate }, turn);
  const order: string[] = [];
  const ended: Promise<unknown>[] = [held];
  add((name, client) => {
    ended.push(pool.run(1, { client }).then(() => order.push(name)));
  });
  open(gate);
  await Promise.all(ended);
  return order;
}

test("clients take turns, and a later client does not wait for all jobs of an earlier one", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 100 });
  const order = await orderOf((run) => {
    for (const name of ["a1", "a2", "a3", "a4"]) run(name, "a");
    run("b1", "b");
  });
  expect(order).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});

test("a job that would wait too long is refused at once, while another client's job is not", async () => {
  pool = new ThreadPool({
    file,
    threads: 1,
    queueLimit: 100,
    // No job of a slow machine waits that long.
    maxWaitMs: 500_000,
    expectedJobMs: 100_000,
  });
  const gate = new SharedArrayBuffer(4);
  const held = [pool.run({ gate }, { client: "a" })];
  for (let job = 0; job < 5; job++) held.push(pool.run(1, { client: "a" }));
  await expect(pool.run(1, { client: "a" })).rejects.toBeInstanceOf(PoolOverloaded);
  held.push(pool.run(1, { client: "b" }));
  open(gate);
  await Promise.all(held);
});

test("a job that is overtaken is refused when it has waited too long", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 100, maxWaitMs: 50 });
  const gate = new SharedArrayBuffer(4);
  const held = pool.run({ gate }, turn);
  await expect(pool.run(1, turn)).rejects.toBeInstanceOf(PoolOverloaded);
  open(gate);
  expect(await held).toBe("held");
});

test("a client over its share is refused, and a job whose client left is dropped", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 100, clientLimit: 2 });
  const gate = new SharedArrayBuffer(4);
  const held = pool.run({ gate }, turn);
  const leaving = new AbortController();
  const dropped = pool.run(2, { client: "a", signal: leaving.signal });
  const kept = pool.run(3, { client: "a" });
  await expect(pool.run(9, { client: "a" })).rejects.toBeInstanceOf(PoolOverloaded);
  leaving.abort();
  await expect(dropped).rejects.toMatchObject({ name: "AbortError" });
  const next = pool.run(4, { client: "a" });
  open(gate);
  expect(await Promise.all([held, kept, next])).toEqual(["held", 9, 16]);
});
