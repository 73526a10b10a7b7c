import { expect, test } from "vitest";
import { type ApiDocument, complaintsAbout, operationsOf } from "#tests/support/checks/api-document.ts";
import { jikanCalls, jikanPeopleCalls } from "#tests/support/checks/jikan-calls.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { addPeople } from "#tests/support/data/people.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Compares the answers of /v4 with its own OpenAPI document. */

test("every answer is as /v4/openapi.json declares it, and every operation is called", async () => {
  await importTitles([
    {
      kind: "title",
      mal_id: 1,
      title: "One",
      type: "TV",
      episodes: 3,
      youtube_id: "x",
      score: 8,
      genres: ["Action"],
      studios: ["Sunrise"],
      year: 2020,
      season: "Spring",
    },
    { kind: "title", mal_id: 2, title: "Two", genres: ["Action"], studios: ["Sunrise"] },
    { kind: "relation", from: 1, to: 2, relation: "sequel" },
  ]);
  await addPeople({ malId: 1, personId: 1_000_001, characterId: 1_100_001 });
  const document = (await (await request("/v4/openapi.json")).json()) as ApiDocument & { servers: unknown };
  expect(document.servers).toEqual([{ url: "http://localhost:3000/v4" }]);
  const operations = new Map(operationsOf(document).map((one) => [one.path, one]));
  const uncalled = new Set(operations.keys());
  const producer = (await (await request("/v4/producers")).json()).data[0].mal_id;
  const calls = [
    ...jikanCalls({ id: 1, producer }),
    ...jikanPeopleCalls(1_000_001, 1_100_001),
    { path: "/anime/{id}/statistics", call: "/anime/1/statistics" },
    { path: "/openapi.json", call: "/openapi.json" },
    { path: "/anime", call: "/anime?page=x" },
  ];
  for (const { path, call } of calls) {
    const operation = operations.get(path);
    const response = await request(`/v4${call}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([call, operation && complaintsAbout(operation.described, response, bytes)]).toEqual([call, []]);
    uncalled.delete(path);
  }
  expect([...uncalled]).toEqual([]);
});

test("the documents of the two APIs have no path in common", async () => {
  const document = (await (await request("/api/openapi.json")).json()) as ApiDocument;
  expect(Object.keys(document.paths).filter((path) => path.startsWith("/v4"))).toEqual([]);
});

test("a parameter without effect on a list is documented as such", async () => {
  const { paths } = await (await request("/v4/openapi.json")).json();
  const { parameters } = paths["/seasons/upcoming"].get;
  const continuing = parameters.find(({ name }: { name: string }) => name === "continuing");
  expect(JSON.stringify(continuing)).toContain("Without effect here");
});

test("the votes of recommendations are numbers, which a client can add up", async () => {
  const alike = { kind: "title", type: "TV", genres: ["Drama"], themes: ["Space"], studios: ["Bones"] };
  await importTitles([11, 12].map((malId) => ({ ...alike, mal_id: malId, title: `Title ${malId}` })));
  const { data } = await (await request("/v4/anime/11/recommendations")).json();
  expect(data).toMatchObject([{ entry: { mal_id: 12 }, votes: 0 }]);
});
