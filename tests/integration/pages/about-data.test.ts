import { beforeEach, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";

/** The public page about the sources of the catalog. */

beforeEach(async () => {
  await db.delete(titles);
});

const open = () => htmlOf(new Visitor().request("/about/data"));

test("the page names each source with its license, its counts and what exports hold, and no other", async () => {
  await importTitles([
    { data: { mal_id: 1, titles: [{ type: "Default", title: "One" }], synopsis: "A text" } },
    { data: { mal_id: 2, titles: [{ type: "Default", title: "Two" }] } },
    { mal_id: 3, title: "Three" },
    { mal_id: 4, title: "Adult", rating: "rx" },
  ]);
  const html = await open();
  expect(html).toContain("MyAnimeList, through Jikan");
  expect(html).toContain("2 titles, 1 title with texts");
  expect(html).toContain("facts, but neither texts nor the addresses of pictures");
  expect(html).toContain("A file that the operator imported");
  expect(html).toContain(">1 title<");
  expect(html).not.toContain("The starter catalog");
});

test("a title from before records counts as such, and every page links here", async () => {
  await importTitles([{ mal_id: 2, title: "Newer" }]);
  await db.insert(titles).values({ malId: 1, title: "Old", titleKey: "old" });
  await changeCatalog([], async () => {});
  const html = await open();
  expect(html).toContain("An import before sources were recorded");
  expect(html).toContain('href="/about/data"');
});
