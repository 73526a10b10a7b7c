import { rmSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { type Media, someMedia, startAniList } from "#tests/support/servers/anilist.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** The queue of details against a stand-in of AniList, by a clock that these tests set. */

let time = Date.UTC(2026, 5, 1);
const source = await startAniList({ now: () => time });
/** Its port is not allowed, so a picture there has a private address. */
const privateServer = await startUpstream((_, response) => void response.end("secret"));
process.env.DETAILS_URL = source.origin;
process.env.ALLOW_PRIVATE_UPSTREAMS = new URL(source.origin).host;

const { db, withTransaction } = await import("#db/client.server.ts");
const { titleRecords, titleRelations, titles } = await import("#db/schema/catalog.ts");
const { franchiseTitles } = await import("#db/schema/franchises.ts");
const { episodeSources, episodes } = await import("#db/schema/episodes.ts");
const { storedImages } = await import("#db/schema/images.ts");
const { watchList } = await import("#db/schema/library.ts");
const {
  characters,
  characterVoices,
  detailPictures,
  detailState,
  episodeStills,
  people,
  titleCharacters,
  titleDetails,
  titleStaff,
  titleStreams,
  titleTags,
} = await import("#db/schema/details.ts");
const { markCatalogChanged } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { runDetails, getDetailProgress, findDetailTrouble } = await import(
  "#app/domain/details/details.server.ts"
);
const { askAgain, isAnythingDue, recordOpened } = await import("#app/domain/details/queue.server.ts");
const { aniList } = await import("#app/domain/details/sources/anilist.server.ts");
const { deleteUnusedPictures } = await import("#app/domain/images/images.server.ts");
const { saveSiteSettings } = await import("#app/domain/setup/setup.server.ts");
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { someUser } = await import("#tests/support/data/database-rows.ts");
const { untilQueriesWait } = await import("#tests/support/database/lock-waits.ts");
const { whileRefused } = await import("#tests/support/database/refused-writes.ts");

const clock = {
  now: () => new Date(time),
  sleep: async (ms: number) => {
    time += ms;
  },
};
const operator = { kind: "command", ip: null } as const;
const choose = (details: boolean | null) => saveSiteSettings({ details }, operator);
const run = () => runDetails({ clock });
const pass = (ms: number) => {
  time += ms;
};
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const finished = (malId: number, more = {}) => ({
  mal_id: malId,
  title: `Name ${malId}`,
  title_synonyms: [`Other name ${malId}`],
  type: "TV",
  status: "Finished Airing",
  ...more,
});
/** Titles that a member lists, and that the stand-in knows. */
async function listed(
  count: number,
  media: (malId: number) => Media | null = (malId) => someMedia(malId, source.origin),
) {
  const malIds = Array.from({ length: count }, (_, at) => at + 1);
  await importTitles(malIds.map((malId) => finished(malId)));
  const userId = await someUser();
  await db.insert(watchList).values(malIds.map((malId) => ({ userId, malId, type: "To Watch" as const })));
  source.media = malIds.flatMap((malId) => media(malId) ?? []);
  return malIds;
}
const row = async (malId: number) => (await db.select().from(titles).where(eq(titles.malId, malId)))[0];
const details = async (malId: number) =>
  (await db.select().from(titleDetails).where(eq(titleDetails.malId, malId)))[0];

beforeEach(async () => {
  await db.delete(watchList);
  await db.delete(titles);
  for (const table of [people, characters, detailPictures, detailState]) await db.delete(table);
  Object.assign(source, {
    media: [],
    asked: [],
    answered: [],
    sentAt: [],
    pictures: [],
    complexityPerTitle: 5,
    fault: () => false,
    picture: () => false,
  });
  pass(2 * day);
  await choose(true);
});

test("until an operator turns details on, nobody is asked", async () => {
  await listed(3);
  await choose(false);
  await run();
  expect(source.asked).toEqual([]);
  await choose(true);
  await run();
  expect(source.asked).toEqual([[1, 2, 3]]);
});

test("while details of a title are being stored, a member can put it on the list", async () => {
  const [malId = 0] = await listed(1);
  const userId = await someUser();
  const { running } = await withTransaction(async (transaction) => {
    // The details are written before the run waits for the catalog's version.
    await markCatalogChanged(transaction, []);
    const running = run();
    await untilQueriesWait();
    await db.insert(watchList).values({ userId, malId, type: "Watching" });
    return { running };
  });
  await running;
  expect(await row(malId)).toMatchObject({ titleEnglish: "The Title 1" });
});

test("a title gets texts, people, tags, streams and pictures of this site", async () => {
  await listed(1);
  await run();
  expect(await row(1)).toMatchObject({
    title: "Name 1",
    titleSynonyms: ["Other name 1"],
    titleEnglish: "The Title 1",
    synopsis: "What happens in 1.\n\nIt ends.",
    episodes: 13,
    score: 8.1,
    members: 12_345,
    favorites: 678,
    studios: ["Studio Porch"],
    youtubeId: "abcdefghijk",
    imageUrl: expect.stringMatching(/^\/ipfs\//),
    bannerImage: expect.stringMatching(/^\/ipfs\//),
  });
  expect(await db.select().from(titleTags).orderBy(titleTags.name)).toMatchObject([
    { name: "Kitchen", isSpoiler: false },
    { name: "Time Skip", isSpoiler: true },
  ]);
  expect(await db.select().from(titleStreams)).toMatchObject([
    { site: "Streamer", url: "https://stream.example.org/1" },
  ]);
  expect(await db.select().from(characters)).toMatchObject([
    { id: 1_000_000, name: "Character 7", pictureCid: expect.any(String) },
  ]);
  expect(await db.select().from(people).orderBy(people.id)).toMatchObject([
    { id: 1_000_000, name: "Person 70", pictureCid: expect.any(String) },
    { id: 1_000_001, name: "Person 71", pictureCid: null },
  ]);
  expect(await db.select().from(titleCharacters)).toMatchObject([{ malId: 1, role: "main" }]);
  expect(await db.select().from(characterVoices)).toMatchObject([
    { personId: 1_000_000, language: "Japanese" },
  ]);
  expect(await db.select().from(titleStaff)).toMatchObject([{ personId: 1_000_001, role: "Director" }]);
  expect(await db.select().from(episodes)).toMatchObject([
    { number: 1, title: "It Begins", airedAt: new Date("2015-04-03T15:00:00Z"), imageUrl: null },
  ]);
  expect(source.pictures.sort()).toEqual([
    "/banner-1.png",
    "/character-7.png",
    "/cover-1.png",
    "/person-70.png",
  ]);
});

test("a picture whose bytes are gone is fetched again once somebody asks for it", async () => {
  await listed(1);
  await run();
  const path = String((await row(1))?.imageUrl);
  expect((await request(path)).status).toBe(200);
  rmSync(join(process.env.DATA_DIR ?? "", "images"), { recursive: true });
  await run();
  expect(source.pictures.filter((one) => one === "/cover-1.png")).toHaveLength(1);
  for (const lost of [path, path, "/ipfs/no-picture"]) expect((await request(lost)).status).toBe(404);
  await run();
  expect(source.pictures.filter((one) => one === "/cover-1.png")).toHaveLength(2);
  expect((await request(path)).status).toBe(200);
});

test("stills of episodes are fetched only where this site has films", async () => {
  await listed(2);
  await db.insert(episodes).values({ malId: 2, number: 1 });
  await db.insert(episodeSources).values({ malId: 2, episode: 1, url: "media:a.mkv", type: "file" });
  await run();
  expect(source.pictures.filter((path) => path.startsWith("/still"))).toEqual(["/still-2.png"]);
  expect(await db.select().from(episodes).orderBy(episodes.malId)).toMatchObject([
    { malId: 1, imageUrl: null },
    { malId: 2, imageUrl: expect.stringMatching(/^\/ipfs\//) },
  ]);
});

test("an import of the operator and an edit outrank details, the offline database does not", async () => {
  await listed(1);
  await importTitles([finished(1, { synopsis: "The operator's file", score: 3 })]);
  await run();
  expect(await row(1)).toMatchObject({
    synopsis: "The operator's file",
    score: 3,
    titleEnglish: "The Title 1",
  });
});

test("the queue ends: a thousand titles a day in requests of fifty, no faster than 25 a minute", async () => {
  await listed(1010, (malId) =>
    someMedia(malId, source.origin, {
      coverImage: null,
      bannerImage: null,
      characters: { edges: [] },
      staff: { edges: [] },
    }),
  );
  const begun = time;
  await run();
  expect(source.asked.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 50));
  expect(time - begun).toBeGreaterThanOrEqual(19 * 2400);
  expect(await getDetailProgress()).toMatchObject({
    answered: 1000,
    waiting: [{ reason: "listed", count: 10 }],
  });
  await run();
  expect(source.asked).toHaveLength(20);
  pass(day);
  await run();
  expect(source.asked.at(-1)).toHaveLength(10);
  expect(new Set(source.answered).size).toBe(source.answered.length);
  pass(day);
  await run();
  expect(source.asked).toHaveLength(21);
});

test("a title that somebody opens is asked for before all others", async () => {
  await listed(60);
  await recordOpened(60, clock);
  await run();
  expect(source.asked[0]?.slice(0, 2)).toEqual([60, 1]);
});

test("a title that is opened while a request waits for its turn is in that request", async () => {
  await listed(60);
  await db.insert(detailState).values({ nextAt: new Date(time + 10_000) });
  await runDetails({
    clock: {
      now: clock.now,
      sleep: async (ms) => {
        await recordOpened(60, clock);
        time += ms;
      },
    },
  });
  expect(source.asked[0]?.[0]).toBe(60);
});

test("films come before lists, lists before what airs, and all other titles are not asked for", async () => {
  await importTitles([
    finished(1),
    finished(2, { status: "Currently Airing" }),
    finished(3),
    finished(4),
    finished(900_000_077),
    finished(900_100_001),
  ]);
  const userId = await someUser();
  await db
    .insert(watchList)
    .values([3, 900_000_077, 900_100_001].map((malId) => ({ userId, malId, type: "Watching" as const })));
  await db.insert(episodes).values({ malId: 4, number: 1 });
  await db.insert(episodeSources).values({ malId: 4, episode: 1, url: "media:a.mkv", type: "file" });
  source.media = [1, 2, 3, 4].map((malId) => someMedia(malId, source.origin));
  await run();
  expect(source.asked).toEqual([[4, 3, 2]]);
});

test("429 waits as told, and without a word until the back-off ends", async () => {
  await listed(1);
  const headers: Record<string, string>[] = [{ "retry-after": "45" }, {}];
  source.fault = (response) => {
    const next = headers.shift();
    if (!next) return false;
    response.writeHead(429, next).end();
    return true;
  };
  const begun = time;
  await run();
  expect(source.asked).toHaveLength(3);
  expect(time - begun).toBeGreaterThanOrEqual(45_000 + 60_000);
  expect(await row(1)).toMatchObject({ titleEnglish: "The Title 1" });
});

test("an outage of two days backs off to an hour, tells operators after a day, and loses nothing", async () => {
  const malIds = await listed(5);
  let isHtml = false;
  source.fault = (response) => {
    isHtml = !isHtml;
    if (isHtml)
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Maintenance</h1>");
    else response.writeHead(503).end();
    return true;
  };
  for (let hours = 0; hours < 48; hours++) {
    await run();
    if (hours === 2) expect(await findDetailTrouble(new Date(time))).toBeNull();
    pass(hour);
  }
  expect(source.asked.length).toBeGreaterThan(40);
  expect(source.asked.length).toBeLessThan(70);
  expect(await findDetailTrouble(new Date(time))).toMatch(
    /^127\.0\.0\.1:\d+ has not told details of titles since/,
  );
  source.fault = () => false;
  pass(hour);
  await run();
  expect(source.answered).toEqual(malIds.map((malId) => 1000 + malId));
  expect(await findDetailTrouble(new Date(time))).toBeNull();
});

test("a request that is too complex is halved until it is accepted", async () => {
  await listed(50);
  source.complexityPerTitle = 20;
  await run();
  expect(source.asked.map(({ length }) => length).slice(0, 2)).toEqual([50, 25]);
  expect(source.answered.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => 1001 + at));
});

test("a title whose answer fails alone does not stop the others", async () => {
  await listed(8);
  source.fault = (response, numbers) => {
    if (!numbers.includes(3)) return false;
    response.writeHead(500).end("Internal Server Error");
    return true;
  };
  await run();
  expect(new Set(source.answered)).toEqual(new Set([1, 2, 4, 5, 6, 7, 8].map((malId) => 1000 + malId)));
  expect(await details(3)).toMatchObject({
    failures: 1,
    problem: "The server answered 500",
    answeredAt: null,
  });
  expect((await getDetailProgress()).failed).toMatchObject([{ malId: 3, title: "Name 3" }]);
});

test("a field that fails beside good data keeps its earlier value", async () => {
  await listed(1);
  await run();
  source.media = [
    someMedia(1, source.origin, { staff: new Error("Internal"), description: "Other words", tags: [] }),
  ];
  pass(200 * day);
  await run();
  expect(await row(1)).toMatchObject({ synopsis: "Other words" });
  expect(await db.select().from(titleStaff)).toHaveLength(1);
  expect(await db.select().from(titleTags)).toEqual([]);
});

test("a list with a part that failed, and a failed count, keep what is stored", async () => {
  const relation = {
    relationType: "SEQUEL",
    node: { id: 1002, idMal: 2, type: "ANIME", title: { romaji: "Title 2" } },
  };
  const media = (more = {}) => someMedia(1, source.origin, { relations: { edges: [relation] }, ...more });
  await listed(2, (malId) => (malId === 1 ? media() : someMedia(2, source.origin, { staff: { edges: [] } })));
  await run();
  const lists = [titleRelations, titleCharacters, characterVoices, titleStaff, titleStreams, titleTags];
  const read = async () => {
    const rows = await Promise.all(
      [...lists, episodeStills].map((table) => db.select().from(table as never)),
    );
    return rows.map((all) => (all as { malId: number }[]).filter(({ malId }) => malId === 1));
  };
  const before = await read();
  for (const rows of before) expect(rows).not.toEqual([]);
  const failed = new Error("Internal");
  source.media = [
    media({
      relations: { edges: [{ relationType: "SEQUEL", node: failed }] },
      characters: { edges: [{ role: "MAIN", node: failed }] },
      staff: { edges: [failed] },
      tags: [failed],
      externalLinks: [failed],
      streamingEpisodes: [failed],
      studios: {
        edges: [
          { isMain: true, node: { name: "Studio Attic" } },
          { isMain: true, node: failed },
        ],
      },
    }),
  ];
  pass(200 * day);
  await run();
  expect(await read()).toEqual(before);
  expect(await row(1)).toMatchObject({ studios: ["Studio Porch"] });
  const [edge] = (media().characters as { edges: { node: object }[] }).edges;
  source.media = [
    media({ characters: { edges: [{ ...edge, node: { ...edge?.node, favourites: failed } }] } }),
  ];
  pass(200 * day);
  await run();
  expect(await db.select().from(characters)).toMatchObject([{ sourceId: "7", favorites: 5 }]);
});

test.each([
  ["voices are missing", { japanese: null, english: [] }],
  ["a voice is missing", { japanese: [], english: [null] }],
])("characters of which %s are not known if a part of the answer failed", (_name, voices) => {
  const edge = { role: "MAIN", node: { id: 7, name: { full: "Character 7" } }, japanese: [], english: [] };
  const read = (more: object) => {
    const media = [{ id: 1, characters: { edges: [edge, { ...edge, ...more }] } }];
    const charactersIn = (errors: object[]) => {
      const answer = aniList.read({ data: { Page: { media } }, errors });
      return answer.ok ? answer.titles.map((title) => title.characters?.length ?? null) : [];
    };
    return [charactersIn([]), charactersIn([{ message: "Internal" }])].flat();
  };
  expect([read({}), read(voices)]).toEqual([
    [1, 1],
    [1, null],
  ]);
});

test("an unknown title waits half a year, and a merged one is found by MyAnimeList's number", async () => {
  await listed(2, (malId) => (malId === 2 ? someMedia(2, source.origin, { id: 5002 }) : null));
  await importTitles([
    finished(1, { external_ids: ["anilist:77"] }),
    finished(2, { external_ids: ["anilist:78"] }),
  ]);
  await run();
  expect(source.asked).toEqual([
    [77, 78],
    [1, 2],
  ]);
  expect(await row(2)).toMatchObject({ titleEnglish: "The Title 2" });
  expect(await details(1)).toMatchObject({ problem: "AniList does not know this title", answeredAt: null });
  pass(150 * day);
  await run();
  expect(source.asked).toHaveLength(2);
});

test("an answer about another title than the catalog's is not taken", async () => {
  await listed(1, () => someMedia(9, source.origin, { id: 77 }));
  await importTitles([finished(1, { external_ids: ["anilist:77"] })]);
  await run();
  expect((await row(1))?.titleEnglish).toBeNull();
});

test("a description of 2 MB becomes 8,000 characters", async () => {
  await listed(1, (malId) =>
    someMedia(malId, source.origin, { description: "~!" + "<b>word</b> [a](b) ".repeat(110_000) }),
  );
  source.media[0] = { ...source.media[0]!, description: "<b>word</b> [a](b) ".repeat(110_000) };
  await run();
  expect((await row(1))?.synopsis?.length).toBeLessThanOrEqual(8000);
  expect((await row(1))?.synopsis).toMatch(/^word a word a/);
});

test("pictures that are none, or at a private address, are given up, and the others come", async () => {
  await listed(2, (malId) =>
    someMedia(
      malId,
      source.origin,
      malId === 1 ? { coverImage: { extraLarge: `${privateServer.origin}/x.png` } } : {},
    ),
  );
  source.picture = (path, response) => {
    if (path !== "/banner-1.png") return false;
    response.end("this is not a picture");
    return true;
  };
  for (let tries = 0; tries < 4; tries++) {
    await run();
    pass(2 * day);
  }
  expect(privateServer.requests).toEqual([]);
  expect(source.pictures.filter((path) => path === "/banner-1.png")).toHaveLength(3);
  expect(source.pictures.filter((path) => path === "/cover-2.png")).toHaveLength(1);
  expect(await row(1)).toMatchObject({ imageUrl: null, bannerImage: null });
  expect(await row(2)).toMatchObject({ imageUrl: expect.stringMatching(/^\/ipfs\//) });
  expect((await getDetailProgress()).pictures).toMatchObject({ waiting: 0, failed: 2 });
});

test("pictures of a run that is cut off before it shows them are shown by the next run", async () => {
  await listed(1);
  await whileRefused("update on title_records", "new.fields ->> 'imageUrl' is not null", () =>
    expect(run()).rejects.toThrow(),
  );
  expect(source.pictures).toContain("/cover-1.png");
  expect(await row(1)).toMatchObject({ imageUrl: null, bannerImage: null });
  await deleteUnusedPictures();
  await run();
  const shown = expect.stringMatching(/^\/ipfs\//);
  expect(await row(1)).toMatchObject({ imageUrl: shown, bannerImage: shown });
  expect((await request(String((await row(1))?.imageUrl))).status).toBe(200);
});

test("a picture that ends a run does not keep back those that were fetched with it", async () => {
  await listed(1);
  source.picture = (path, response) => {
    if (path === "/banner-1.png") response.end("this is not a picture");
    return path === "/banner-1.png";
  };
  await whileRefused("update on detail_pictures", "new.failures > 0", () => expect(run()).rejects.toThrow());
  expect(await row(1)).toMatchObject({ imageUrl: expect.stringMatching(/^\/ipfs\//), bannerImage: null });
});

test("a picture that was given up is tried again when its title is renewed, not when it is opened", async () => {
  await listed(1);
  await db.insert(episodes).values({ malId: 1, number: 1 });
  await db.insert(episodeSources).values({ malId: 1, episode: 1, url: "media:a.mkv", type: "file" });
  const failing = ["/banner-1.png", "/still-1.png"];
  source.picture = (path, response) => {
    if (!failing.includes(path)) return false;
    response.writeHead(503).end();
    return true;
  };
  const tries = () => failing.map((path) => source.pictures.filter((one) => one === path).length);
  for (let runs = 0; runs < 4; runs++) {
    await run();
    pass(2 * day);
  }
  await recordOpened(1, clock);
  await run();
  expect(tries()).toEqual([3, 3]);
  source.picture = () => false;
  await askAgain(1, clock);
  await run();
  expect(tries()).toEqual([4, 4]);
  expect(await row(1)).toMatchObject({ bannerImage: expect.stringMatching(/^\/ipfs\//) });
});

test("a person's new portrait is fetched however low they stand, and the old one stays until then", async () => {
  const person = (id: number, picture: string) => ({
    role: "Animation",
    node: { id, name: { full: `Person ${id}` }, image: { large: `${source.origin}/${picture}` } },
  });
  const media = (edges: object[]) =>
    someMedia(1, source.origin, {
      coverImage: null,
      bannerImage: null,
      characters: { edges: [] },
      staff: { edges },
    });
  await listed(1, () => media([person(90, "old.png")]));
  await run();
  const portrait = async () =>
    (await db.select().from(people).where(eq(people.sourceId, "90")))[0]?.pictureCid;
  const cid = await portrait();
  expect(cid).toEqual(expect.any(String));
  const others = Array.from({ length: 10 }, (_, at) => person(100 + at, "default.jpg"));
  source.media = [media([...others, person(91, "never.png"), person(90, "new.png")])];
  source.picture = (path, response) => {
    if (path === "/new.png") response.writeHead(503).end();
    return path === "/new.png";
  };
  pass(200 * day);
  await run();
  await deleteUnusedPictures();
  expect(source.pictures).toEqual(["/old.png", "/new.png"]);
  expect(await portrait()).toBe(cid);
  source.picture = () => false;
  pass(day);
  await run();
  expect(await db.select().from(detailPictures)).toContainEqual(
    expect.objectContaining({ url: `${source.origin}/new.png`, cid: expect.any(String) }),
  );
});

test("a drawn poster is cached for minutes while a cover may still come", async () => {
  await listed(1, () => null);
  const lifetime = async () => (await request("/poster/1.webp")).headers.get("Cache-Control");
  expect(await lifetime()).toContain("max-age=600");
  await choose(false);
  expect(await lifetime()).toContain("max-age=86400");
});

test("a due picture is no work while the stored ones take all the room", async () => {
  const cid = "as large as the room";
  const kind = "cover";
  await db.insert(detailPictures).values({ url: "https://example.org/1.png", kind, dueAt: clock.now() });
  expect(await isAnythingDue(clock, minute)).toBe(true);
  const size = { bytes: 2 ** 31 - 1, widthPx: 1, heightPx: 1 };
  await db.insert(storedImages).values({ cid, contentType: "image/webp", ...size, storage: "disk" });
  await db.insert(detailPictures).values({ url: "https://example.org/2.png", kind, cid });
  expect(await isAnythingDue(clock, minute)).toBe(false);
});

test("two instances ask for no title twice", async () => {
  await listed(120, (malId) =>
    someMedia(malId, source.origin, { coverImage: null, bannerImage: null, characters: { edges: [] } }),
  );
  await Promise.all([run(), run()]);
  expect(source.answered.length).toBe(120);
  expect(new Set(source.answered).size).toBe(120);
});

test("what airs is renewed after a week, and what has ended twice a year", async () => {
  await listed(2, (malId) =>
    someMedia(
      malId,
      source.origin,
      malId === 1
        ? {
            status: "RELEASING",
            endDate: null,
            nextAiringEpisode: { episode: 9, airingAt: Math.floor(time / 1000) + 3 * 86_400 },
          }
        : {},
    ),
  );
  await run();
  expect(await details(1)).toMatchObject({ nextEpisode: 9 });
  source.asked = [];
  pass(4 * day);
  await run();
  expect(source.asked).toEqual([[1001]]);
  source.asked = [];
  pass(190 * day);
  await run();
  expect(source.asked).toEqual([[1001, 1002]]);
});

test.each(["RELEASING", "HIATUS", "NOT_YET_RELEASED"])(
  "a next episode that a whole answer about a title %s no longer names is forgotten",
  async (status) => {
    const airingAt = Math.floor(time / 1000) + 3 * 86_400;
    const media = (more: object) => [someMedia(1, source.origin, { status, endDate: null, ...more })];
    await listed(1);
    source.media = media({ nextAiringEpisode: { episode: 9, airingAt } });
    await run();
    source.media = media({ nextAiringEpisode: null, tags: new Error("Internal") });
    pass(8 * day);
    await run();
    expect(await details(1)).toMatchObject({ nextEpisode: 9 });
    source.media = media({ nextAiringEpisode: null });
    pass(8 * day);
    await run();
    expect(await details(1)).toMatchObject({ nextEpisode: null, nextAirsAt: null });
  },
);

test("the time of an answer stays while later answers only move the same next episode, or say nothing of it", async () => {
  const answer = async (more: object) => {
    source.media = [someMedia(1, source.origin, { status: "RELEASING", endDate: null, ...more })];
    await run();
    return details(1);
  };
  const answerWith = (episode: number, airsIn: number) =>
    answer({ nextAiringEpisode: { episode, airingAt: Math.floor((time + airsIn) / 1000) } });
  await listed(1);
  const first = await answerWith(9, 14 * day);
  pass(8 * day);
  const moved = await answerWith(9, 20 * day);
  expect(moved?.nextAirsAt?.getTime()).toBeGreaterThan(first?.nextAirsAt?.getTime() ?? Infinity);
  expect(moved?.answeredAt).toEqual(first?.answeredAt);
  pass(8 * day);
  // A failed part of the answer may have been the next episode.
  const partial = await answer({ nextAiringEpisode: null, tags: [new Error("Internal")] });
  expect([partial?.nextEpisode, partial?.answeredAt]).toEqual([9, first?.answeredAt]);
  pass(21 * day);
  const next = await answerWith(10, 7 * day);
  expect(next?.answeredAt?.getTime()).toBeGreaterThan(time - day);
});

test("relations reach the franchises", async () => {
  await listed(2, (malId) =>
    someMedia(
      malId,
      source.origin,
      malId === 1
        ? {
            relations: {
              edges: [
                {
                  relationType: "SEQUEL",
                  node: { id: 1002, idMal: 2, type: "ANIME", title: { romaji: "Title 2" } },
                },
              ],
            },
          }
        : {},
    ),
  );
  await run();
  expect(await db.select().from(titleRelations)).toMatchObject([
    { malId: 1, relatedId: 2, relation: "sequel" },
  ]);
  expect(await db.select().from(franchiseTitles).orderBy(franchiseTitles.story)).toMatchObject([
    { malId: 1, story: 1 },
    { malId: 2, story: 2 },
  ]);
});

test("an operator who turns details off may delete them, and other sources' words stay", async () => {
  await listed(2);
  await run();
  await choose(false);
  await run();
  expect(await row(1)).toMatchObject({ titleEnglish: "The Title 1" });
  await choose(null);
  await run();
  expect(await row(1)).toMatchObject({
    title: "Name 1",
    titleEnglish: null,
    synopsis: null,
    imageUrl: null,
    titleSynonyms: ["Other name 1"],
  });
  for (const table of [people, characters, detailPictures, titleDetails, titleTags, titleStreams, episodes])
    expect(await db.select().from(table)).toEqual([]);
  expect(await db.select().from(titleRecords).where(eq(titleRecords.source, "anilist"))).toEqual([]);
});
