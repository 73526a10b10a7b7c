import postgres from "postgres";
import { beforeAll, expect, inject, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { databaseName } from "#tests/support/setup/worker-process.ts";
import { request } from "#tests/support/site/in-process.ts";

/**
 * A database that has another time zone than UTC, as an embedded one has on a host in America. In 1917, the offset of
 * this zone had seconds, which `Date` cannot read.
 */

const admin = postgres(...inject("administration"));
await admin.unsafe(`alter database ${databaseName} set timezone = 'America/Paramaribo'`);
await admin.end();

beforeAll(() =>
  importTitles([
    { kind: "title", mal_id: 1, title: "Old Film", type: "Movie", aired_from: "1917-02-10T00:00:00Z" },
    {
      kind: "title",
      mal_id: 2,
      title: "Series",
      type: "TV",
      aired_from: "2001-04-01T00:00:00Z",
      aired_to: "2001-06-24T00:00:00Z",
      season: "Spring",
      year: 2001,
    },
  ]),
);

const idsOf = async (path: string) => {
  const { data } = (await (await request(path)).json()) as { data: { mal_id: number }[] };
  return data.map(({ mal_id: id }) => id);
};

test("the site reads and compares days in UTC", async () => {
  expect(await idsOf("/v4/anime?start_date=2001-04-01")).toEqual([2]);
  expect(await idsOf("/v4/anime?end_date=2001-06-23")).toEqual([]);
  expect(await idsOf("/v4/anime?end_date=2001-06-24")).toEqual([2]);
  const page = await request("/anime/1/old-film");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("10 February 1917");
});
