import { once } from "node:events";
import postgres from "postgres";
import { expect, test } from "vitest";
import { driverArguments } from "#db/driver-arguments.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { someMedia, startAniList } from "#tests/support/servers/anilist.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The queue of details when the process that works it is killed, and when two processes share it. */

test("after kill -9 two instances go on: nothing is lost, and no stored title is asked for again", async () => {
  const source = await startAniList();
  const databaseUrl = await newDatabase();
  const settings = {
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: "the same for all ".repeat(3),
    DETAILS_URL: source.origin,
  };
  const sql = postgres(...driverArguments(databaseUrl, { max: 1 }));
  const first = await startSite(settings, { isQuiet: true });
  const titles = await sql<{ mal_id: number }[]>`
    select mal_id from titles where mal_id < 900000000 order by mal_id limit 120`;
  const bare = { coverImage: null, bannerImage: null, characters: { edges: [] }, staff: { edges: [] } };
  source.media = titles.map(({ mal_id }) => ({ ...someMedia(mal_id, source.origin, bare), id: mal_id }));
  // Asked for by MyAnimeList's numbers, so that each title has one number in all requests.
  await sql`delete from title_ids where site = 'anilist'`;
  await sql`insert into title_details (mal_id, reason, opened_at, due_at, is_number_unknown)
    select mal_id, 'opened', now(), now(), true from unnest(${titles.map(({ mal_id }) => mal_id)}::int[]) mal_id`;
  source.fault = () => {
    if (source.asked.length === 2) first.process.kill("SIGKILL");
    return false;
  };
  await sql`insert into site_settings (details) values (true) on conflict ("only") do update set details = true`;
  const killed = once(first.process, "exit");
  await sql`update catalog_state set version = version + 1`;
  await sql`select pg_notify('engawa_catalog', '')`;
  await killed;
  const stored = await sql<
    { mal_id: number }[]
  >`select mal_id from title_details where answered_at is not null`;
  expect(stored).toHaveLength(50);
  const before = source.asked.length;
  await Promise.all([startSite(settings), startSite(settings)]);
  const remaining = () => sql<{ count: number }[]>`
    select count(*)::int as count from title_details where reason = 'opened' and answered_at is null`;
  await until(async () => (await remaining())[0]?.count === 0);
  const later = source.asked.slice(before).flat();
  const ofStored = new Set(stored.map(({ mal_id }) => mal_id));
  expect(later.filter((malId) => ofStored.has(malId))).toEqual([]);
  expect(new Set(later).size).toBe(later.length);
  await sql.end();
});
