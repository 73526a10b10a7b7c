import { afterEach, expect, it } from "vitest";
import { PoolOverloaded, ThreadPool } from "#app/platform/limits/thread-pool.server.ts";

type Job = number | "die" | "throw" | "fill" | { gate: SharedArrayBuffer };
const file = new URL("../../../fixtures/pool-worker.js", import.meta.url);

let pool: ThreadPool<Job, number | string>;
const open = (gate: SharedArrayBuffer) => {
  const flag = new Int32Array(gate);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
};
afterEach(() => pool.close());

it("every job gets its own answer", async () => {
  pool = new ThreadPool({ file, threads: 2, queueLimit: 100 });
  const jobs = Array.from({ length: 50 }, (_, index) => index);
  expect(await Promise.all(jobs.map((job) => pool.run(job)))).toEqual(jobs.map((job) => job * job));
});

it("a job for a full queue is refused, and later jobs run", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2 });
  const gate = new SharedArrayBuffer(4);
  const held = pool.run({ gate });
  const waiting = [pool.run(2), pool.run(3)];
  await expect(pool.run(4)).rejects.toBeInstanceOf(PoolOverloaded);
  open(gate);
  expect(await held).toBe("held");
  expect(await Promise.all(waiting)).toEqual([4, 9]);
  expect(await pool.run(4)).toBe(16);
});

it("a thread that ends is replaced, and only its own job fails", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 10 });
  const [dead, thrown, alive] = await Promise.allSettled([pool.run("die"), pool.run("throw"), pool.run(5)]);
  expect(dead).toMatchObject({ status: "rejected" });
  expect(thrown).toMatchObject({ status: "rejected", reason: { message: "asked to throw" } });
  expect(alive).toEqual({ status: "fulfilled", value: 25 });
});

it("a job over its heap limit fails, and the process continues", async () => {
  pool = new ThreadPool({ file, threads: 1, queueLimit: 2, heapMebibytes: 16, endsWhenIdle: true });
  await expect(pool.run("fill")).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
  expect(await pool.run(3)).toBe(9);
  expect(await pool.run(4)).toBe(16);
});
