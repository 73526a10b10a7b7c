import { expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { Visitor } from "#tests/support/requests/visitor.ts";

/** A card's poster shows the score, the first day of an announced title, or nothing. */

const season = { type: "TV", season: "fall", year: 2031 };

/** The badge on the card of the title with this name. */
async function badgeOf(name: string): Promise<string | undefined> {
  const html = await htmlOf(new Visitor().request("/seasons/2031/fall"));
  const card = html.split('class="card"').find((part) => part.includes(name)) ?? "";
  expect(card).toContain(name);
  const [, badge] = /<span class="badge" data-at="top-left">(.*?)<\/div>/.exec(card) ?? [];
  return badge?.replaceAll(/<svg.*?<\/svg>/g, "").replaceAll(/<[^>]*>/g, "");
}

test("a score is shown, a missing one leaves no mark, and an announced title says when it begins", async () => {
  const announced = { ...season, status: "Not yet aired", aired_from: "2031-10-03" };
  await importTitles([
    { ...season, mal_id: 700_500_001, title: "Zqx Scored", score: 8.25 },
    { ...season, mal_id: 700_500_002, title: "Zqx Unscored" },
    { ...announced, mal_id: 700_500_003, title: "Zqx Announced" },
    { ...announced, mal_id: 700_500_004, title: "Zqx Foretold", score: 7.5 },
  ]);
  expect(await badgeOf("Zqx Scored")).toBe("score 8.25");
  expect(await badgeOf("Zqx Unscored")).toBeUndefined();
  expect(await badgeOf("Zqx Announced")).toBe("from 3 Oct");
  expect(await badgeOf("Zqx Foretold")).toBe("score 7.50");
});

test("the page of a title without a score shows no mark in its place", async () => {
  await importTitles([{ ...season, mal_id: 700_500_005, title: "Zqx Lonely" }]);
  const html = await (await new Visitor().request("/anime/700500005/zqx-lonely")).text();
  const [, facts = ""] = /<ul class="facts">(.*?)<\/ul>/.exec(html) ?? [];
  expect(facts).toContain("TV");
  expect(facts).not.toContain("icon");
});
