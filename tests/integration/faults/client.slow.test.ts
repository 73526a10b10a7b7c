import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Transaction } from "#db/client.server.ts";
import {
  connectAlone,
  db,
  direct,
  errorOf,
  isDatabaseDown,
  isDatabaseUp,
  network,
  seed,
  seeds,
  violatedConstraint,
  withTransaction,
} from "#tests/support/database/faulty-client.ts";

/** The database client. tests/release has networks that lose what was sent. */

test("30 queries at once get their own answers", async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, number) => db.execute<{ n: number }>(sql`select ${number}::int as n`)),
  );
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 30 }, (_, number) => number));
});

test("a time is read back exactly as written", async () => {
  const seededAt = new Date("2024-02-29T23:59:59.123Z");
  const [row] = await db
    .insert(seeds)
    .values({ ...seed("moment"), seededAt })
    .returning();
  expect(row?.seededAt).toEqual(seededAt);
});

test("after a large copy that is read slowly, the connection answers the next query", async () => {
  const connection = await connectAlone("copy", direct);
  const copy = "copy (select number, repeat('x', 200) from generate_series(1, 20000) number) to stdout";
  let bytes = 0;
  for await (const chunk of await connection.unsafe(copy).readable()) {
    await new Promise(setImmediate);
    bytes += (chunk as Buffer).length;
  }
  expect(bytes).toBeGreaterThan(4_000_000);
  const after = await connection.unsafe("select 1 as one");
  expect(after[0]).toEqual({ one: 1 });
  await connection.end();
});

test("an error undoes the whole transaction, and an error in a nested one only the nested one", async () => {
  await withTransaction(async (transaction) => {
    await transaction.insert(seeds).values(seed("kept"));
    const error = await errorOf(
      transaction.transaction(async (inner) => {
        await inner.insert(seeds).values(seed("undone"));
        throw new Error("changed my mind");
      }),
    );
    expect(error).toBeInstanceOf(Error);
  });
  const error = await errorOf(
    withTransaction(async (transaction) => {
      await transaction.insert(seeds).values(seed("lost"));
      await transaction.insert(seeds).values(seed("kept"));
    }),
  );
  expect(violatedConstraint(error)).toBe("seeds_pkey");
  expect(isDatabaseDown(error)).toBe(false);
  const rows = await db.select({ name: seeds.name }).from(seeds);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["kept"]));
  expect(rows.map(({ name }) => name)).not.toContain("undone");
  expect(rows.map(({ name }) => name)).not.toContain("lost");
});

test("the server ends a statement after 7 seconds", async () => {
  const [row] = await db.execute<{ statement_timeout: string }>(sql`show statement_timeout`);
  expect(row?.statement_timeout).toBe("7s");
});

test("while connections are refused, queries fail; afterwards they work", async () => {
  network.refuse(true);
  expect(isDatabaseDown(await errorOf(db.execute(sql`select 1`)))).toBe(true);
  expect(await isDatabaseUp()).toBe(false);
  network.refuse(false);
  await expect.poll(isDatabaseUp, { interval: 50 }).toBe(true);
});

test("queries on terminated backends fail, and later queries work", async () => {
  const running = Promise.all([1, 2, 3].map(() => errorOf(db.execute(sql`select pg_sleep(5)`))));
  await expect
    .poll(async () => {
      const [row] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(5)%' and pid <> pg_backend_pid()`,
      );
      return row?.n;
    })
    .toBe(3);
  await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  for (const error of await running) expect(isDatabaseDown(error)).toBe(true);
  await expect.poll(isDatabaseUp, { interval: 50 }).toBe(true);
});

test("a transaction whose backend is terminated fails, and the process keeps running", async () => {
  const error = await errorOf(
    withTransaction(async (transaction) => {
      const [row] = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.execute(sql`select pg_terminate_backend(${row?.pid}::int)`);
      for (;;) await transaction.execute(sql`select 1`);
    }),
  );
  expect(isDatabaseDown(error)).toBe(true);
  await expect.poll(isDatabaseUp, { interval: 50 }).toBe(true);
});

test("a transaction whose connection closed commits nothing, although the pool has connected again", async () => {
  const killer = await connectAlone("killer", direct);
  const work = async (transaction: Transaction) => {
    const [row] = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await killer`select pg_terminate_backend(${row?.pid ?? 0}, 5000)`;
    await expect.poll(isDatabaseUp).toBe(true);
    // More queries than the pool has connections, so that every connection is open again.
    await Promise.all(Array.from({ length: 30 }, () => db.execute(sql`select pg_sleep(0.05)`)));
    await transaction.insert(seeds).values(seed("too late"));
  };
  let working: Promise<void> | undefined;
  const error = await errorOf(withTransaction((transaction) => (working = work(transaction))));
  expect(isDatabaseDown(error)).toBe(true);
  expect(isDatabaseDown(await errorOf(working!))).toBe(true);
  expect(await killer`select name from seeds where name = 'too late'`).toEqual([]);
  await killer.end();
});

test("a transaction may be idle for as long as it requests", async () => {
  const idleTime = sql`select current_setting('idle_in_transaction_session_timeout') as ms`;
  const ofTransaction = async (options?: { maxIdleMs: number }) => {
    const [row] = await withTransaction(
      (transaction) => transaction.execute<{ ms: string }>(idleTime),
      options,
    );
    return row?.ms;
  };
  expect(await ofTransaction()).toBe("5s");
  expect(await ofTransaction({ maxIdleMs: 60_000 })).toBe("1min");
  const [outside] = await db.execute<{ ms: string }>(idleTime);
  expect(outside?.ms).toBe("0");
});
