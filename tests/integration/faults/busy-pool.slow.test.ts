import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { driverArguments } from "#db/driver-arguments.ts";

/** More simultaneous queries than the pool's connections, all of which are already open. */

const ask = async (number: number) => {
  const [row] = await db.execute<{ n: number }>(sql.raw(`select ${number} as n, pg_sleep(0.02)`));
  return row?.n;
};

const idOf = async (transaction: Transaction) => {
  const [row] = await transaction.execute<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  return row?.id;
};

const transact = (number: number) =>
  withTransaction(async (transaction) => {
    const id = await idOf(transaction);
    await transaction.execute(sql`select pg_sleep(0.005)`);
    expect(await idOf(transaction)).toBe(id);
    return number;
  });

test("transactions that wait behind queries begin, and each has its own connection", async () => {
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  for (let round = 0; round < 5; round++) {
    const queries = numbers.map(ask);
    await new Promise(setImmediate);
    const transactions = numbers.map(transact);
    expect(await Promise.all([...queries, ...transactions])).toEqual([...numbers, ...numbers]);
  }
});

test("a pool ended while queries wait answers them and leaves no connection behind", async () => {
  const application_name = "given up";
  const options = { max: 2, max_pipeline: 1, connection: { application_name } };
  const pool = postgres(...driverArguments(process.env.DATABASE_URL ?? "", options));
  const queries = Array.from({ length: 10 }, (_, number) =>
    pool.unsafe(`select ${number} as n, pg_sleep(0.05)`).execute(),
  );
  await queries[0];
  await pool.end({ timeout: 5 });
  const answers = await Promise.all(queries);
  expect(answers.map(([row]) => row?.n)).toEqual(queries.map((_, number) => number));
  const connections = async () => {
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_stat_activity where application_name = ${application_name}`,
    );
    return row?.n;
  };
  await expect.poll(connections).toBe(0);
});
