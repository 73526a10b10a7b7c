import { beforeAll, expect, test } from "vitest";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { complaintsOfJikan } from "#tests/support/checks/jikan-description.ts";
import { request } from "#tests/support/site/in-process.ts";

/** The addresses that jikanpy, a Python client, builds from the calls in its documentation. */

beforeAll(async () => {
  await seedStarterCatalog();
});

async function ask(address: string) {
  const response = await request(`/v4${address}`);
  return { status: response.status, body: await response.json() };
}

test.each([
  ["anime(1)", "/anime/1", "/anime/{id}"],
  ["anime(1, extension='full')", "/anime/1/full", "/anime/{id}/full"],
  ["anime(1, extension='episodes')", "/anime/1/episodes", "/anime/{id}/episodes"],
  ["anime(1, extension='episodes', page=2)", "/anime/1/episodes?page=2", "/anime/{id}/episodes"],
  ["anime_episode_by_id(1, 2)", "/anime/1/episodes/2", "/anime/{id}/episodes/{episode}"],
  ["anime(1, extension='themes')", "/anime/1/themes", "/anime/{id}/themes"],
  ["anime(1, extension='recommendations')", "/anime/1/recommendations", "/anime/{id}/recommendations"],
  ["search('anime', 'Cowboy Bebop')", "/anime?q=Cowboy%20Bebop", "/anime"],
  ["search('anime', 'Cowboy', page=2)", "/anime?q=Cowboy&page=2", "/anime"],
  ["search('anime', 'Cowboy', parameters={'type': 'tv'})", "/anime?q=Cowboy&type=tv", "/anime"],
  ["search('anime', '', parameters={'genres': 1})", "/anime?q=&genres=1&order_by=title&sort=desc", "/anime"],
  ["seasons(year=2018, season='winter')", "/seasons/2018/winter", "/seasons/{year}/{season}"],
  ["seasons(extension='now')", "/seasons/now", "/seasons/now"],
  ["seasons(extension='upcoming', page=1)", "/seasons/upcoming?page=1", "/seasons/upcoming"],
  ["season_history()", "/seasons", "/seasons"],
  ["schedules()", "/schedules", "/schedules"],
  ["schedules(day='Monday')", "/schedules?filter=monday", "/schedules"],
  ["schedules(parameters={'kids': True})", "/schedules?kids=True", "/schedules"],
  ["top(type='anime')", "/top/anime", "/top/anime"],
  ["top(type='anime', page=2)", "/top/anime?page=2", "/top/anime"],
  ["top(type='anime', parameters={'filter': 'airing'})", "/top/anime?filter=airing", "/top/anime"],
  ["genres(type='anime', filter='themes')", "/genres/anime?filter=themes", "/genres/anime"],
  ["random(type='anime')", "/random/anime", "/random/anime"],
])("jikan.%s is answered as Jikan describes it", async (_call, address, path) => {
  const { status, body } = await ask(address);
  expect([status, complaintsOfJikan(path, body)]).toEqual([200, []]);
});

test.each([
  ["anime(1, extension='userupdates', page=2)", "/anime/1/userupdates?page=2"],
  ["manga(418)", "/manga/418"],
  ["search('manga', 'Mushishi')", "/manga?q=Mushishi"],
  ["top(type='people')", "/top/people"],
  ["genres(type='manga')", "/genres/manga"],
  ["clubs(1)", "/clubs/1"],
  ["users(username='Nekomata1037', extension='full')", "/users/nekomata1037/full"],
  ["user_by_id(1)", "/users/userbyid/1"],
  ["recommendations(type='anime')", "/recommendations/anime"],
  ["reviews(type='anime')", "/reviews/anime"],
  ["watch(extension='episodes')", "/watch/episodes"],
  ["random(type='manga')", "/random/manga"],
])("jikan.%s answers 404 in words, because the catalog has no such data", async (_call, address) => {
  const { status, body } = await ask(address);
  expect([status, body]).toEqual([
    404,
    { status: 404, type: "BadResponseException", message: "This is not in this catalog", error: null },
  ]);
});

test.each([
  [
    "anime(1, extension='characters')",
    "/anime/1/characters",
    "The people of this title are not in this catalog",
  ],
  ["anime(1, extension='staff')", "/anime/1/staff", "The people of this title are not in this catalog"],
  ["characters(425)", "/characters/425", "This character is not in this catalog"],
  ["people(185)", "/people/185", "This person is not in this catalog"],
])("jikan.%s answers 404 in words, because nobody is known of the title", async (_call, address, message) => {
  const { status, body } = await ask(address);
  expect([status, body]).toEqual([404, { status: 404, type: "BadResponseException", message, error: null }]);
});
