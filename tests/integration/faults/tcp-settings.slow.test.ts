import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { freePort } from "#tests/support/servers/free-port.ts";

/** The TCP settings read as zero on a Unix socket, which other tests use. */
const port = await freePort();
process.env.DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/postgres`;
const { startPostgres } = await import("#tests/support/database/postgres.ts");
await startPostgres(port);
const { closeDatabase, connectAlone, connectToHold, db } = await import("#db/client.server.ts");

const query =
  "select name, setting from pg_settings where name like 'tcp_keepalives_%' or name = 'tcp_user_timeout'";
type Row = { name: string; setting: string };
const settingsOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));

const short = {
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "10000",
};

test("PostgreSQL soon closes connections of requests and of locks whose other end does not answer", async () => {
  expect(settingsOf(await db.execute<Row>(sql.raw(query)))).toEqual(short);
  const holding = await connectToHold("test");
  expect(settingsOf(await holding.unsafe<Row[]>(query))).toEqual(short);
  await holding.end();
  await closeDatabase();
});

test("connections of backups and migrations last as long as TCP does", async () => {
  const alone = await connectAlone("test");
  expect(settingsOf(await alone.unsafe<Row[]>(query))).toMatchObject({ tcp_user_timeout: "0" });
  expect(alone.options.max_lifetime).toBeNull();
  await alone.end();
});
