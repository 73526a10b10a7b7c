import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

/** Links to titles in pages whose names are not the ones that the addresses are made of. */

const names = { title: "Kiri no Fune", title_english: "The Ship in the Mist", title_japanese: "霧の船" };

beforeAll(async () => {
  const airing = {
    kind: "title",
    type: "TV",
    aired_from: "2025-01-06T00:00:00Z",
    broadcast_day: "Monday",
    broadcast_time: "10:00",
    broadcast_timezone: "Asia/Tokyo",
  };
  await importTitles([
    { ...airing, ...names, mal_id: 1, score: 9, popularity: 1 },
    { ...airing, ...names, mal_id: 2, score: 8, popularity: 2, broadcast_day: null, broadcast_time: null },
  ]);
});

async function readerOf(titleLanguage: string) {
  const member = await newMember();
  await dataOf(member.request("/api/saveUserPreferences", { json: { titleLanguage } }));
  return member;
}

test.each([
  ["english", names.title_english],
  ["japanese", names.title_japanese],
])("links and forms of pages with %s names lead to titles without a redirect", async (language, name) => {
  const member = await readerOf(language);
  for (const animeId of [1, 2])
    await dataOf(member.request("/api/user/watchList", { json: { animeId, type: "Watching" } }));
  for (const page of ["/", "/browse", "/schedule", "/list", "/list?view=cards", "/anime/1/kiri-no-fune"]) {
    const html = await htmlOf(member.request(page));
    expect(html, page).toContain(name);
    const links = new Set([...html.matchAll(/(?:href|action)="(\/anime\/[^"#]+)/g)].map(([, link]) => link));
    expect(links.size, page).toBeGreaterThan(0);
    for (const link of links) expect([link, (await member.request(link!)).status]).toEqual([link, 200]);
  }
});

test("without scripts, Add to list on the home page shows its notice and Undo to a reader of English names", async () => {
  const member = await readerOf("english");
  // The home page of a member without a list begins with another offer.
  await dataOf(member.request("/api/user/watchList", { json: { animeId: 2, type: "To Watch" } }));
  const html = await htmlOf(member.request("/"));
  const form = html.split("<form").find((part) => part.includes('name="mal_id"')) ?? "";
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
  const saved = await member.request(action, {
    form: { mal_id: "1", type: "To Watch", intent: "save" },
  });
  expect(saved.status).toBe(200);
  expect(await saved.text()).toMatch(/Saved [^<]* as To Watch.*Undo/s);
});
