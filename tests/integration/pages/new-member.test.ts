import { beforeAll, expect, test } from "vitest";
import { createSource } from "#app/domain/playback/playback.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** The first pages of a new member and of a child: what they ask for, and how they name titles. */

const lantern = 810_000_001;

beforeAll(async () => {
  const film = { kind: "title", type: "TV", genres: ["Mystery"], rating: "g", episodes: 3 };
  await importTitles([
    { ...film, mal_id: lantern, title: "Toro no Uta", title_english: "Song of a Lantern", popularity: 1 },
    ...Array.from({ length: 12 }, (_, index) => ({
      ...film,
      mal_id: lantern + 1 + index,
      title: `Umbrella ${index}`,
      popularity: 2 + index,
    })),
  ]);
  expect((await createSource({ malId: lantern, episode: 1, url: "https://films.example/1.mp4" })).ok).toBe(
    true,
  );
});

const headers = { "Accept-Language": "en" };
const read = (reader: Visitor, path: string) => htmlOf(reader.request(path, { headers }));
const mainOf = (html: string) => /<main.*?<\/main>/s.exec(html)?.[0] ?? "";

test("home asks a new member for tastes until they are given, and then shows more than these", async () => {
  const member = await newMember();
  for (const path of ["/", "/profile"]) expect(await read(member, path)).toContain("Say what you like");
  expect((await updateProfile(member.id, { favoriteGenres: ["Mystery"] })).ok).toBe(true);
  for (const path of ["/", "/profile"]) expect(await read(member, path)).not.toContain("Say what you like");
  const home = await read(member, "/");
  expect(home).toContain("Bring your list");
  expect([...home.matchAll(/<h2[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, heading]) => heading)).toEqual(
    expect.arrayContaining(["Three for your taste", "Top rated"]),
  );
});

test("a child whose page has one title sees it once", async () => {
  const { owner, child } = await newChild("chosen");
  await chooseTitle(owner, lantern, "allowed");
  const home = mainOf(await read(child, "/"));
  expect(home).toContain(`href="/watch/${lantern}/1"`);
  expect(home.match(/>Song of a Lantern</g)?.length).toBe(1);
});

test("drawn posters have the names beside them, in the reader's title language", async () => {
  const member = await newMember();
  const inEnglish = new RegExp(`/poster/${lantern}\\.webp\\?w=\\d+&amp;lang=en`);
  const inRomaji = new RegExp(`/poster/${lantern}\\.webp\\?w=\\d+"`);
  for (const path of ["/signup/tastes", `/watch/${lantern}/3`]) {
    const page = mainOf(await read(member, path));
    expect(page).toContain("Song of a Lantern");
    expect(page).toMatch(inEnglish);
  }
  const suggested = async () =>
    (await (await member.request("/search/suggestions?q=song+of+a+lan", { headers })).json()).titles[0];
  expect(await suggested()).toMatchObject({ name: "Song of a Lantern", drawnIn: "en" });
  const saved = await member.request("/api/saveUserPreferences", { json: { titleLanguage: "romaji" } });
  expect(saved.status).toBe(200);
  expect(await suggested()).not.toHaveProperty("drawnIn");
  expect(mainOf(await read(member, "/signup/tastes"))).toMatch(inRomaji);
});
