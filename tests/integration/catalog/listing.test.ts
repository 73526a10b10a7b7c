import { gte, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { sortKey } from "#app/domain/names/names.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { generatedTitles } from "#tests/support/data/generated-titles.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { request } from "#tests/support/site/in-process.ts";

type Anime = Record<string, unknown> & {
  mal_id: number;
  title: string;
  score: number | null;
  genres: string[];
};
type Answer = { data: Anime[]; meta: Record<string, unknown> };

const generated = generatedTitles(400) as Anime[];
const mature = [
  {
    kind: "title",
    mal_id: 9001,
    title: "Hidden by rating",
    rating: "Rx - Hentai",
    score: 9.9,
    genres: ["Action"],
  },
  {
    kind: "title",
    mal_id: 9002,
    title: "Hidden by genre",
    rating: "R+ - Mild Nudity",
    score: 9.8,
    genres: ["Erotica"],
  },
  { kind: "title", mal_id: 9003, title: "Hidden as well", score: 9.7, genres: ["Hentai", "Comedy"] },
];
const special = [
  { kind: "title", mal_id: 8001, title: "Ikuta no Kita", studios: ["Yamamura Animation, Inc.", "Bones"] },
  { kind: "title", mal_id: 8002, title: "Underscore_100%", studios: ["Bones"] },
  {
    kind: "title",
    mal_id: 8003,
    title: "Announced",
    aired_from: "2199-01-01T00:00:00Z",
    status: "Finished Airing",
  },
  {
    kind: "title",
    mal_id: 8004,
    title: "On air",
    type: "TV",
    aired_from: "1999-10-20T00:00:00Z",
    status: "Finished Airing",
    aired_to: "2199-01-01T00:00:00Z",
  },
  { kind: "title", mal_id: 8005, title: "◯" },
  { kind: "relation", from: 8001, to: 8002, relation: "sequel" },
  { kind: "relation", from: 8001, to: 9001, relation: "other" },
  { kind: "relation", from: 8001, to: 77777, relation: "other", name: "Not held here" },
  { kind: "source", mal_id: 8001, number: 1, url: "media:Ikuta no Kita/01.mp4", type: "mp4" },
];
const specifiedFields = (
  "mal_id title title_english title_japanese title_synonyms type source episodes status airing aired_from aired_to " +
  "duration rating score scored_by popularity members favorites synopsis background season year broadcast_day " +
  "broadcast_time broadcast_timezone image_url image_webp image_small_webp image_large_webp banner_image youtube_id " +
  "trailer_url trailer_embed_url trailer_image_url url approved genres studios producers licensors themes demographics"
).split(" ");

beforeAll(async () => {
  await importTitles([...generated, ...mature, ...special]);
});

async function list(query: string): Promise<Answer> {
  const response = await request(`/api/animes/full?${query}`);
  expect(response.status, query).toBe(200);
  return (await response.json()) as Answer;
}
const status = async (path: string) => (await request(path)).status;
const total = async (query: string) => (await list(query)).meta.total_items;
const having = (test: (anime: Anime) => boolean) => generated.filter(test).length;

describe("GET /api/animes/full", () => {
  test("no parameters get the 30 best rated titles with all specified fields and the page numbers", async () => {
    const { data, meta } = await list("");
    expect(meta).toEqual({ total_items: 405, current_page: 1, last_page: 14, per_page: 30 });
    expect(data).toHaveLength(30);
    expect(data.map((anime) => anime.score)).toEqual(
      data.map((anime) => anime.score).toSorted((a, b) => (b ?? 0) - (a ?? 0)),
    );
    expect(Object.keys(data[0]!).sort()).toEqual(specifiedFields.toSorted());
    expect(data[0]).toMatchObject({
      status: "Finished Airing",
      airing: false,
      aired_from: expect.stringMatching(/^\d{4}-04-01T00:00:00\.000Z$/),
    });
  });

  test("a missing picture is replaced with our poster's absolute URL, and a missing banner stays null", async () => {
    const { data } = await list("search_query=Ikuta");
    expect(data[0]).toMatchObject({
      mal_id: 8001,
      image_webp: expect.stringMatching(/^http:\/\/localhost:3000\/poster\/8001\.webp\?w=\d+$/),
      banner_image: null,
    });
    const withBanner = await list("banners_filter=true&limit_count=1");
    expect(withBanner.data[0]?.banner_image).toBe("http://localhost:3000/banner.webp");
  });

  test("the answer has the documented cache headers and a strong ETag, which gets 304", async () => {
    const response = await request("/api/animes/full");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=7200, s-maxage=7200");
    expect(response.headers.get("Vary")).toBe("Cookie, Accept-Encoding");
    const expires = Date.parse(response.headers.get("Expires") ?? "") - Date.now();
    // Two hours from now, within one hour.
    expect(Math.abs(expires - 7_200_000)).toBeLessThan(3_600_000);
    const tag = response.headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    const again = await request("/api/animes/full", { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test("parental_control=false with a session cookie gets an answer that no cache may store", async () => {
    const headers = { Cookie: "engawa-session=anything" };
    const asked = await request("/api/animes/full?parental_control=false", { headers });
    expect(asked.headers.get("Cache-Control")).toBe("private, no-store");
    const plain = await request("/api/animes/full", { headers });
    expect(plain.headers.get("Cache-Control")).toContain("public");
  });

  test("public answers vary by Cookie, so a cache before the site never serves them to a child or a stricter member", async () => {
    const vary = async (path: string) => (await request(path)).headers.get("Vary")?.split(", ") ?? [];
    for (let round = 0; round < 2; round++)
      for (const path of [
        "/api/animes/full?parental_control=false&limit_count=1",
        "/api/animes/full?limit_count=1",
        "/v4/anime?limit=1",
        "/poster/8001.webp",
      ])
        expect(await vary(path), path).toContain("Cookie");
  });

  test("HEAD gets 200 without a body, and POST gets 405", async () => {
    const head = await request("/api/animes/full", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await request("/api/animes/full", { method: "POST" });
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("filters", () => {
  const has =
    (...names: string[]) =>
    (anime: Anime) =>
      names.some((name) => anime.genres.includes(name));

  test.each([
    ["genre_filter=Action", having(has("Action"))],
    ["genre_filter=action,COMEDY", having(has("Action", "Comedy"))],
    ["genre_filter=action_comedy", having(has("Action", "Comedy"))],
    [
      "genre_filter=action,comedy&genre_match=all",
      having((anime) => has("Action")(anime) && has("Comedy")(anime)),
    ],
    ["genre_filter=slice_of_life", having(has("Slice of Life"))],
    [
      "genre_filter=sci+fi&genre_exclude=drama",
      having((anime) => has("Sci-Fi")(anime) && !has("Drama")(anime)),
    ],
    ["type_filter=tv,movie", having((anime) => anime.type === "TV" || anime.type === "Movie") + 1],
    [
      "season_filter=fall&year_filter=1999",
      having((anime) => anime.season === "Fall" && anime.year === 1999),
    ],
    ["score_filter=8.5", having((anime) => (anime.score ?? 0) >= 8.5)],
    ["aired_day_filter=sundays", having((anime) => anime.broadcast_day === "Sunday")],
    ["rating_filter=r", having((anime) => anime.rating === "R - 17+ (violence & profanity)")],
    ["rating_filter=r%2B", having((anime) => anime.rating === "R+ - Mild Nudity")],
    ["rating_filter=r+", having((anime) => anime.rating === "R+ - Mild Nudity")],
    [
      "rating_filter=R%2B+-+Mild+Nudity,g",
      having((anime) => anime.rating === "R+ - Mild Nudity" || anime.rating === "G - All Ages"),
    ],
    [
      "rating_filter=PG-13+-+Teens+13+or+older",
      having((anime) => anime.rating === "PG-13 - Teens 13 or older"),
    ],
    ["banners_filter=true", having((anime) => anime.banner_image !== null)],
    ["studio_filter=Yamamura+Animation,+Inc.", 1],
    ["studio_filter=bones,STUDIO+7", 2 + having((anime) => anime.mal_id % 50 === 7)],
    ["studio_filter=nobody", 0],
    ["status_filter=not_yet_aired", 4],
    ["status_filter=Currently+Airing", 1],
    ["playable=true", 1],
  ])("%s counts the matching titles", async (query, expected) => {
    expect(expected).toBeGreaterThanOrEqual(query.includes("nobody") ? 0 : 1);
    expect(await total(query)).toBe(expected);
  });

  test("with several filters, every matching title is on exactly one page", async () => {
    const query =
      "genre_filter=action,drama&type_filter=tv,ova&score_filter=6&order_by=title_asc&limit_count=7";
    const first = await list(query);
    const pages = await Promise.all(
      Array.from({ length: Number(first.meta.last_page) }, (_, index) =>
        list(`${query}&page_number=${index + 1}`),
      ),
    );
    const ids = pages.flatMap(({ data }) => data.map((anime) => anime.mal_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(Number(first.meta.total_items));
  });

  test("an unknown value gets 400 with the allowed ones", async () => {
    for (const query of [
      "genre_filter=nonsense",
      "type_filter=film",
      "order_by=luck",
      "season_filter=autumn",
      "status_filter=soon",
      "aired_day_filter=someday",
      "rating_filter=x",
    ]) {
      const response = await request(`/api/animes/full?${query}`);
      const body = (await response.json()) as { error: string; status: number; issues: unknown[] };
      expect([response.status, body.status, body.issues.length], query).toEqual([400, 400, 1]);
    }
    const { error } = (await (await request("/api/animes/full?genre_filter=nonsense")).json()) as {
      error: string;
    };
    expect(error).toContain("Slice of Life");
  });
});

test("HEAD gets the headers of GET, also when no answer is cached", async () => {
  const path = "/api/animes/full?limit_count=3&genre_filter=comedy";
  const [head, get] = [await request(path, { method: "HEAD" }), await request(path)];
  expect(await head.text()).toBe("");
  for (const name of ["ETag", "Content-Length", "Content-Type", "Cache-Control"])
    expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  const withTag = { "If-None-Match": get.headers.get("ETag") ?? "" };
  expect((await request(path, { method: "HEAD", headers: withTag })).status).toBe(304);
  const session = await request("/api/auth/session", { method: "HEAD" });
  expect(session.headers.get("Content-Length")).toBe(
    (await request("/api/auth/session")).headers.get("Content-Length"),
  );
});

describe("other spellings of parameters", () => {
  const same = async (query: string, meant: string) =>
    expect(await total(query), query).toBe(await total(meant));

  test("a repeated filter, with or without brackets, adds its values", async () => {
    await same("genre_filter=drama&genre_filter=action", "genre_filter=drama,action");
    await same(
      "genre_filter[]=drama&genre_filter[]=action&type_filter=tv",
      "genre_filter=drama,action&type_filter=tv",
    );
    await same("year_filter=1999&year_filter=2000", "year_filter=1999,2000");
    await same("rating_filter=r%2B&rating_filter%5B%5D=g", "rating_filter=r%2B,g");
    await same("type_filter=tv&type_filter=", "type_filter=tv");
  });

  test("ratings without a hyphen, words in capitals and short forms of numbers are understood", async () => {
    for (const code of ["pg13", "PG_13", "PG+13", "pg-13"])
      await same(`rating_filter=${code}`, "rating_filter=pg-13");
    await same("rating_filter=g_r%2B", "rating_filter=g,r%2B");
    await same("genre_filter=action,drama&genre_match=ALL", "genre_filter=action,drama&genre_match=all");
    await same("score_filter=0", "");
    await same("score_filter=.5", "score_filter=0.5");
    await same("score_filter=7.", "score_filter=7");
    await same("score_filter=1e1", "score_filter=10");
  });

  test("contradicting values of parental_control keep it on, in any order and spelling", async () => {
    for (const query of [
      "parental_control=false&parental_control=true",
      "parental_control=true&parental_control=false",
      "parental_control=false&parentalControl=true",
      "parental_control=true&parentalControl=false",
      "parental_control=false&parental_control[]=true",
    ])
      expect(await total(`score_filter=9.5&${query}`), query).toBe(0);
    expect(await total("score_filter=9.5&parental_control=false&parentalControl=0")).toBe(3);
    expect(await status("/api/animes/getAnime?id=9001&parental_control=false&parental_control=true")).toBe(
      403,
    );
    expect(await status("/api/animes/full?parental_control=false&parental_control=perhaps")).toBe(400);
  });

  test.each([
    ["score_filter=-1", "score_filter: must be a number from 0 to 10"],
    ["score_filter=ten", "score_filter: must be a number from 0 to 10"],
    ["page_number=-1", "page_number: must be a whole number from 1 to 1000000000"],
    ["genre_match=both", "genre_match: must be one of any, all"],
    ["rating_filter=x,y,z", 'rating_filter: must be one of g, pg, pg-13, r, r+, rx, not "x"'],
    [`search_query=${"x".repeat(10_001)}`, "search_query: must have at most 10000 characters"],
  ])("%.40s gets 400 with one plain message", async (query, error) => {
    const response = await request(`/api/animes/full?${query}`);
    const body = (await response.json()) as { error: string; issues: unknown[] };
    expect([response.status, body.error, body.issues.length]).toEqual([400, error, 1]);
  });

  test("a missing parameter gets the message that it is missing", async () => {
    const body = (await (await request("/api/episodes/getEpisode?mal_id=1")).json()) as { issues: unknown };
    expect(body.issues).toEqual([{ path: "ep", message: "is missing" }]);
  });
});

describe("orders and pages", () => {
  const scores = async (order: string) =>
    (await list(`order_by=${order}&limit_count=100&page_number=5`)).data.map((anime) => anime.score);

  test("titles without a score come last in both directions", async () => {
    expect((await scores("score")).at(-1)).toBeNull();
    expect((await scores("score_asc")).at(-1)).toBeNull();
  });

  test.each(["score", "score+desc", "score_desc", "SCORE"])(
    "order_by=%s is the same as order_by=score",
    async (order) => {
      expect((await list(`order_by=${order}`)).data).toEqual((await list("order_by=score")).data);
    },
  );

  const key = (title: string) => Buffer.from(sortKey(title));

  test("a page in the order of titles is read from an index alone", async () => {
    await db.execute(sql`vacuum analyze titles`);
    for (const order of ["asc", "desc"]) {
      const plan = await db.execute(
        sql`explain select mal_id from titles where not is_mature order by title_key ${sql.raw(order)}, mal_id limit 30`,
      );
      expect(JSON.stringify(plan)).toContain("Index Only Scan using titles_by_title");
      expect(JSON.stringify(plan)).not.toContain("Sort");
    }
  });

  test("order_by sorts by title, by popularity and by date", async () => {
    const sorted = (await list("order_by=title_asc&limit_count=100&type_filter=movie")).data.map(
      (anime) => anime.title,
    );
    expect(sorted).toEqual(sorted.toSorted((a, b) => Buffer.compare(key(a), key(b))));
    const reversed = (await list("order_by=title&limit_count=100&type_filter=movie")).data.map(
      (anime) => anime.title,
    );
    expect(reversed).toEqual(sorted.toReversed());
    expect((await list("order_by=popularity")).data[0]?.mal_id).toBe(1);
    expect((await list("order_by=newest")).data[0]?.mal_id).toBe(8003);
  });

  test("a page past the end gets 200 without titles, and limit_count is at most 100", async () => {
    const { data, meta } = await list("page_number=1000000000");
    expect([data, meta.total_items, meta.current_page]).toEqual([[], 405, 1_000_000_000]);
    expect((await list("limit_count=1000")).meta.per_page).toBe(100);
    expect((await list("page=2&limit=5")).meta).toMatchObject({ current_page: 2, per_page: 5 });
  });
});

test("titles are sorted by their first letter or digit, as the language does, and Chobits stands before Chou…", async () => {
  const names = [
    "3-gatsu no Lion",
    "[C] The Money of Soul",
    "Chobits",
    "chocolat",
    "Chou Kuse ni Narisou",
    "Éclair",
    "Eden",
    ".hack//Sign",
    '"Oshi no Ko"',
    "Zipang",
    "ガンダム",
    "縁側",
  ];
  // The year separates these titles from the other tests' titles.
  const year = 1931;
  await importTitles(
    names.toReversed().map((title, at) => ({ kind: "title", mal_id: 9700 + at, title, year })),
  );
  const sorted = async (order: string) =>
    (await list(`order_by=${order}&year_filter=1931`)).data.map(({ title }) => title);
  expect(await sorted("title_asc")).toEqual(names);
  expect(await sorted("title")).toEqual(names.toReversed());
  await db.delete(titles).where(gte(titles.malId, 9700));
});

describe("hostile parameters", () => {
  test.each(
    [
      ...["0", "-1", "1e9", "NaN", "99999999999999999999"].map((value) => ["page_number", value]),
      ...["0", "1.5"].map((value) => ["limit_count", value]),
      ...["NaN", "1e9", "-1"].map((value) => ["score_filter", value]),
      ["year_filter", "1e3"],
      ...["__proto__", "constructor", "a,".repeat(2500)].map((value) => ["genre_filter", value]),
      ["type_filter[]", "TV"],
      ["type_filter", "TV&type_filter=Movie"],
      ["__proto__", "x"],
      ["__proto__[polluted]", "1"],
      ...[
        "%25",
        "_",
        "%5C",
        "'%3B--",
        "%E2%80%8B%E2%80%AE",
        "%F0%9F%A6%8A",
        "%00",
        "%ED%A0%80",
        "x".repeat(5000),
      ].map((value) => ["search_query", value]),
      ["studio_filter", "b_".repeat(2500)],
      ["rating_filter", "r,".repeat(2500)],
      ["rating_filter", "constructor"],
      ["parental_control", "maybe"],
      ["order_by", "__proto__"],
    ].map(([name, value = ""]) => ({ name, value, shown: value.slice(0, 20) })),
  )("$name=$shown gets 200 or 400", async ({ name, value }) => {
    expect([200, 400]).toContain(await status(`/api/animes/full?${name}=${value}`));
  });

  test("percent and underscore in a search match only themselves", async () => {
    expect((await list("search_query=100%25")).data.map((anime) => anime.mal_id)).toEqual([8002]);
    expect((await list("search_query=n_k_ta")).data).toEqual([]);
  });
});

describe("a mature title", () => {
  const hidden = mature.map(({ mal_id }) => mal_id);
  const everyId = async (query: string) =>
    (await list(`limit_count=100&${query}`)).data.map((anime) => anime.mal_id);

  test("is in no listing, search, suggestion or relation", async () => {
    for (const query of [
      "score_filter=9.5",
      "search_query=hidden",
      "genre_filter=erotica,hentai",
      "rating_filter=rx",
    ])
      expect(await everyId(query), query).toEqual([]);
    const suggested = (await (await request("/api/animes/suggest?q=hidden")).json()) as Answer;
    expect(suggested.data).toEqual([]);
    const { data } = (await (await request("/api/animes/getAnime?id=8001")).json()) as {
      data: { relations: unknown[] };
    };
    expect(data.relations).toEqual([
      { relation: "other", mal_id: 77777, title: "Not held here" },
      { relation: "sequel", mal_id: 8002, title: "Underscore_100%" },
    ]);
  });

  test("gets 403 by its id and is never the random title", async () => {
    for (const id of hidden) {
      expect(await status(`/api/animes/getAnime?id=${id}`)).toBe(403);
      expect(await status(`/api/episodes?id=${id}`)).toBe(403);
      expect(await status(`/api/episodes/getEpisode?mal_id=${id}&ep=1`)).toBe(403);
    }
    expect(await status("/api/animes/random?score_filter=9.5")).toBe(404);
  });

  test("is shown with parental_control=false, and a filter that finds only mature titles explains its empty result", async () => {
    expect(await everyId("score_filter=9.5&parental_control=false")).toEqual(hidden);
    expect(await everyId("score_filter=9.5&parentalControl=false")).toEqual(hidden);
    expect(await status("/api/animes/getAnime?id=9001&parental_control=false")).toBe(200);
    expect((await list("genre_filter=hentai")).meta.notice).toMatch(/parental control/i);
    expect((await list("genre_filter=hentai&parental_control=false")).meta.notice).toBeUndefined();
    expect((await list("genre_filter=action")).meta.notice).toBeUndefined();
  });
});

describe("titles and episodes", () => {
  test("a title is found by id or mal_id; an invalid id gets 400 and an unknown one 404", async () => {
    const { data } = (await (await request("/api/animes/getAnime?mal_id=8001")).json()) as { data: Anime };
    expect(data).toMatchObject({ mal_id: 8001, episode_count: 1 });
    expect(data).not.toHaveProperty("playable");
    for (const query of ["", "id=", "id=0", "id=abc", "id=1e3", "id=99999999999"])
      expect(await status(`/api/animes/getAnime?${query}`), query).toBe(400);
    expect(await status("/api/animes/getAnime?id=424242")).toBe(404);
  });

  test("a title's episodes are listed up to their number, 100 a page", async () => {
    for (const path of ["/api/episodes", "/api/animes/episodes"]) {
      const { data, meta } = (await (await request(`${path}?id=1`)).json()) as Answer;
      expect(meta).toEqual({ total_items: 12, current_page: 1, last_page: 1, per_page: 100 });
      expect(data.map((episode) => episode.episode_id)).toEqual(
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
      expect(await (await request(`${path}?id=1&page=2`)).json()).toMatchObject({ data: [] });
    }
  });

  test("an episode has its sources; one past the last gets 404 and an invalid number 400", async () => {
    for (const path of ["/api/episodes/getEpisode", "/api/animes/episode"]) {
      const { data } = (await (await request(`${path}?mal_id=8001&ep=1`)).json()) as { data: Anime };
      expect(data).toEqual({
        id: "8001-1",
        anime_mal_id: 8001,
        episode_id: 1,
        title: null,
        description: null,
        date: null,
        image_url: null,
        video_url: expect.stringMatching(/^http:\/\/localhost:3000\/film\/[\da-f-]{36}$/),
        duration: null,
        sources: [
          {
            url: expect.stringMatching(/^http:\/\/localhost:3000\/film\/[\da-f-]{36}$/),
            type: "mp4",
            label: null,
            language: null,
          },
        ],
        subtitles: [],
        skip: [],
        chapters: [],
      });
      expect(await status(`${path}?mal_id=8001&ep=2`)).toBe(404);
      expect(await status(`${path}?mal_id=8001&ep=0`)).toBe(400);
      expect(await status(`${path}?mal_id=8001`)).toBe(400);
    }
  });

  test("a random title matches the filters, changes, and no cache may store it", async () => {
    const found = new Set<number>();
    for (let round = 0; round < 12; round++) {
      const response = await request("/api/animes/random?genre_filter=drama&type_filter=ova");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      const { data } = (await response.json()) as { data: Anime };
      expect([data.genres.includes("Drama"), data.type]).toEqual([true, "OVA"]);
      found.add(data.mal_id);
    }
    expect(found.size).toBeGreaterThan(1);
    expect(await status("/api/animes/random?studio_filter=nobody")).toBe(404);
  });
});

test("the 101st request of a client in a minute gets 429, whatever X-Forwarded-For says; another endpoint or client does not", async () => {
  const address = "203.0.113.9";
  const answers: Response[] = [];
  for (let call = 0; call < 103; call++)
    answers.push(
      await request("/api/animes/full?limit_count=1", {
        address,
        headers: { "X-Forwarded-For": `198.51.100.${call}` },
      }),
    );
  expect(answers.map((answer) => answer.status)).toEqual([...Array(100).fill(200), 429, 429, 429]);
  expect(answers.slice(0, 100).map((answer) => answer.headers.get("X-RateLimit-Remaining"))).toEqual(
    Array.from({ length: 100 }, (_, index) => String(99 - index)),
  );
  expect(await answers[100]?.json()).toEqual({
    error: { message: "Too many requests", type: "rate_limit", statusCode: 429 },
  });
  expect(Number(answers[100]?.headers.get("Retry-After"))).toBeGreaterThan(0);
  for (const alias of [
    "/API/animes/full",
    "/api/animes/full/",
    "/api/animes/%66ull",
    "//api/animes/full",
    "/api/animes/full.data",
  ])
    expect((await request(alias, { address })).status, alias).not.toBe(200);
  expect((await request("/api/animes/full", { address: "203.0.113.10" })).status).toBe(200);
  expect((await request("/api/animes/getAnime?id=1", { address })).status).toBe(200);
});
