import { beforeAll, expect, test } from "vitest";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The member's own data on cards, on every page with cards. */

beforeAll(async () => {
  const airing = { kind: "title", type: "TV", aired_from: "2025-01-06T00:00:00Z", genres: ["Mystery"] };
  await importTitles([
    { ...airing, mal_id: 1, title: "Lantern", popularity: 1, score: 9 },
    { ...airing, mal_id: 2, title: "Lantern Returns", popularity: 2, score: 8 },
    { kind: "relation", from: 1, to: 2, relation: "sequel" },
  ]);
});

/** The text of title 2's card, and the links beside it. */
const cardIn = (html: string) =>
  /<li[^>]*><a class="card" href="\/anime\/2\/.*?<\/li>/s.exec(html)?.[0] ?? "";

const pages = [
  "/",
  "/browse",
  "/search?q=lantern",
  "/schedule",
  "/list?view=grid",
  "/profile",
  "/anime/1/lantern",
];

test("cards on every page show the list status and the member's score, and link to the list fields", async () => {
  const member = await newMember();
  const entry = { animeId: 2, type: "Watching", progress: 3, score: 7 };
  await dataOf(member.request("/api/user/watchList", { json: entry }));
  expect((await updateProfile(member.id, { favoriteAnimes: [2] })).ok).toBe(true);
  for (const path of pages) {
    const card = cardIn(await htmlOf(member.request(path)));
    expect([path, card]).toEqual([path, expect.stringMatching(/>Watching[^<]*<.*my score<.*>7</s)]);
    expect([path, card]).toEqual([path, expect.stringContaining('href="/anime/2/lantern-returns#my-list"')]);
  }
  expect(await htmlOf(member.request("/anime/2/lantern-returns"))).toContain('id="my-list"');
});

test("a visitor's cards have no bookmark", async () => {
  for (const path of ["/", "/browse", "/anime/1/lantern"]) {
    const card = cardIn(await htmlOf(new Visitor().request(path)));
    expect([path, card]).toEqual([path, expect.stringContaining("Lantern Returns")]);
    expect(card).not.toContain("card-bookmark");
  }
});

/** The links of the header and of the bar below that are marked as the current page. */
const markedLinks = (html: string) =>
  [...html.matchAll(/<nav[^>]*aria-label="Main"[^>]*>.*?<\/nav>/gs)].flatMap(([nav]) =>
    [...nav.matchAll(/<a [^>]*aria-current="page"[^>]*>/g)].map(([link]) => /href="([^"]*)"/.exec(link)?.[1]),
  );

test("the navigation marks the page that is open, and none at an address that does not exist", async () => {
  const member = await newMember();
  expect(markedLinks(await htmlOf(member.request("/list")))).toContain("/list");
  for (const viewer of [member, new Visitor()])
    expect([...new Set(markedLinks(await htmlOf(viewer.request("/browse"))))]).toEqual(["/browse"]);
  for (const path of ["/list/nothing-here", "/browse/nothing-here"]) {
    const response = await member.request(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toContain('aria-current="page"');
  }
});

test("with the system's theme, the browser's own bars are light on a light page", async () => {
  const member = await newMember();
  await dataOf(member.request("/api/saveUserPreferences", { json: { theme: "system" } }));
  const colors = [...(await htmlOf(member.request("/"))).matchAll(/<meta name="theme-color"[^>]*>/g)].map(
    String,
  );
  expect(colors).toEqual([
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f9"/>',
    '<meta name="theme-color" content="#0e0f13"/>',
  ]);
});
