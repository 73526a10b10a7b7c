import { execFile } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { startEmbedded } from "#db/embedded/embedded.server.ts";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { comparedInTurns } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { generatedTitle } from "#tests/support/data/generated-titles.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * The catalog and the list entries grow five times. Goal: no page takes more than 1.5 times as long. Neither site
 * caches answers or parts of pages, so that each page shows the time of its own queries.
 */

type Size = { titles: number; members: number };
const small: Size = { titles: 20_000, members: 400 };
const large: Size = { titles: 100_000, members: 2000 };
const entriesEach = 500;
/** The number of airing titles in a season, which does not depend on the size of the catalog. */
const airing = 200;
const rounds = 15;
const changed = 500;

type Site = Served & { folder: string; cookie: string };

const bench: Bench = {
  isLong: true,
  title:
    "Growth: 100,000 titles and a million list entries of 2,000 members beside 20,000 and 200,000 of 400",
  async run() {
    const sites = [await prepare(small), await prepare(large)] as const;
    const rows: Row[] = [];
    for (const path of visitorPages) rows.push(...(await compare(`visitor: ${path}`, sites, () => path)));
    for (const path of memberPages)
      rows.push(
        ...(await compare(
          `member: ${path}`,
          sites,
          () => path,
          ({ cookie }) => cookie,
        )),
      );
    for (const [label, pathOf] of searches) rows.push(...(await compare(label, sites, pathOf)));
    rows.push(...(await toolRows(sites)));
    for (const site of sites) await site.stop();
    return rows;
  },
};
export default bench;

const visitorPages = [
  "/",
  "/browse",
  "/browse?genre=action&order_by=newest",
  "/browse?page=100",
  "/anime/4001",
  "/seasons",
  "/schedule",
  "/api/animes/full?genre_filter=drama&type_filter=tv",
];
const memberPages = ["/", "/browse", "/anime/4001", "/list", "/profile", "/history", "/api/user/upNext"];
const searches: [string, (round: number) => string][] = [
  ["search: a beginning", (round) => `/search?q=${names[round % names.length]}`],
  ["search: a slip", (round) => `/search?q=${names[round % names.length]?.replace(/^(..)./, "$1x")}`],
];
/** Beginnings of generated names. Each is searched once, so that no search is cached. */
const names = Array.from({ length: 40 }, (_, at) => String(generatedTitle(1 + at * 487).title).slice(0, 6));

async function prepare({ titles, members }: Size): Promise<Site> {
  const folder = temporaryFolder("bench-growth");
  const site = await startSite({ PUBLIC_CACHE: "0", DATA_DIR: folder });
  await importTitles(
    folder,
    numbersTo(titles).map((number) => titleOf(number, titles)),
  );
  const { cookie } = await signUpAt(site.origin, "reader@example.org");
  await addLists(folder, members, titles);
  return { ...site, folder, cookie };
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

function titleOf(number: number, titles: number) {
  const now = new Date();
  const season = ["Winter", "Spring", "Summer", "Fall"][Math.floor(now.getUTCMonth() / 3)];
  const isAiring = number % (titles / airing) === 0;
  return {
    ...generatedTitle(number),
    ...(isAiring && { status: "Currently Airing", aired_to: null, season, year: now.getUTCFullYear() }),
  };
}

async function importTitles(folder: string, titles: readonly object[]) {
  const file = join(folder, "titles.ndjson");
  await writeFile(file, titles.map((title) => `${JSON.stringify(title)}\n`).join(""));
  return runTool(folder, "catalog-import", file);
}

/** Runs a command line tool as an operator does. Returns the time in seconds. */
async function runTool(folder: string, name: string, ...args: string[]) {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [resolve(`build/server/${name}.js`), ...args], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: "", DATA_DIR: folder },
  });
  return (performance.now() - startedAt) / 1000;
}

/** Gives every member a list and the history of some of its titles. The member who reads the pages is one of them. */
async function addLists(folder: string, members: number, titles: number) {
  const database = await startEmbedded(folder);
  const sql = postgres({ ...database.connection, max: 1 });
  await sql`
    insert into users (email, username, name)
    select 'member-' || n || '@example.org', 'Member ' || n, 'Member ' || n from generate_series(2, ${members}::int) n`;
  await sql`
    with numbered as (select id, row_number() over (order by email) as n from users)
    insert into watch_list (user_id, mal_id, type, ticks, score, added_at, updated_at)
    select id, 1 + (n * 37 + e * ${titles / entriesEach}::int) % ${titles}::int,
      (array['Watching', 'Completed', 'To Watch', 'Collection'])[1 + e % 4],
      case e % 4 when 0 then '{[1,6)}' when 1 then '{[1,13)}' else '{}' end::int4multirange,
      case when e % 4 = 1 then 1 + (n + e) % 10 end,
      now() - e * interval '1 day', now() - e * interval '1 hour'
    from numbered, generate_series(1, ${entriesEach}::int) e`;
  await sql`
    insert into watch_history (user_id, mal_id, episode, watched_at)
    select user_id, mal_id, 1, updated_at from watch_list where type in ('Watching', 'Completed')`;
  await sql`
    insert into watch_progress (user_id, mal_id, episode, position, duration, at)
    select user_id, mal_id, 6, 300, 1440, updated_at from watch_list
    where type = 'Watching' and updated_at > now() - interval '40 hours'`;
  await sql`vacuum analyze users, watch_list, watch_history, watch_progress`;
  await sql.end();
  await database.stop();
}

async function compare(
  label: string,
  [few, many]: readonly [Site, Site],
  pathOf: (round: number) => string,
  cookieOf: (site: Site) => string = () => "",
): Promise<Row[]> {
  const reader = (site: Site) => {
    let round = 0;
    return async () => {
      const startedAt = performance.now();
      const path = pathOf(round++);
      const response = await fetch(site.origin + path, { headers: { Cookie: cookieOf(site) } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      return performance.now() - startedAt;
    };
  };
  const { before, after } = await comparedInTurns(rounds, { before: reader(few), after: reader(many) });
  return [
    { label: `${label}, ${small.titles.toLocaleString("en")} titles`, value: before.value, unit: "ms" },
    {
      label: `… ${large.titles.toLocaleString("en")} titles`,
      value: after.value,
      unit: "ms",
      ratio: after.ratio,
    },
  ];
}

async function toolRows(sites: readonly [Site, Site]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { folder } of sites) {
    const titles = numbersTo(changed).map((number) => ({ ...generatedTitle(number), episodes: 13 }));
    rows.push({
      label: `import of ${changed} changed titles`,
      value: await importTitles(folder, titles),
      unit: "s",
    });
    const file = join(folder, "backup.tar");
    rows.push({ label: "backup", value: await runTool(folder, "backup", file), unit: "s" });
    rows.push({ label: "… its size", value: (await stat(file)).size / 2 ** 20, unit: "MiB" });
  }
  return rows;
}
