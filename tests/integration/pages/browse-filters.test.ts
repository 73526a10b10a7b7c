import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The filters of the browse page by single facts of a title, and the links to them on a title's page. */

beforeAll(async () => {
  const title = { kind: "title", type: "TV", status: "Finished Airing", score: 8 };
  await importTitles([
    {
      ...title,
      mal_id: 1,
      title: "Eaves in the Rain",
      themes: ["Isekai", "School"],
      demographics: ["Seinen"],
      producers: ["Lantern Works, Inc."],
      licensors: ["Far Shore"],
      source: "Web manga",
      duration: "1 hr 55 min",
      year: 2001,
    },
    {
      ...title,
      mal_id: 2,
      title: "Lantern Road",
      themes: ["School"],
      demographics: ["Kids"],
      source: "Manga",
      duration: "24 min per ep",
      year: 2005,
    },
    { ...title, mal_id: 3, title: "Paper Boats", themes: [], source: null, duration: null, year: 2009 },
  ]);
});

const visitor = new Visitor();
const htmlOf = async (path: string) => (await visitor.request(path)).text();
const names = ["Eaves in the Rain", "Lantern Road", "Paper Boats"];

/** The titles on a page of results, in the order above. */
async function found(query: string) {
  const html = await htmlOf(`/browse${query}`);
  return names.filter((name) => html.includes(`>${name}</span>`));
}

test.each([
  ["?tag=school", ["Eaves in the Rain", "Lantern Road"]],
  ["?tag=school&not-tag=isekai", ["Lantern Road"]],
  ["?tag=school&tag=seinen", ["Eaves in the Rain"]],
  ["?tag=no-such-theme", []],
  ["?source=web-manga", ["Eaves in the Rain"]],
  ["?length=standard", ["Lantern Road"]],
  ["?length=feature", ["Eaves in the Rain"]],
  ["?from=2002", ["Lantern Road", "Paper Boats"]],
  ["?from=2001&to=2005", ["Eaves in the Rain", "Lantern Road"]],
  ["?year=2005", ["Lantern Road"]],
  ["?company=lantern+works%2C+inc.", ["Eaves in the Rain"]],
  ["?company=Far+Shore", ["Eaves in the Rain"]],
  ["?company=No+Such+Company", []],
])("%s finds the titles with these facts and no others", async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test("an empty page that hides a member's titles does not count them for its other filters", async () => {
  const member = await newMember();
  const saved = await member.request("/api/user/watchList", { json: { animeId: 2, type: "Watching" } });
  expect(saved.ok).toBe(true);
  const html = await (await member.request("/browse?tag=school&year=2005&mine=0")).text();
  const offers = html.matchAll(/Without <b>([^<]+)<\/b><\/span><span class="numeric">(\d+)</g);
  expect([...offers].map(([, label, total]) => [label, total])).toEqual([
    ["2005", "1"],
    ["Not in my list", "1"],
  ]);
});

test("without scripts, the beginning of a theme is completed and joins the chosen ones", async () => {
  const added = await visitor.request("/browse?tag=school&add-tag=Isek&add-not-tag=&from=&to=");
  expect(added.headers.get("Location")).toBe("/browse?tag=school&tag=isekai");
  expect(await htmlOf("/browse?tag=school&tag=isekai")).toMatch(/>Isekai<\/span>.*remove filter/s);
});

test("every theme, demographic, company and source on a title's page leads to titles that have it", async () => {
  const html = await htmlOf("/anime/1/eaves-in-the-rain");
  const facts = html.slice(html.indexOf('class="fact-list"'));
  for (const text of [
    "Isekai",
    "School",
    "Seinen",
    "Lantern Works, Inc.",
    "Far Shore",
    "Web manga",
    "Finished Airing",
  ]) {
    const link = new RegExp(`href="(/browse[^"]+)"[^>]*>${text}<`).exec(facts)?.[1]?.replaceAll("&amp;", "&");
    expect(link, text).toBeDefined();
    expect(await found(link?.slice("/browse".length) ?? ""), text).toContain("Eaves in the Rain");
  }
});
