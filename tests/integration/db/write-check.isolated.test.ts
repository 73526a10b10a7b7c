import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { driverArguments } from "#db/driver-arguments.ts";
import { createWriteCheck, type WriteCheck } from "#db/write-check.server.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

/** Whether the database accepts writes, as /readyz asks it. */

process.env.LOG_LEVEL = "error";
const url = await newDatabase();
const owner = postgres(...driverArguments(url, { max: 1, onnotice: () => {} }));
const [{ name } = { name: "" }] = await owner<{ name: string }[]>`select current_database() as name`;

let writes: WriteCheck;
afterEach(() => writes.close());

const passes = () =>
  writes.check().then(
    () => true,
    () => false,
  );
const terminateOthers = () =>
  owner`select pg_terminate_backend(pid, 2000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

test("a read-only database fails the check, and passes once it accepts writes again", async () => {
  writes = createWriteCheck(url);
  expect(await passes()).toBe(true);
  await owner.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await terminateOthers();
  await expect.poll(passes, { interval: 20 }).toBe(false);
  expect(await passes()).toBe(false);
  await owner.unsafe("set transaction_read_only = off");
  await owner.begin("read write", (sql) =>
    sql.unsafe(`alter database ${name} reset default_transaction_read_only`),
  );
  await expect.poll(passes, { interval: 20 }).toBe(true);
});

test("a user who may not create temporary tables passes the check", async () => {
  await owner.unsafe(`revoke temporary on database ${name} from public, current_user`);
  writes = createWriteCheck(url);
  expect(await passes()).toBe(true);
});

test("checks at the same time share one answer, and a silent database fails them", async () => {
  const network = await startFaultyNetwork(url);
  writes = createWriteCheck(network.url);
  expect(await passes()).toBe(true);
  network.swallow(true);
  const checks = [writes.check(), writes.check()];
  expect(checks[0]).toBe(checks[1]);
  expect((await Promise.allSettled(checks)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  network.swallow(false);
  await expect.poll(passes, { interval: 20 }).toBe(true);
});
