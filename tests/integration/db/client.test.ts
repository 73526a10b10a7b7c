import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Transaction } from "#db/client.server.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

const direct = process.env.DATABASE_URL!;
const network = await startFaultyNetwork(direct);
process.env.DATABASE_URL = network.url;
const { connectAlone, db, isDatabaseUp, withTransaction } = await import("#db/client.server.ts");
const { seeds } = await import("#db/schema/catalog.ts");
const { DatabaseUnavailable, violatedConstraint } = await import("#db/trouble.server.ts");

const isDatabaseDown = (error: unknown): boolean =>
  error instanceof Error && (error instanceof DatabaseUnavailable || isDatabaseDown(error.cause));
const seed = (name: string) => ({ name, digest: "d" });
const trouble = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it should have failed"),
    (error: unknown) => error,
  );

test("a query runs, and several run at once", async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, number) => db.execute<{ n: number }>(sql`select ${number}::int as n`)),
  );
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 30 }, (_, number) => number));
});

test("moments come back as they were written", async () => {
  const seededAt = new Date("2024-02-29T23:59:59.123Z");
  const [row] = await db
    .insert(seeds)
    .values({ ...seed("moment"), seededAt })
    .returning();
  expect(row?.seededAt).toEqual(seededAt);
});

test("a connection goes on after a large copy that was read slower than it came", async () => {
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

test("a transaction commits as a whole or not at all", async () => {
  await withTransaction(async (transaction) => {
    await transaction.insert(seeds).values(seed("kept"));
    const error = await trouble(
      transaction.transaction(async (inner) => {
        await inner.insert(seeds).values(seed("undone"));
        throw new Error("changed my mind");
      }),
    );
    expect(error).toBeInstanceOf(Error);
  });
  const error = await trouble(
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

test("a statement that takes too long is ended by the server", async () => {
  const [row] = await db.execute<{ statement_timeout: string }>(sql`show statement_timeout`);
  expect(row?.statement_timeout).toBe("7s");
});

test("connections that are reset come back by themselves", async () => {
  network.refuse(true);
  expect(isDatabaseDown(await trouble(db.execute(sql`select 1`)))).toBe(true);
  expect(await isDatabaseUp()).toBe(false);
  network.refuse(false);
  const recovered = Date.now();
  await expect.poll(isDatabaseUp, { interval: 50, timeout: 10_000 }).toBe(true);
  expect(Date.now() - recovered).toBeLessThan(10_000);
});

test("backends that are terminated fail what they ran, and nothing after it", async () => {
  const running = Promise.all([1, 2, 3].map(() => trouble(db.execute(sql`select pg_sleep(5)`))));
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
  await expect.poll(isDatabaseUp, { interval: 50, timeout: 10_000 }).toBe(true);
});

test("a transaction whose backend dies is an error, not the end of the process", async () => {
  const error = await trouble(
    withTransaction(async (transaction) => {
      const [row] = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.execute(sql`select pg_terminate_backend(${row?.pid}::int)`);
      for (;;) await transaction.execute(sql`select 1`);
    }),
  );
  expect(isDatabaseDown(error)).toBe(true);
  await expect.poll(isDatabaseUp, { interval: 50, timeout: 10_000 }).toBe(true);
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
  const error = await trouble(withTransaction((transaction) => (working = work(transaction))));
  expect(isDatabaseDown(error)).toBe(true);
  expect(isDatabaseDown(await trouble(working!))).toBe(true);
  expect(await killer`select name from seeds where name = 'too late'`).toEqual([]);
  await killer.end();
});

test("a network that swallows everything ends in an error, in transactions too, and is recovered from", async () => {
  await Promise.all([1, 2, 3].map(() => isDatabaseUp()));
  let started = () => {};
  const inside = new Promise<void>((resolve) => {
    started = resolve;
  });
  const begun = withTransaction(async (transaction) => {
    await transaction.execute(sql`select 1`);
    network.swallow(true);
    started();
    await transaction.execute(sql`select 2`);
  });
  await inside;
  const errors = await Promise.all([begun, db.execute(sql`select 3`)].map(trouble));
  for (const error of errors) expect(isDatabaseDown(error)).toBe(true);
  expect(await isDatabaseUp()).toBe(false);
  network.swallow(false);
  await expect.poll(isDatabaseUp, { interval: 100, timeout: 10_000 }).toBe(true);
});
