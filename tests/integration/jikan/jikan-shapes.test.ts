import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { jikanCalls, jikanPeopleCalls } from "#tests/support/checks/jikan-calls.ts";
import { complaintsOfJikan, jikanPaths } from "#tests/support/checks/jikan-description.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { addPeople } from "#tests/support/data/people.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Compares answers of /v4 with Jikan's own description, for the starter catalog. */

beforeAll(async () => {
  await seedStarterCatalog();
});

async function answerOf(call: string) {
  const response = await request(`/v4${call}`);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const isOneOf = (path: string, ...starts: string[]) => starts.some((start) => path.startsWith(start));

describe("answers", () => {
  test("every route and parameter is answered as Jikan describes it", async () => {
    const complaints: string[] = [];
    const companies = await answerOf("/producers?q=sunrise");
    await addPeople({ malId: 1, personId: 1_000_001, characterId: 1_100_001 });
    const calls = [
      ...jikanCalls({ id: 1, producer: companies.body.data[0].mal_id }),
      ...jikanPeopleCalls(1_000_001, 1_100_001),
    ];
    for (const { path, call } of calls) {
      const { status, body } = await answerOf(call);
      if (status !== 200) complaints.push(`${call}: ${status} ${JSON.stringify(body)}`);
      complaints.push(...complaintsOfJikan(path, body).map((one) => `${call}: ${one}`));
    }
    expect(complaints).toEqual([]);
  });

  test("a route that exists only at Jikan answers 404 in words", async () => {
    const offered = new Set(
      [...jikanCalls({ id: 1, producer: 14 }), ...jikanPeopleCalls(2, 3)].map(({ path }) => path),
    );
    const others = jikanPaths.filter((path) => !offered.has(path) && path !== "/anime/{id}/statistics");
    expect(others.length).toBeGreaterThan(60);
    for (const path of others.filter((one) =>
      isOneOf(one, "/anime", "/characters", "/manga", "/top", "/users"),
    )) {
      const { status, body } = await answerOf(path.replace(/\{\w+\}/g, "1"));
      expect([path, status, body]).toEqual([
        path,
        404,
        { status: 404, type: "BadResponseException", message: "This is not in this catalog", error: null },
      ]);
    }
  });
});

describe("a title", () => {
  test("has every field, with Jikan's spellings of dates, names, links and pictures", async () => {
    await importTitles([
      {
        kind: "title",
        mal_id: 88_000_001,
        title: "Whole",
        title_english: "Whole!",
        title_japanese: "全部",
        title_synonyms: ["All"],
        type: "TV",
        source: "Manga",
        episodes: 2,
        status: "Finished Airing",
        aired_from: "2020-04-03T00:00:00.000Z",
        aired_to: "2020-04-10T00:00:00.000Z",
        duration: "24 min per ep",
        rating: "PG-13 - Teens 13 or older",
        score: 10,
        scored_by: 12,
        popularity: 9,
        members: 20,
        favorites: 3,
        synopsis: "S.",
        background: "B.",
        season: "Spring",
        year: 2020,
        broadcast_day: "Friday",
        broadcast_time: "23:30",
        broadcast_timezone: "Asia/Tokyo",
        youtube_id: "abc",
        trailer_url: "https://youtu.be/abc",
        genres: ["Action"],
        themes: ["School"],
        studios: ["Sunrise"],
        producers: ["Unheard Of"],
        licensors: [],
        demographics: ["Shounen"],
        external_ids: ["anidb:99001"],
      },
      { kind: "title", mal_id: 88_000_002, title: "Next" },
      { kind: "relation", from: 88_000_001, to: 88_000_002, relation: "sequel" },
    ]);
    const { body } = await answerOf("/anime/88000001/full");
    // Companies that no import has numbered get numbers that depend on the other companies.
    const answer = JSON.stringify(body).replaceAll(/\b10\d{5}\b/g, "1000000");
    expect(JSON.parse(answer)).toEqual(JSON.parse(readFileSync("tests/fixtures/jikan-title.json", "utf8")));
  });

  test("with nothing but a name known has every field too, null where nothing is known", async () => {
    const [whole, bare] = await Promise.all([
      answerOf("/anime/88000001/full"),
      answerOf("/anime/88000002/full"),
    ]);
    const fieldsOf = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fieldsOf(one)]))
        : null;
    expect(fieldsOf(bare.body)).toEqual(fieldsOf(whole.body));
    expect(bare.body.data).toMatchObject({ score: null, rank: null, aired: { string: null }, season: null });
  });

  test("listed by fewer than ten members has no statistics, so that no member's list can be inferred", async () => {
    expect((await answerOf("/anime/1/statistics")).body).toMatchObject({
      status: 404,
      type: "BadResponseException",
    });
  });

  test("the pictures are JPEG under .jpg and WebP under .webp", async () => {
    const { body } = await answerOf("/anime/88000001/pictures");
    for (const [format, type] of [
      ["jpg", "image/jpeg"],
      ["webp", "image/webp"],
    ] as const)
      for (const url of Object.values(body.data[0].images[format]) as string[]) {
        expect(url).toMatch(new RegExp(`\\.${format}$`));
        const response = await request(new URL(url).pathname);
        expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
      }
  });
});
