import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";

const server = inject("databaseServer");
const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
const url = databaseUrl(server, name);
process.env.DATABASE_URL = url;
const admin = postgres(...inject("administration"));
await admin.unsafe(`create database ${name}`);
const { CannotStart } = await import("#app/platform/process/cannot-start.server.ts");
const { driverArguments } = await import("#db/driver-arguments.ts");
const { migrate, migrations, pendingAfter } = await import("#db/migrate.ts");
const sql = postgres(...driverArguments(url, { max: 1, onnotice: () => {} }));

afterAll(async () => {
  await sql.end();
  await dropDatabase(admin, name);
  await admin.end();
});

test("four migrations of an empty database at once all finish, and each step runs once", async () => {
  const ran = await Promise.all([migrate(), migrate(), migrate(), migrate()]);
  expect(ran.flat()).toEqual(migrations.map((one) => one.name));
  const rows = await sql`select name from schema_migrations order by name`;
  expect(rows.map((row) => row.name)).toEqual(migrations.map((one) => one.name));
  expect(await migrate()).toEqual([]);
});

test("an existing database sorts its titles as the language does after the migration", async () => {
  const step = migrations.find(({ text }) => text.includes("und-x-icu"))!;
  await sql`delete from schema_migrations where name = ${step.name}`;
  await sql.unsafe(`alter table users drop column sessions_ended_at;
    alter table titles alter column title_key type text collate "C";
    insert into titles (mal_id, title, title_key) values (1, 'Chou Kuse', 'cho kuse'), (2, 'Chobits', 'chobits'),
      (3, 'élan', 'elan'), (4, repeat('Long ', 2000), 'long')`);
  expect(await migrate()).toEqual([step.name]);
  const rows = await sql`select left(title, 9) as title from titles order by title_key`;
  expect(rows.map(({ title }) => title)).toEqual(["Chobits", "Chou Kuse", "élan", "Long Long"]);
});

test("on a database with data, beforeChange gets the pending steps, and its error stops the migration", async () => {
  const last = migrations.at(-1)!;
  await sql`delete from schema_migrations where name = ${last.name}`;
  const announced: string[] = [];
  const stopped = migrate({
    beforeChange: async (pending) => {
      announced.push(...pending);
      throw new Error("no room for a backup");
    },
  });
  await expect(stopped).rejects.toThrow("no room for a backup");
  expect(announced).toEqual([last.name]);
  const digests = await sql`select digest from schema_migrations`;
  await sql`insert into schema_migrations (name, digest) values (${last.name}, ${String(digests[0]?.digest)})`;
});

test("a database newer than the code, or made by another version, gets a CannotStart error that says so", () => {
  const newer = () => pendingAfter([{ name: "9999_from_the_future", digest: "" }]);
  expect(newer).toThrow(CannotStart);
  expect(newer).toThrow(/newer than this version .*9999_from_the_future/);
  const other = () => pendingAfter([{ name: migrations[0]!.name, digest: "0" }]);
  expect(other).toThrow(/Another version of migration/);
});
