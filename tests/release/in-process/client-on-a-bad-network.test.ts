import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Transaction } from "#db/client.server.ts";
import {
  db,
  errorOf,
  isDatabaseDown,
  isDatabaseUp,
  network,
  seed,
  seeds,
  withTransaction,
} from "#tests/support/database/faulty-client.ts";

/** The database client on a network that loses what was sent. */

test("while the network drops all packets, queries and transactions fail; afterwards they work", async () => {
  await Promise.all([1, 2, 3].map(() => isDatabaseUp()));
  let started = () => {};
  const inside = new Promise<void>((resolve) => {
    started = resolve;
  });
  const running = withTransaction(async (transaction) => {
    await transaction.execute(sql`select 1`);
    network.swallow(true);
    started();
    await transaction.execute(sql`select 2`);
  });
  await inside;
  const errors = await Promise.all([running, db.execute(sql`select 3`)].map(errorOf));
  for (const error of errors) expect(isDatabaseDown(error)).toBe(true);
  expect(await isDatabaseUp()).toBe(false);
  network.swallow(false);
  await expect.poll(isDatabaseUp, { interval: 100 }).toBe(true);
});

test.each([
  ["without parameters", sql`select 'the last word'`],
  // The driver sends the query's text first, and its parameters after the answer.
  ["with parameters", sql`select 'the last word', ${1}::int`],
])(
  "a transaction of which the network loses every byte behind a statement %s gives its rows back",
  async (_, last) => {
    await db.insert(seeds).values(seed("held")).onConflictDoNothing();
    const write = (digest: string, afterwards = (_: Transaction): Promise<unknown> => Promise.resolve()) =>
      withTransaction(async (transaction) => {
        await transaction.update(seeds).set({ digest }).where(eq(seeds.name, "held"));
        await afterwards(transaction);
      });
    void network.swallowAfter("the last word");
    const lost = write("lost", (transaction) => transaction.execute(last));
    expect(isDatabaseDown(await errorOf(lost))).toBe(true);
    network.swallow(false);
    const isWritten = () =>
      write("written").then(
        () => true,
        () => false,
      );
    await expect.poll(isWritten).toBe(true);
    const [row] = await db.select({ digest: seeds.digest }).from(seeds).where(eq(seeds.name, "held"));
    expect(row?.digest).toBe("written");
  },
);

test("a transaction whose rollback gets no answer fails", async () => {
  void network.swallowAfter("rollback");
  const failing = withTransaction(async (transaction) => {
    await transaction.execute(sql`select 1`);
    throw new Error("changed my mind");
  });
  expect(isDatabaseDown(await errorOf(failing))).toBe(true);
  network.swallow(false);
  await expect.poll(isDatabaseUp, { interval: 100 }).toBe(true);
});
