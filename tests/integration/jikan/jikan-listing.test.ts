import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { newAddress, request } from "#tests/support/site/in-process.ts";

/** The lists of /v4: their titles, order and readers, and the errors for invalid requests. */

const title = (malId: number, name: string, fields: object = {}) => ({
  kind: "title",
  mal_id: malId,
  title: name,
  type: "TV",
  status: "Finished Airing",
  ...fields,
});

beforeAll(() =>
  importTitles([
    title(1, "Alpha", {
      score: 8,
      members: 10,
      popularity: 2,
      favorites: 5,
      episodes: 12,
      scored_by: 7,
      rating: "G - All Ages",
      aired_from: "2005-05-02T00:00:00Z",
      aired_to: "2006-01-31T00:00:00Z",
      year: 2005,
      season: "Spring",
      genres: ["Action", "Comedy"],
      themes: ["School"],
      studios: ["Sunrise"],
      demographics: ["Kids"],
    }),
    title(2, "beta", {
      score: 9,
      members: 30,
      popularity: 1,
      favorites: 1,
      episodes: 24,
      scored_by: 9,
      type: "Movie",
      aired_from: "2006-02-01T00:00:00Z",
      aired_to: "2006-02-01T00:00:00Z",
      year: 2006,
      season: "Winter",
      genres: ["Action"],
      producers: ["Madhouse"],
      rating: "R - 17+ (violence & profanity)",
    }),
    title(3, "Gamma", { genres: ["Comedy"], licensors: ["sun rise"], approved: false }),
    title(4, "Delta", {
      status: "Currently Airing",
      aired_from: "2000-01-03T00:00:00Z",
      broadcast_day: "Monday",
      members: 5,
      demographics: ["Kids"],
    }),
    title(5, "Epsilon", { status: "Not yet aired", aired_from: "2199-01-01T00:00:00Z", members: 7 }),
    title(6, "Hidden", { genres: ["Hentai"], score: 9.5, studios: ["Sunrise"] }),
  ]),
);

async function ask(call: string) {
  const response = await request(`/v4${call}`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const idsOf = async (call: string) =>
  (await ask(call)).body.data.map((one: { mal_id: number }) => one.mal_id) as number[];
const numberOf = async (name: string) => {
  const { body } = await ask(`/producers?q=${name}`);
  return body.data[0].mal_id as number;
};

test.each([
  ["", [1, 2, 4, 5]],
  ["?unapproved", [1, 2, 3, 4, 5]],
  ["?unapproved=false", [1, 2, 4, 5]],
  ["?q=beta", [2]],
  ["?type=movie", [2]],
  ["?type=MOVIE", [2]],
  ["?score=8", [1]],
  ["?min_score=8.5", [2]],
  ["?max_score=8.5", [1]],
  ["?min_score=0&max_score=10", [1, 2, 4, 5]],
  ["?status=airing", [4]],
  ["?status=upcoming", [5]],
  ["?status=complete", [1, 2]],
  ["?rating=r17", [2]],
  ["?genres=1", [1, 2]],
  ["?genres=1,4", [1]],
  ["?genres=23", [1]],
  ["?genres=999", []],
  ["?genres=1&genres_exclude=4", [2]],
  ["?genres_exclude=15", [2, 5]],
  ["?letter=B", [2]],
  ["?start_date=2006", [2, 5]],
  ["?end_date=2006-01", [1]],
  ["?end_date=2006-01-30", []],
  ["?order_by=score&sort=desc", [2, 1, 4, 5]],
  ["?order_by=score", [1, 2, 4, 5]],
  ["?order_by=rank", [2, 1, 4, 5]],
  ["?order_by=title", [1, 2, 4, 5]],
  ["?order_by=title&sort=desc", [5, 4, 2, 1]],
  ["?order_by=members&sort=desc", [2, 1, 5, 4]],
  ["?sort=desc", [5, 4, 2, 1]],
  ["?limit=2&page=2", [4, 5]],
])("/anime%s lists %j", async (query, ids) => {
  expect(await idsOf(`/anime${query}`)).toEqual(ids);
});

test("a company finds titles in every role and spelling", async () => {
  const sunrise = await numberOf("sunrise");
  expect(await idsOf(`/anime?producers=${sunrise}&unapproved`)).toEqual([1, 3]);
  expect(await idsOf(`/anime?producers=${sunrise},${await numberOf("madhouse")}`)).toEqual([1, 2]);
  expect((await ask(`/producers/${sunrise}`)).body.data).toMatchObject({ mal_id: sunrise, count: 2 });
  expect((await ask("/producers/987654")).status).toBe(404);
});

test.each([
  ["/top/anime", [2, 1]],
  ["/top/anime?filter=bypopularity", [2, 1]],
  ["/top/anime?filter=favorite", [1, 2]],
  ["/top/anime?filter=airing", [4]],
  ["/top/anime?filter=upcoming", [5]],
  ["/top/anime?type=tv&rating=g", [1]],
  ["/seasons/2005/spring", [1]],
  ["/seasons/2006/winter?filter=tv", []],
  ["/seasons/2006/winter?continuing", [2, 1, 4]],
  ["/seasons/upcoming", [5]],
  ["/seasons/now?continuing", [4]],
  ["/schedules", [4]],
  ["/schedules?filter=monday", [4]],
  ["/schedules?filter=tuesday", []],
  ["/schedules/monday", [4]],
  ["/schedules/Monday?kids=true", [4]],
  ["/schedules/monday?kids=false", []],
  ["/schedules/tuesday", []],
  ["/schedules/other", []],
  ["/seasons/99/fall?continuing=true", []],
  ["/seasons/1/winter?continuing", []],
  ["/schedules?filter=unknown", []],
  ["/schedules?kids=true", [4]],
  ["/schedules?kids=false", []],
])("%s lists %j", async (call, ids) => {
  expect((await idsOf(call)).slice(0, Math.max(1, ids.length))).toEqual(ids);
});

test("pages are counted as in Jikan", async () => {
  const page = async (call: string) => (await ask(call)).body.pagination;
  const items = { count: 1, total: 4, per_page: 3 };
  expect(await page("/anime?limit=3&page=2")).toEqual({
    last_visible_page: 2,
    has_next_page: false,
    current_page: 2,
    items,
  });
  expect(await page("/anime?q=nothingcalledthis")).toMatchObject({
    last_visible_page: 1,
    items: { total: 0 },
  });
});

test("the seasons are one page, as in recorded answers", async () => {
  const { body } = await ask("/seasons");
  expect(body).toEqual({
    pagination: { last_visible_page: 1, has_next_page: false },
    data: [
      { year: 2006, seasons: ["winter"] },
      { year: 2005, seasons: ["spring"] },
      { year: 2000, seasons: ["winter"] },
    ],
  });
});

test.each(["/anime/%00", "/anime/1%0A", "/anime/%ff"])(
  "%s, which has no route, gets 400 in Jikan's shape",
  async (call) => {
    const { status, body } = await ask(call);
    expect([status, body]).toEqual([
      400,
      { status: 400, type: "ValidationException", message: "Bad request", error: null },
    ]);
  },
);

test.each(["toString", "__proto__"])("a NUL in the parameter %s gets 400 that names it", async (name) => {
  const { status, body } = await ask(`/anime?${name}=%00`);
  expect([status, Object.entries(body.messages)]).toEqual([400, [[name, [expect.any(String)]]]]);
});

test("a NUL in the query gets 400 in Jikan's shape", async () => {
  const { status, body } = await ask("/anime?q=%00");
  expect([status, body]).toMatchObject([400, { status: 400, type: "ValidationException" }]);
});

test("genres are counted, split into Jikan's four lists", async () => {
  const { body } = await ask("/genres/anime?filter=genres");
  expect(body.data).toEqual([
    { mal_id: 1, name: "Action", url: "https://myanimelist.net/anime/genre/1/Action", count: 2 },
    { mal_id: 4, name: "Comedy", url: "https://myanimelist.net/anime/genre/4/Comedy", count: 2 },
  ]);
  expect(await idsOf("/genres/anime?filter=explicit_genres")).toEqual([]);
  expect(await idsOf("/genres/anime?filter=explicit_genres&sfw=false")).toEqual([12]);
  expect(await idsOf("/genres/anime")).toEqual([1, 4, 23, 15]);
});

test("an adult title is shown only with sfw=false, and not to a member with parental control", async () => {
  expect(await idsOf("/anime?order_by=score&sort=desc&sfw=false&limit=1")).toEqual([6]);
  for (const call of ["/anime/6", "/anime/6?sfw", "/anime/6?sfw=true"])
    expect((await ask(call)).body).toMatchObject({ status: 404, message: expect.stringContaining("adult") });
  expect((await ask("/anime/6?sfw=false")).body.data).toMatchObject({ mal_id: 6, rank: 1 });
  const member = await newMember();
  const answer = await member.request("/v4/anime/6?sfw=false");
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
});

test.each([
  ["?limit=26", "limit"],
  ["?limit=0", "limit"],
  ["?page=0", "page"],
  ["?type=film", "type"],
  ["?status=running", "status"],
  ["?genres=Action", "genres"],
  ["?min_score=11", "min_score"],
  ["?start_date=2020-02-30", "start_date"],
  ["?start_date=0000", "start_date"],
  ["?end_date=0000-12", "end_date"],
  ["?order_by=name", "order_by"],
])("/anime%s answers 400 and names %s", async (query, name) => {
  const { status, body } = await ask(`/anime${query}`);
  expect([status, body]).toEqual([
    400,
    {
      status: 400,
      type: "ValidationException",
      message: expect.stringContaining(name),
      error: null,
      messages: { [name]: [expect.any(String)] },
    },
  ]);
});

test("a title that aired on one day names this day once", async () => {
  expect((await ask("/anime/2")).body.data.aired.string).toBe("Feb 1, 2006");
  expect((await ask("/anime/1")).body.data.aired.string).toBe("May 2, 2005 to Jan 31, 2006");
});

test.each([
  "/anime/0",
  "/anime/x",
  "/anime/999",
  "/anime/99999999999",
  "/anime/1/episodes/0",
  "/seasons/2020/monsoon",
  "/schedules/someday",
  "/schedules/constructor",
])("%s answers 404 in Jikan's shape", async (call) => {
  const { status, headers, body } = await ask(call);
  expect([status, body]).toEqual([
    404,
    { status: 404, type: "BadResponseException", message: expect.any(String), error: null },
  ]);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(headers.get("Cache-Control")).toBe("no-store");
});

test("a client over the limit gets 429 in Jikan's shape, also from the cache", async () => {
  const address = newAddress();
  let response = await request("/v4/anime/1", { address });
  expect(response.headers.get("X-RateLimit-Limit")).toBe("100");
  for (let at = 0; at < 100; at++) response = await request("/v4/anime/1", { address });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ status: 429, type: "RateLimitException", error: null });
});

test("an answer can be cached, read by other sites, and asked for again by its tag", async () => {
  const { headers } = await ask("/anime/2");
  expect(headers.get("Cache-Control")).toMatch(/^public, max-age=\d+/);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(Date.parse(headers.get("Expires") ?? "")).toBeGreaterThan(Date.now());
  const again = await request("/v4/anime/2", { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
  expect(again.status).toBe(304);
  const post = await request("/v4/anime/2", { method: "POST" });
  expect([post.status, await post.json()]).toEqual([405, expect.objectContaining({ type: "HttpException" })]);
});

test("an answer's tag survives an import that does not change the title", async () => {
  const tag = (await ask("/anime/2")).headers.get("ETag");
  await importTitles([title(7, "Later")]);
  expect((await ask("/anime/2")).headers.get("ETag")).toBe(tag);
});

test("random titles differ and are not cached", async () => {
  const asked = await Promise.all(Array.from({ length: 30 }, () => ask("/random/anime")));
  expect(new Set(asked.map(({ body }) => body.data.mal_id)).size).toBeGreaterThan(1);
  expect(asked[0]?.headers.get("Cache-Control")).toBe("no-store");
});
