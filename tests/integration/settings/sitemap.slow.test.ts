import { expect, test } from "vitest";

/** The sitemap is built once for each version of the catalog. */

process.env.INDEXING = "1";
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { request } = await import("#tests/support/site/in-process.ts");
const { lockTables } = await import("#tests/support/database/lock-tables.ts");

const sitemap = async (query = "") => {
  const response = await request(`/sitemap.xml${query}`);
  return {
    status: response.status,
    text: await response.text(),
    control: response.headers.get("Cache-Control"),
  };
};

test("the sitemap reads the titles once per version of the catalog, also for other queries, and shows a change at once", async () => {
  await importTitles([{ mal_id: 1, title: "One", season: "spring", year: 1998 }]);
  const [first, atTheSameTime] = await Promise.all([sitemap(), sitemap("?other")]);
  expect(first).toMatchObject({ status: 200, control: "public, max-age=3600" });
  expect(first.text).toContain("<loc>http://localhost:3000/anime/1/one</loc>");
  expect(first.text).toContain("<loc>http://localhost:3000/seasons/1998/spring</loc>");
  expect(atTheSameTime.text).toBe(first.text);

  const unlock = await lockTables("titles");
  expect((await sitemap("?another")).text).toBe(first.text);
  await unlock();

  await importTitles([{ mal_id: 2, title: "Two" }]);
  await expect.poll(async () => (await sitemap("?later")).text).toContain("/anime/2/two</loc>");
});
