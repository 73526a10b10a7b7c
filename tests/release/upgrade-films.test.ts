import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTables, migrations } from "#db/migrate.ts";
import { openDatabase } from "#tests/support/database/first-schema.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Starts the current code on a database from before scans existed. Registered films keep their ids and sources. */

const before = migrations.map(({ name }) => name).filter((name) => name < "0030");

test("films registered before scans existed keep their ids and sources, and the first scan adds new films", async () => {
  const media = temporaryFolder("films-before");
  const put = (path: string, at: number) => {
    mkdirSync(join(media, path, ".."), { recursive: true });
    writeFileSync(join(media, path), `the film ${path} ${"x".repeat(at)}`);
    utimesSync(join(media, path), 1_600_000_000, 1_600_000_000 + at);
    return { size: Buffer.byteLength(`the film ${path}`) + 1 + at, modifiedMs: (1_600_000_000 + at) * 1000 };
  };
  const url = await newDatabase({ isEmpty: true });
  const sql = openDatabase(url);
  atEnd(() => sql.end());
  await sql.begin((transaction) => createTables(transaction, before));
  await sql`insert into titles (mal_id, title, title_key, type, episodes) values (1, 'Cowboy Bebop', 'cowboy bebop', 'TV', 26)`;
  const known = {
    "Cowboy Bebop/01.avi": put("Cowboy Bebop/01.avi", 1),
    "Strange/x.avi": put("Strange/x.avi", 2),
  };
  for (const [index, [path, { size, modifiedMs }]] of Object.entries(known).entries()) {
    const episode = index + 1;
    await sql`insert into episodes (mal_id, number) values (1, ${episode})`;
    await sql`with film as (
        insert into films (path, size, modified_ms) values (${path}, ${size}, ${modifiedMs}) returning id)
      insert into episode_sources (mal_id, episode, url, type, film_id) select 1, ${episode}, ${`media:${path}`}, 'file', id from film`;
  }
  const read = () => sql<{ id: string; path: string; episode: number; url: string }[]>`
    select films.id, path, episode, url from films join episode_sources on film_id = films.id
    where not starts_with(path, '/film/') order by episode`;
  const old = [...(await read())];
  put("Cowboy Bebop/03.avi", 3);

  const site = await startSite({ DATABASE_URL: url, MEDIA_DIR: media, SESSION_SECRET: "kept ".repeat(10) });
  expect(site.logged.map(({ migration }) => migration)).toContain("0030_scanning");
  await expect.poll(async () => (await read()).length).toBe(3);
  const now = await read();
  expect(now.slice(0, 2)).toEqual(old);
  expect(now[2]).toMatchObject({ path: "Cowboy Bebop/03.avi", episode: 3 });
  const [counts] = await sql`select count(*)::int as films from films where not starts_with(path, '/film/')`;
  expect(counts?.films).toBe(3);
  expect(site.logged.filter(({ level }) => level === "error")).toEqual([]);
});
