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
const { fillTitleKeys } = await import("#app/domain/catalog/catalog.server.ts");
const { closeDatabase } = await import("#db/client.server.ts");
const { driverArguments } = await import("#db/driver-arguments.ts");
const { createTables, migrate, migrations, pendingAfter } = await import("#db/migrate.ts");
const sql = postgres(...driverArguments(url, { max: 1, onnotice: () => {} }));

afterAll(async () => {
  await sql.end();
  await closeDatabase();
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

test("a database of the version before gets new sort keys, in any number of processes, and depends on no ICU version", async () => {
  const step = migrations.find(({ name }) => name.endsWith("sort_keys"))!;
  await sql`delete from schema_migrations where name = ${step.name}`;
  await sql.unsafe(`alter table titles alter column title_key type text collate "und-x-icu";
    insert into titles (mal_id, title, title_key) select id, title, left(title, 200) from (values (1, 'Chou Kuse'),
      (2, 'Chobits'), (3, 'élan'), (4, repeat('Long ', 2000)), (5, '.hack//Sign'), (6, '"Oshi no Ko"'), (7, '◯')) t (id, title);
    insert into titles (mal_id, title, title_key) select n, 'Z' || n, 'Z' || n from generate_series(10, 4500) n`);
  expect(await migrate()).toEqual([step.name]);
  await Promise.all([fillTitleKeys(), fillTitleKeys()]);
  const rows = await sql`select left(title, 9) as title from titles where mal_id < 10 order by title_key`;
  expect(rows.map(({ title }) => title)).toEqual([
    ..."◯|Chobits|Chou Kuse|élan|.hack//Si|Long Long".split("|"),
    '"Oshi no ',
  ]);
  expect(await sql`select title from titles where title_key = ''`).toEqual([]);
  const [{ version } = {}] = await sql`select version from catalog_state`;
  await fillTitleKeys();
  expect(await sql`select version from catalog_state`).toEqual([{ version }]);
});

test("an entry of the version before has the episodes ticked up to its progress, and those watched before it was added", async () => {
  const step = migrations.findIndex(({ name }) => name.endsWith("entry_states"));
  const before = `${name}_before`;
  await admin.unsafe(`create database ${before}`);
  const old = postgres(...driverArguments(databaseUrl(server, before), { max: 1, onnotice: () => {} }));
  await old.begin((transaction) =>
    createTables(
      transaction,
      migrations.slice(0, step).map(({ name }) => name),
    ),
  );
  await old.unsafe(`
    insert into users (id, email, username, name) values (gen_random_uuid(), 'a@example.org', 'early', 'early');
    insert into titles (mal_id, title, title_key) select id, id, id::text from generate_series(1, 4) id;
    insert into watch_list (user_id, mal_id, type, progress, added_at)
      select id, mal_id, 'Watching', progress, '2024-06-01' from users, (values (1, 0), (2, 5), (3, 2), (4, 0)) t (mal_id, progress);
    insert into watch_history (user_id, mal_id, episode, watched_at)
      select id, mal_id, episode, watched::timestamptz from users, (values
        (2, 7, '2024-01-01'), (3, 9, '2024-07-01'), (4, 1, '2024-01-01')) t (mal_id, episode, watched)`);
  await old.begin((transaction) => transaction.unsafe(migrations[step]!.text));
  expect(await old`select mal_id, progress, ticks::text, state from watch_list order by mal_id`).toEqual([
    { mal_id: 1, progress: 0, ticks: "{}", state: null },
    { mal_id: 2, progress: 7, ticks: "{[1,6),[7,8)}", state: null },
    // The member lowered the progress after watching, which stays.
    { mal_id: 3, progress: 2, ticks: "{[1,3)}", state: null },
    { mal_id: 4, progress: 1, ticks: "{[1,2)}", state: null },
  ]);
  await old.end();
  await dropDatabase(admin, before);
});

test("no column and no index uses a collation that changes with the version of ICU", async () => {
  const used = await sql`
    select c.relname, a.attname, l.collname from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_collation l on l.oid = a.attcollation
     where n.nspname = current_schema() and l.collprovider = 'i'`;
  expect(used).toEqual([]);
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
