import { beforeAll, expect, test, vi } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { cachedQueryOf } from "#app/http/pipeline/cached-pages.server.ts";
import { routes } from "#app/start/site.server.ts";
import { db } from "#db/client.server.ts";
import { franchises } from "#db/schema/franchises.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { addPeople } from "#tests/support/data/people.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/**
 * The loader of a cached page gets only the query names that the page gives to `cachedPage`. A name that is read but not given
 * would be missing from every address, without an error.
 */

const id = 7990;

/** Addresses of each cached page, by the path of its route. */
const addresses: Record<string, string[]> = {
  "": ["/"],
  browse: ["/browse"],
  search: ["/search"],
  schedule: ["/schedule"],
  "seasons/:year?/:season?": ["/seasons", "/seasons/2020/winter"],
  "anime/:id/:slug?": [`/anime/${id}/slow-ferry`],
  // Only members change what a franchise's page shows of it, so a wrong number reads the same names.
  "franchise/:id/:slug?": ["/franchise/1/x"],
  "people/:id/:slug?": [`/people/${id}/person-${id}`],
  "characters/:id/:slug?": [`/characters/${id}/character-${id}`],
  "watch/:id/:episode": [`/watch/${id}/1`],
  api: ["/api"],
};

/** The router reads these of every address. */
const namesOfTheRouter = ["index", "_routes"];

beforeAll(async () => {
  await importTitles([
    { kind: "title", mal_id: id, title: "Slow Ferry", type: "TV", episodes: 1 },
    { kind: "episode", mal_id: id, number: 1, title: "Departure" },
    { kind: "title", mal_id: id + 1, title: "Slow Ferry Home", type: "TV", episodes: 1 },
    { kind: "relation", from: id, to: id + 1, relation: "sequel" },
  ]);
  // An import takes effect a moment later, an edit at once.
  await changeCatalog([], () => Promise.resolve());
  const [franchise] = await db.select().from(franchises);
  addresses["franchise/:id/:slug?"] = [`/franchise/${franchise?.id}/slow-ferry`];
  await addPeople({ malId: id, personId: id, characterId: id });
});

const cachedPages = Object.values(routes).flatMap((route) => {
  const query = cachedQueryOf(route?.module as { middleware?: unknown } | undefined);
  return route && query ? [{ path: route.path ?? "", declared: Object.keys(query) }] : [];
});

/**
 * The query names that the process reads while it answers. Cookies and forms are read in the same way, so the address has the
 * router's own name `index`, which no page takes away, and what lacks it is no query.
 */
async function namesReadBy(visitor: Visitor, address: string): Promise<string[]> {
  const read = new Set<string>();
  const { get, getAll, has } = URLSearchParams.prototype;
  const note = <Answer>(method: (this: URLSearchParams, name: string) => Answer) =>
    function (this: URLSearchParams, name: string) {
      if (has.call(this, "index")) read.add(name);
      return method.call(this, name);
    };
  vi.spyOn(URLSearchParams.prototype, "get").mockImplementation(note(get));
  vi.spyOn(URLSearchParams.prototype, "getAll").mockImplementation(note(getAll));
  vi.spyOn(URLSearchParams.prototype, "has").mockImplementation(note(has));
  const answer = await visitor.request(`${address}?index`);
  await answer.text();
  vi.restoreAllMocks();
  expect([address, answer.status < 400]).toEqual([address, true]);
  return [...read];
}

test.each(cachedPages)(
  "the page at /$path declares every query name that it reads",
  async ({ path, declared }) => {
    const known = [...declared, ...namesOfTheRouter];
    for (const visitor of [new Visitor(), await newMember()]) {
      for (const address of addresses[path] ?? []) {
        const read = await namesReadBy(visitor, address);
        expect([address, read.filter((name) => !known.includes(name))]).toEqual([address, []]);
      }
    }
  },
);

test("this file names an address of every cached page", () => {
  expect(cachedPages.map(({ path }) => path).sort()).toEqual(Object.keys(addresses).sort());
});
