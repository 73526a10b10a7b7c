import { expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** To most people a film is a movie, so pages say movie for a title and video or file for what is played. */

const read = async (visitor: Visitor, path: string) => {
  const response = await visitor.request(path);
  expect(response.status, path).toBe(200);
  return htmlOf(response);
};

test("movies of a season stand under Movies", async () => {
  await importTitles([
    { mal_id: 700_400_001, title: "Zqx Movie", type: "Movie", season: "spring", year: 2019, score: 8 },
  ]);
  const html = await read(new Visitor(), "/seasons/2019/spring");
  expect(html).toContain("Zqx Movie");
  expect(html).toMatch(/<h2[^>]*>Movies/);
  expect(html).not.toMatch(/<h2[^>]*>Films/);
});

test("the page of a series explains Collection to a member, where it can be chosen", async () => {
  await importTitles([{ mal_id: 700_400_002, title: "Zqx Series", type: "TV", episodes: 3 }]);
  const path = "/anime/700400002/zqx-series";
  expect(await read(await newMember(), path)).toContain("Collection is for what you own or keep");
  expect(await read(new Visitor(), path)).not.toContain("Collection is for what you own or keep");
});

test("the settings name privacy and the language of the sound", async () => {
  const html = await read(await newMember(), "/settings");
  for (const label of [">Privacy<", "Audio language"]) expect(html).toContain(label);
});
