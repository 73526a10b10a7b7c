import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { databaseUrl } from "#tests/support/database/database-url.ts";
import { dropDatabase } from "#tests/support/database/drop-database.ts";

const server = inject("databaseServer");
const name = `engawa_test_${randomUUID().replaceAll("-", "")}`;
const url = databaseUrl(server, name);
process.env.DATABASE_URL = url;
const admin = postgres(...inject("administration"));
await admin.unsafe(`create database ${name}`);
const { log } = await import("#app/platform/log.server.ts");
const { CannotStart } = await import("#app/platform/process/cannot-start.server.ts");
const { editTitle } = await import("#app/domain/catalog-editing/catalog-editing.server.ts");
const { fillTitleKeys } = await import("#app/domain/catalog-import/catalog-import.server.ts");
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

/** A database of the version before this migration, which `migrateOld` runs. */
async function databaseBefore(migration: string) {
  const step = migrations.findIndex((one) => one.name.endsWith(migration));
  const before = `${name}_before`;
  await admin.unsafe(`create database ${before}`);
  const old = postgres(...driverArguments(databaseUrl(server, before), { max: 1, onnotice: () => {} }));
  onTestFinished(async () => {
    await old.end();
    await dropDatabase(admin, before);
  });
  const earlier = migrations.slice(0, step).map((one) => one.name);
  await old.begin((transaction) => createTables(transaction, earlier));
  return { old, migrateOld: () => old.begin((transaction) => transaction.unsafe(migrations[step]!.text)) };
}

test("four migrations of an empty database at once all finish, and each step runs once", async () => {
  const ran = await Promise.all([migrate(), migrate(), migrate(), migrate()]);
  expect(ran.flat()).toEqual(migrations.map((one) => one.name));
  const rows = await sql`select name from schema_migrations order by name`;
  expect(rows.map((row) => row.name)).toEqual(migrations.map((one) => one.name));
  expect(await migrate()).toEqual([]);
});

test("the earlier version's database gets new sort keys, with any number of processes and any ICU version", async () => {
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

test("the earlier version's entry gets ticks up to its progress, plus episodes watched before it was added", async () => {
  const { old, migrateOld } = await databaseBefore("entry_states");
  await old.unsafe(`
    insert into users (id, email, username, name) values (gen_random_uuid(), 'a@example.org', 'early', 'early');
    insert into titles (mal_id, title, title_key) select id, id, id::text from generate_series(1, 4) id;
    insert into watch_list (user_id, mal_id, type, progress, added_at)
      select id, mal_id, 'Watching', progress, '2024-06-01' from users, (values (1, 0), (2, 5), (3, 2), (4, 0)) t (mal_id, progress);
    insert into watch_history (user_id, mal_id, episode, watched_at)
      select id, mal_id, episode, watched::timestamptz from users, (values
        (2, 7, '2024-01-01'), (3, 9, '2024-07-01'), (4, 1, '2024-01-01')) t (mal_id, episode, watched)`);
  await migrateOld();
  expect(await old`select mal_id, progress, ticks::text, state from watch_list order by mal_id`).toEqual([
    { mal_id: 1, progress: 0, ticks: "{}", state: null },
    { mal_id: 2, progress: 7, ticks: "{[1,6),[7,8)}", state: null },
    // The member had lowered the progress after watching, and the lower value stays.
    { mal_id: 3, progress: 2, ticks: "{[1,3)}", state: null },
    { mal_id: 4, progress: 1, ticks: "{[1,2)}", state: null },
  ]);
});

test("the earlier version's title can be edited and unlocked after the upgrade, with its episodes and relations", async () => {
  const step = migrations.find(({ name }) => name.endsWith("title_edits"))!;
  await sql`delete from schema_migrations where name = ${step.name}`;
  await sql.unsafe(`drop table title_pictures, title_edits, relation_records, episode_records;
    insert into titles (mal_id, title, title_key, synopsis) values (90001, 'Porch', 'porch', 'Before');
    insert into episodes (mal_id, number, title) values (90001, 1, 'Dawn');
    insert into title_relations (mal_id, related_id, relation) values (90001, 7, 'sequel')`);
  expect(await migrate()).toEqual([step.name]);
  const known = () => sql`
    select synopsis, e.title, relation from titles t left join title_relations r using (mal_id)
      join episodes e using (mal_id) where mal_id = 90001`;
  const before = [{ synopsis: "Before", title: "Dawn", relation: "sequel" }];
  expect(await known()).toEqual(before);
  const [{ id: operatorId } = {}] = await sql`
    insert into users (email, username, name) values ('op@example.org', 'operator', 'Olga') returning id`;
  const operator = { kind: "operator", ip: null, operatorId: String(operatorId) } as const;
  const words = [
    { field: "synopsis", word: { synopsis: "After" } },
    { field: "episode 1 title", word: { title: "Dusk" } },
    { field: "relation 7 sequel", word: { isPresent: false } },
  ] as const;
  expect(await editTitle(90001, words, operator)).toMatchObject({ ok: true });
  expect(await known()).toEqual([{ synopsis: "After", title: "Dusk", relation: null }]);
  const unlocked = words.map(({ field }) => ({ field, word: null }));
  expect(await editTitle(90001, unlocked, operator)).toMatchObject({ ok: true });
  expect(await known()).toEqual(before);
});

test("an existing database gets name keys in ASCII, with three characters for each other letter", async () => {
  const step = migrations.find(({ name }) => name.endsWith("index_keys"))!;
  const keys = [
    ["naruto", "naruto"],
    ["первыи отряд", "AU7ATXAU8ATUAUJAU0 AU6AUAAU8AUNATW"],
    ["◇◆", "HGNHGM"],
    ["なると 疾風伝", "JKAJL7JK8 X9AE5KPML"],
    ["𠮷野家 2", "ZG7CSUS46 2"],
  ];
  await sql`insert into titles (mal_id, title, title_key) values (9001, 'Naruto', 'naruto')`;
  for (const [key = ""] of keys)
    await sql`insert into title_aliases (mal_id, key, joined, kind, alias)
      values (9001, ${key}, ${key.replaceAll(" ", "")}, 'synonym', ${key})`;
  await sql`drop index titles_known`;
  await sql.begin((transaction) => transaction.unsafe(step.text));
  const after =
    await sql`select alias, key, joined from title_aliases where mal_id = 9001 order by alias collate "C"`;
  expect(after.map(({ alias, key, joined }) => [alias, key, joined])).toEqual(
    keys.map(([alias, key = ""]) => [alias, key, key.replaceAll(" ", "")]),
  );
  await sql`delete from titles where mal_id = 9001`;
});

test("no column and no index uses a collation that changes with the ICU version", async () => {
  const used = await sql`
    select c.relname, a.attname, l.collname from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_collation l on l.oid = a.attcollation
     where n.nspname = current_schema() and l.collprovider = 'i'`;
  expect(used).toEqual([]);
});

/** Makes the step that adds `setup_step` to the table `site_settings` pending again. */
async function takeBackSetupStep() {
  const step = migrations.find(({ name }) => name.endsWith("setup_step"))!;
  await sql`delete from schema_migrations where name = ${step.name}`;
  await sql`alter table site_settings drop column setup_step`;
  return step.name;
}

test("a migration waits for a backup with one line in the log, and the tables can be read meanwhile", async () => {
  const step = await takeBackSetupStep();
  const backup = postgres(...driverArguments(url, { max: 1 }));
  await backup`begin isolation level repeatable read read only`;
  await backup`select from site_settings`;
  const warn = vi.spyOn(log, "warn");
  const migrating = migrate();
  for (let tries = 0; tries < 2; tries += 1) {
    await until(async () => {
      const waiting = await sql`
        select from pg_locks where relation = 'site_settings'::regclass and mode = 'AccessExclusiveLock' and not granted`;
      return waiting.length > 0;
    });
    // This query waits behind the migration until the migration gives way.
    await sql`select from site_settings`;
  }
  await backup`commit`;
  expect(await migrating).toEqual([step]);
  expect(warn.mock.calls).toEqual([
    ["a migration waits until no other program, such as a backup, uses its tables", { migration: step }],
  ]);
  await backup.end();
});

test("a migration that PostgreSQL ends because of a deadlock is repeated", async () => {
  const step = await takeBackSetupStep();
  // Unlike rows, the numbers of a sequence are not undone with their transaction.
  await sql.unsafe(`create sequence tries;
    create function end_first_try() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'deadlock' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$;
    create trigger deadlock before insert on schema_migrations for each row execute function end_first_try()`);
  expect(await migrate()).toEqual([step]);
  expect(await sql`select last_value::int as tries from tries`).toEqual([{ tries: 2 }]);
  await sql.unsafe("drop function end_first_try cascade; drop sequence tries");
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

test("a MEDIA_DIR source of the earlier version gets a film, and two sources of one file share it", async () => {
  const { old, migrateOld } = await databaseBefore("films");
  await old.unsafe(`
    insert into titles (mal_id, title, title_key) values (1, 'a', 'a'), (2, 'b', 'b');
    insert into episodes (mal_id, number) values (1, 1), (2, 1);
    insert into episode_sources (mal_id, episode, url, type) values
      (1, 1, 'media:Show/01.mkv', 'file'), (2, 1, 'MEDIA://Show/01.mkv', 'file'), (1, 1, 'https://example.org/a.mp4', 'mp4')`);
  await migrateOld();
  const rows =
    await old`select url, path from episode_sources left join films on films.id = film_id order by url`;
  expect(rows.map(({ url, path }) => [url.slice(0, 5).toLowerCase(), path]).sort()).toEqual([
    ["https", null],
    ["media", "Show/01.mkv"],
    ["media", "Show/01.mkv"],
  ]);
  expect(await old`select path, size from films`).toEqual([{ path: "Show/01.mkv", size: null }]);
});
