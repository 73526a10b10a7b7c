import { beforeEach, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { titleDetails } from "#db/schema/details.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The status, the synopsis and the counts on the page of a title with details. */

let malId = 7600;
const title = (fields: object = {}) =>
  importTitles([{ kind: "title", mal_id: malId, title: `Gable ${malId}`, type: "TV", ...fields }]);
const page = () => htmlOf(new Visitor().request(`/anime/${malId}/gable-${malId}`));
const addDetails = (fields: Partial<typeof titleDetails.$inferInsert>) =>
  changeCatalog([malId], async (transaction) => {
    const answered = { source: "anilist", answeredAt: new Date(), dueAt: new Date() } as const;
    await transaction.insert(titleDetails).values({ malId, ...answered, ...fields });
  });

beforeEach(() => {
  malId += 1;
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const statusOf = (html: string) => /<dt>Status<\/dt><dd>(?:<[^>]+>)*([^<]+)/.exec(html)?.[1];
const hasStatusLink = (html: string) => /<dt>Status<\/dt><dd>(?:<[^>]+>)*?<a /.test(html);

test("a title whose next episode is announced airs, whatever the catalog's dates say", async () => {
  await title({ aired_from: "2020-01-01", aired_to: "2020-03-25", status: "Finished Airing" });
  const byDates = await page();
  expect([statusOf(byDates), hasStatusLink(byDates)]).toEqual(["Finished Airing", true]);
  await addDetails({ nextEpisode: 13, nextAirsAt: inDays(3) });
  const html = await page();
  expect(html).toContain("Episode 13 ");
  expect([statusOf(html), hasStatusLink(html)]).toEqual(["Currently Airing", false]);
  const answer = await request(`/api/animes/getAnime?id=${malId}`);
  expect(await answer.text()).toContain("Finished Airing");
});

test("a title whose second episode is announced is not called unaired", async () => {
  await title({ aired_from: "2190-01-01", status: "Not yet aired" });
  expect(await page()).toContain("Not yet aired.");
  await addDetails({ nextEpisode: 2, nextAirsAt: inDays(3) });
  const html = await page();
  expect(statusOf(html)).toBe("Currently Airing");
  expect(html).not.toContain("Not yet aired");
});

test("a title whose first episode is announced has not aired yet", async () => {
  await title({ aired_from: "2020-01-01", status: "Currently Airing" });
  await addDetails({ nextEpisode: 1, nextAirsAt: inDays(3) });
  expect(statusOf(await page())).toBe("Not yet aired");
});

test("a finished title whose first episode is announced elsewhere stays finished", async () => {
  await title({ aired_from: "2020-01-01", aired_to: "2020-03-25", status: "Finished Airing" });
  await addDetails({ nextEpisode: 1, nextAirsAt: inDays(3) });
  expect(statusOf(await page())).toBe("Finished Airing");
});

test("an episode that was announced and has aired says nothing about the status", async () => {
  await title({ aired_from: "2020-01-01", aired_to: "2020-03-25", status: "Finished Airing" });
  await addDetails({ nextEpisode: 12, nextAirsAt: inDays(-1) });
  expect(statusOf(await page())).toBe("Finished Airing");
});

test("a long synopsis is folded, and all of its text stays in the page for screen readers", async () => {
  const sentence = "The porch is swept in the morning, and nobody comes. ";
  await title({ synopsis: `${sentence.repeat(8)}Then it rains.` });
  const short = await page();
  expect(short).toContain("Then it rains.");
  expect(short).not.toContain("Show all");
  malId += 1;
  await title({ synopsis: `${sentence.repeat(14)}Then it rains.` });
  expect(await page()).toMatch(
    /<p class="synopsis">[^<]*Then it rains\.<\/p><details class="synopsis-fold"><summary[^>]*>[^/]*Show all</,
  );
  malId += 1;
  await title({ synopsis: "A line.\n".repeat(12) });
  expect(await page()).toContain("Show all");
});

test("one vote, member and favorite on other sites are named in the singular", async () => {
  await title({ scored_by: 1, members: 1, favorites: 1 });
  expect(await page()).toContain("On other sites: 1 vote, 1 member, 1 favorite<");
  malId += 1;
  await title({ scored_by: 1234, members: 2_100_000, favorites: 77_360 });
  expect(await page()).toContain("On other sites: 1,234 votes, 2.1M members, 77.4K favorites<");
});
