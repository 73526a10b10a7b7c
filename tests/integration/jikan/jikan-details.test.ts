import { expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titleStreams } from "#db/schema/details.ts";
import { watchList } from "#db/schema/library.ts";
import { complaintsOfJikan } from "#tests/support/checks/jikan-description.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { request } from "#tests/support/site/in-process.ts";

/** One title in /v4: its songs, where it can be watched, and how often it is on lists. */

const dataOf = async (call: string) => {
  const response = await request(`/v4${call}`);
  const { data } = await response.json();
  const path = call.replace(/\d+/, "{id}");
  if (response.status === 200) expect(complaintsOfJikan(path, { data })).toEqual([]);
  return { status: response.status, data };
};

test("songs imported from Jikan are in /themes and in /full", async () => {
  const theme = {
    openings: ['1: "First" by One (eps 1-12)', '2: "Second" by Two'],
    endings: ['"Last" by Three'],
  };
  await importTitles([{ mal_id: 500, title: "Sung", titles: [{ type: "Default", title: "Sung" }], theme }]);
  expect((await dataOf("/anime/500/themes")).data).toEqual(theme);
  expect((await dataOf("/anime/500/full")).data.theme).toEqual(theme);
});

test("a title without known songs has empty lists, and an unknown one answers 404", async () => {
  await importTitles([{ kind: "title", mal_id: 501, title: "Silent" }]);
  expect(await dataOf("/anime/501/themes")).toEqual({ status: 200, data: { openings: [], endings: [] } });
  for (const route of ["themes", "streaming"])
    expect((await dataOf(`/anime/999999/${route}`)).status).toBe(404);
});

test("a title with a film links to its page here, then to legal offers, and a title without either has no link", async () => {
  await importTitles([
    { kind: "title", mal_id: 502, title: "On Film", episodes: 1 },
    { kind: "source", mal_id: 502, number: 1, url: "https://films.invalid/one.mp4", type: "mp4" },
    { kind: "title", mal_id: 503, title: "Not Here", episodes: 1 },
  ]);
  const here = [{ name: "Engawa", url: "http://localhost:3000/anime/502/on-film" }];
  expect((await dataOf("/anime/502/streaming")).data).toEqual(here);
  expect((await dataOf("/anime/502/full")).data.streaming).toEqual(here);
  expect((await dataOf("/anime/503/streaming")).data).toEqual([]);
  const offers = [
    { name: "First Service", url: "https://first.invalid/watch/502" },
    { name: "Second Service", url: "https://second.invalid/502" },
  ];
  await changeCatalog([502], (transaction) =>
    transaction
      .insert(titleStreams)
      .values(offers.map(({ name, url }, position) => ({ malId: 502, site: name, url, position }))),
  );
  for (const data of [
    (await dataOf("/anime/502/streaming")).data,
    (await dataOf("/anime/502/full")).data.streaming,
  ])
    expect(data).toEqual([...here, ...offers]);
});

test("statistics count an entry once, by its state or else its list status, and its score rounded", async () => {
  await importTitles([{ kind: "title", mal_id: 504, title: "Listed" }]);
  const entries = [
    { type: "Watching" },
    { type: "Watching", state: "rewatching", score: 9 },
    { type: "Watching", state: "on_hold" },
    { type: "Watching", state: "on_hold" },
    { type: "Collection", state: "dropped", score: 2 },
    { type: "Collection", score: 8.5 },
    { type: "To Watch", score: 0 },
    { type: "Completed", score: 9.4 },
    { type: "Completed", score: 9 },
    { type: "Completed" },
  ] as const;
  const names = entries.map((_, index) => `lister ${index}`);
  const accounts = await db
    .insert(users)
    .values(names.map((name) => ({ email: `${name.replace(" ", "-")}@example.org`, username: name, name })))
    .returning({ userId: users.id });
  await db
    .insert(watchList)
    .values(entries.map((entry, index) => ({ ...entry, userId: accounts[index]!.userId, malId: 504 })));
  const { data } = await dataOf("/anime/504/statistics");
  expect(data).toMatchObject({
    watching: 2,
    completed: 3,
    on_hold: 2,
    dropped: 1,
    plan_to_watch: 2,
    total: 10,
  });
  expect(data.scores.filter(({ votes }: { votes: number }) => votes > 0)).toEqual([
    { score: 2, votes: 1, percentage: 20 },
    { score: 9, votes: 4, percentage: 80 },
  ]);
});
