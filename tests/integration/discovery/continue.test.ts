import { and, eq, type SQL, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { continueOf, findNextTitle, listUpNext } from "#app/domain/discovery/discovery.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { editList, reportProgress } from "#app/domain/library/library.server.ts";
import {
  anybody,
  createViewer,
  unrestricted,
  type Viewer,
} from "#app/domain/visibility/visibility.server.ts";
import { db, preparedDb } from "#db/client.server.ts";
import { titleRelations } from "#db/schema/catalog.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { dataOf, htmlOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** Where a member continues: one answer for a title, and one list for the home page and the API. */

type Fields = Parameters<typeof someTitle>[0];

const finished = {
  status: "Finished Airing",
  airedFrom: new Date("2020-01-05"),
  airedTo: new Date("2020-03-29"),
} as const;
const someSeries = (episodeCount: number, fields: Fields = {}) =>
  someTitle({ ...finished, episodes: episodeCount, ...fields });

async function addFilms(malId: number, numbers: readonly number[]) {
  await db.insert(episodes).values(numbers.map((number) => ({ malId, number, title: `Part ${number}` })));
  await db
    .insert(episodeSources)
    .values(
      numbers.map((episode) => ({ malId, episode, type: "mp4" as const, url: `/film/${malId}/${episode}` })),
    );
}

async function asSequels(...malIds: number[]) {
  await changeCatalog(malIds, async (transaction) => {
    for (const [at, malId] of malIds.slice(0, -1).entries()) {
      const next = malIds[at + 1] ?? 0;
      await transaction.insert(titleRelations).values([
        { malId, relation: "sequel", relatedId: next },
        { malId: next, relation: "prequel", relatedId: malId },
      ]);
    }
  });
  await renewFranchises();
}

const visitor = { userId: null, viewer: anybody };
let user: string;
beforeEach(async () => {
  user = await someUser();
});

type Entry = Omit<Extract<Parameters<typeof editList>[1], { kind: "save" }>, "kind" | "malId">;
const list = (malId: number, entry: Entry) => editList(user, { kind: "save", malId, ...entry }, anybody);
/** `minutesAgo` orders reports, because the latest one counts. */
const watch = (malId: number, episode: number, position: number, minutesAgo = 0) =>
  reportProgress(
    user,
    { malId, episode, position, duration: 1000, at: new Date(Date.now() - minutesAgo * 60_000) },
    anybody,
  );
const step = async (malId: number, userId: string | null = user) =>
  (await continueOf(userId, [malId], anybody)).get(malId);
const upNext = async (limit = 20) =>
  (await listUpNext(user, { viewer: anybody, limit })).map(({ kind, title, episode }) => [
    kind,
    title.malId,
    episode,
  ]);

test("a visitor, and a member who has watched nothing of a title, start with its first episode", async () => {
  const malId = await someSeries(12);
  await addFilms(malId, [2, 3]);
  const begin = { episode: 1, hasStarted: false, isFinished: false, hasSource: false, firstPlayable: 2 };
  expect(await step(malId, null)).toMatchObject(begin);
  expect(await step(malId)).toMatchObject(begin);
});

test.each([
  [29, 4, 0],
  [30, 5, 30],
  [900, 5, 900],
  [901, 6, 0],
])("a place at %d of 1000 seconds in episode 5 leads to episode %d at %d", async (position, episode, at) => {
  const malId = await someSeries(12);
  await list(malId, { type: "Watching", progress: 3 });
  await watch(malId, 5, position);
  expect(await step(malId)).toMatchObject({ episode, position: at, isFinished: false });
});

test("the list's progress decides the next episode, or the history if the title is not on the list", async () => {
  const [listed, played] = [await someSeries(64), await someSeries(64)];
  await list(listed, { type: "Watching", progress: 12 });
  await watch(played, 1, 1000, 2);
  await watch(played, 2, 950, 1);
  expect(await step(listed)).toMatchObject({ episode: 13, hasStarted: true });
  expect(await step(played)).toMatchObject({ episode: 3, hasStarted: true });
});

test("a member who starts a long title at episode 1000 continues with 1001", async () => {
  const malId = await someSeries(1100);
  await list(malId, { type: "Watching", tick: 1000 });
  expect(await step(malId)).toMatchObject({ episode: 1001 });
});

test("later ticks override a resume point, and the next episode keeps its own", async () => {
  const malId = await someSeries(12);
  await watch(malId, 7, 500, 20);
  await watch(malId, 5, 400, 10);
  await list(malId, { type: "Watching" });
  expect(await step(malId)).toMatchObject({ episode: 5, position: 400 });
  await list(malId, { score: 8 });
  expect(await step(malId)).toMatchObject({ episode: 5, position: 400 });
  await list(malId, { tick: 5 });
  expect(await step(malId)).toMatchObject({ episode: 6, position: 0 });
  await list(malId, { progress: 6 });
  expect(await step(malId)).toMatchObject({ episode: 7, position: 500 });
});

test("a title that is completed, or whose last episode is watched, is finished", async () => {
  const [completed, seen, airing] = [
    await someSeries(12),
    await someSeries(2),
    await someTitle({ episodes: null, airedFrom: new Date(Date.now() - 20 * 86_400_000) }),
  ];
  await addFilms(airing, [1, 2]);
  await list(completed, { type: "Completed" });
  await list(seen, { type: "Watching", progress: 2 });
  await list(airing, { type: "Watching", progress: 2 });
  expect(await step(completed)).toMatchObject({ isFinished: true, episode: 1 });
  expect(await step(seen)).toMatchObject({ isFinished: true });
  expect(await step(airing)).toMatchObject({ isFinished: false, episode: 3 });
});

test("a rewatch continues at its own progress", async () => {
  const malId = await someSeries(12);
  await list(malId, { type: "Completed", progress: 12 });
  await list(malId, { state: "rewatching" });
  expect(await step(malId)).toMatchObject({ isFinished: false, episode: 1, hasStarted: false });
  await watch(malId, 1, 1000);
  expect(await step(malId)).toMatchObject({ episode: 2, hasStarted: true });
});

test("cards are resume points, next episodes and sequels; planned, paused or dropped titles have none", async () => {
  const [left, next, first, second, held, dropped, planned] = (await Promise.all(
    Array.from({ length: 7 }, () => someSeries(12)),
  )) as [number, number, number, number, number, number, number];
  await asSequels(first, second);
  await list(planned, { type: "To Watch" });
  await list(held, { state: "on_hold", progress: 3 });
  await list(dropped, { state: "dropped", progress: 3 });
  await list(first, { type: "Completed" });
  await list(next, { type: "Watching", progress: 4 });
  await watch(left, 2, 500);
  expect(await upNext()).toEqual([
    ["in_the_middle", left, 2],
    ["next_episode", next, 5],
    ["next_title", second, 1],
  ]);
  expect(await upNext(1)).toEqual([["in_the_middle", left, 2]]);
});

test("paused titles do not push out a title that is being watched", async () => {
  const [watched, ...held] = (await Promise.all(Array.from({ length: 6 }, () => someSeries(12)))) as [
    number,
    ...number[],
  ];
  await list(watched, { type: "Watching", progress: 4 });
  for (const malId of held) await list(malId, { state: "on_hold", progress: 3 });
  expect(await upNext(1)).toEqual([["next_episode", watched, 5]]);
});

test("many titles of one import, or another part of its franchise, do not hide the episode that can be watched", async () => {
  const [here, ...others] = (await Promise.all(Array.from({ length: 6 }, () => someSeries(12)))) as [
    number,
    ...number[],
  ];
  const [part, later] = [await someSeries(12), await someSeries(12)];
  await asSequels(part, later);
  for (const malId of [here, part]) await addFilms(malId, [5]);
  for (const malId of [here, part, later, ...others]) await list(malId, { type: "Watching", progress: 4 });
  const found = await listUpNext(user, { viewer: anybody, limit: 2, playableFirst: true });
  expect(found.map(({ title, isPlayable }) => [title.malId, isPlayable])).toEqual([
    [part, true],
    [here, true],
  ]);
});

test("a part that the member has begun comes before another one with a film, except for a child", async () => {
  const [begun, here] = [await someSeries(12, { rating: "g" }), await someSeries(12, { rating: "g" })];
  await asSequels(begun, here);
  await addFilms(here, [1]);
  await list(begun, { type: "Watching", progress: 4 });
  await list(here, { type: "Watching" });
  const cards = async (viewer: Viewer) =>
    (await listUpNext(user, { viewer, limit: 20, playableFirst: true })).map(({ title }) => title.malId);
  expect(await cards(anybody)).toEqual([begun]);
  const child = createViewer({
    parentalControl: true,
    isMember: true,
    watchesFilms: true,
    ceiling: { limit: "r", accountId: user, chosenAt: "" },
  });
  expect(await cards(child)).toEqual([here]);
  // A part is begun also in the middle of its first episode.
  await list(begun, { progress: 0 });
  expect(await cards(anybody)).toEqual([here]);
  await watch(begun, 1, 500);
  expect(await cards(anybody)).toEqual([begun]);
});

test("a franchise has one card, for the title changed last", async () => {
  const malIds = await Promise.all(Array.from({ length: 4 }, () => someSeries(12)));
  const [first, second, , last] = malIds as [number, number, number, number];
  await asSequels(...malIds);
  await list(last, { type: "Watching", progress: 1 });
  await list(first, { type: "Completed" });
  // The member has passed over the second title for a later one.
  expect(await upNext()).toEqual([["next_episode", last, 2]]);
  await list(second, { type: "Watching" });
  expect(await upNext()).toEqual([["next_episode", second, 1]]);
  await watch(last, 2, 300);
  expect(await upNext()).toEqual([["in_the_middle", last, 2]]);
});

test("a sequel that is dropped, completed or not yet aired has no card", async () => {
  for (const [fields, entry] of [
    [{}, { state: "dropped" }],
    [{}, { type: "Completed" }],
    [{ airedFrom: new Date(Date.now() + 86_400_000), airedTo: null, status: "Not yet aired" }, null],
  ] as [Fields, Entry | null][]) {
    const [first, second] = [await someSeries(12), await someSeries(12, fields)];
    await asSequels(first, second);
    if (entry) await list(second, entry);
    await list(first, { type: "Completed" });
  }
  expect(await upNext()).toEqual([]);
});

test("a title that is dropped after its last episode does not offer its sequel", async () => {
  const [first, second] = [await someSeries(12), await someSeries(12)];
  await asSequels(first, second);
  await watch(first, 12, 1000);
  await list(first, { type: "Watching", progress: 12 });
  expect(await upNext()).toEqual([["next_title", second, 1]]);
  await list(first, { state: "dropped" });
  expect(await upNext()).toEqual([]);
});

test("an episode that has not aired has no card until its week, unless it has a film", async () => {
  const malId = await someTitle({ episodes: 12, airedFrom: new Date(Date.now() - 15 * 86_400_000) });
  await list(malId, { type: "Watching", progress: 2 });
  expect(await upNext()).toEqual([["next_episode", malId, 3]]);
  await list(malId, { progress: 3 });
  expect(await upNext()).toEqual([]);
  await addFilms(malId, [4]);
  expect(await upNext()).toEqual([["next_episode", malId, 4]]);
});

test("the next title is the earliest sequel that the viewer may see", async () => {
  const [first, later, earlier, mature] = [
    await someSeries(12),
    await someSeries(12, { airedFrom: new Date("2022-01-01"), airedTo: new Date("2022-03-01") }),
    await someSeries(12, { airedFrom: new Date("2021-01-01"), airedTo: new Date("2021-03-01") }),
    await someSeries(12, { rating: "rx" }),
  ];
  for (const sequel of [later, earlier, mature]) await asSequels(first, sequel);
  expect(await findNextTitle(first, visitor)).toMatchObject({ malId: earlier });
  expect(await findNextTitle(later, visitor)).toBeNull();
  await list(first, { type: "Completed" });
  expect(await upNext()).toEqual([["next_title", earlier, 1]]);
});

/** Larger sorts write temporary files, which fail when the disk is full. */
test("100,000 resume points are sorted in memory", async () => {
  const malId = await someSeries(100_000);
  const { id } = await newMember();
  for (let first = 1; first < 100_000; first += 10_000)
    await db.execute(sql`
      insert into watch_progress (user_id, mal_id, episode, position, duration, at)
      select ${id}::uuid, ${malId}::int, episode, 60, 1400, timestamptz '2024-01-01' + episode * interval '1 second'
      from generate_series(${first}::int, ${first + 9999}::int) as episode`);
  const execute = vi.spyOn(preparedDb, "execute");
  const request = { viewer: unrestricted, limit: 20 };
  expect(await listUpNext(id, request)).toMatchObject([{ title: { malId }, episode: 100_000 }]);
  const query = execute.mock.calls[0]?.[0] as SQL;
  execute.mockRestore();
  const plan = JSON.stringify(await db.execute(sql`explain (analyze, timing off, format json) ${query}`));
  expect(plan).toContain('"Sort Space Type":"Memory"');
  expect(plan).not.toContain('"Sort Space Type":"Disk"');
});

test("GET /api/user/upNext returns the member's cards, and refuses visitors and limits above 100", async () => {
  const [member, malId] = [await newMember(), await someSeries(12)];
  await addFilms(malId, [5]);
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching", progress: 4 } }),
  );
  expect(await dataOf(member.request("/api/user/upNext"))).toEqual([
    {
      kind: "next_episode",
      mal_id: malId,
      title: `Title ${malId}`,
      image: `${origin}/poster/${malId}.webp?w=320`,
      ep: 5,
      episode_title: "Part 5",
      position: 0,
      duration: null,
      playable: true,
      after: null,
      updated_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect((await refusalOf(member.request("/api/user/upNext?limit=101"))).status).toBe(400);
  expect((await refusalOf(new Visitor().request("/api/user/upNext"))).status).toBe(401);
});

/** The page's links to an episode to play or a title to continue, in page order. */
async function buttonsOf(visitor: Visitor, path: string) {
  const page = await (await visitor.request(path)).text();
  const html = page.replace(/<nav class="episode-pager".*?<\/nav>/s, "");
  return [...html.matchAll(/<a class="button[^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, href, content]) => [content!.replace(/<[^>]*>/g, ""), href],
  );
}

test("a title's page plays the episode where its member continues, whichever page of episodes is shown", async () => {
  const [member, first, second] = [await newMember(), await someSeries(120), await someSeries(12)];
  await addFilms(first, [1, 2, 13, 101]);
  await asSequels(first, second);
  const path = `/anime/${first}/title-${first}?episodes=2`;
  const save = (entry: object) =>
    dataOf(member.request("/api/user/watchList", { json: { animeId: first, ...entry } }));
  expect(await buttonsOf(new Visitor(), path)).toContainEqual(["Watch", `/watch/${first}/1`]);
  expect(await buttonsOf(member, path)).toContainEqual(["Watch", `/watch/${first}/1`]);
  await save({ type: "Watching", progress: 12 });
  expect(await buttonsOf(member, path)).toContainEqual(["Continue · Ep 13", `/watch/${first}/13`]);
  await save({ progress: 13, type: "Watching" });
  expect((await buttonsOf(member, path)).filter(([, href]) => href?.startsWith("/watch/"))).toEqual([]);
  expect(await (await member.request(path)).text()).toContain("Episode 14 is not here yet");
  await save({ type: "Completed" });
  expect(await buttonsOf(member, path)).toEqual([
    ["Watch again", `/watch/${first}/1`],
    [`Next: Title ${second}`, `/anime/${second}/title-${second}`],
  ]);
});

test("the home page plays what has a film in one press, and leads to the title of what has none", async () => {
  const [member, played, ticked] = [await newMember(), await someSeries(12), await someSeries(12)];
  const older = await someSeries(12);
  for (const malId of [played, older]) await addFilms(malId, [5]);
  for (const animeId of [older, played, ticked])
    await dataOf(member.request("/api/user/watchList", { json: { animeId, type: "Watching", progress: 4 } }));
  const html = await htmlOf(member.request("/"));
  const partOf = (name: string) => html.slice(html.indexOf(name)).split("</section>")[0] ?? "";
  expect(partOf('aria-label="Go on"')).toContain(`href="/watch/${played}/5"`);
  const more = partOf(">More to go on with</h2>");
  expect(more).toContain(`href="/watch/${older}/5"`);
  expect(more).toContain(`aria-label="Remove Title ${older} from More to go on with"`);
  const missing = partOf(">Next on your list, not here yet</h2>");
  expect(missing).toContain(`href="/anime/${ticked}/title-${ticked}"`);
  expect(missing).toContain("Watching · 4 / 12");
  expect(missing).toContain("Next: Ep 5");
  expect(missing).not.toContain("card-play");
});

test("the large card shows the still of its episode, then the banner, then the poster", async () => {
  const cards = [
    [await someSeries(12), "/poster/"],
    [await someSeries(12, { bannerImage: "https://banner.invalid/a.jpg" }), "banner.invalid"],
    [await someSeries(12, { bannerImage: "https://banner.invalid/b.jpg" }), "still.invalid"],
  ] as const;
  for (const [malId, picture] of cards) {
    const member = await newMember();
    await addFilms(malId, [5]);
    if (picture === "still.invalid")
      await db
        .update(episodes)
        .set({ imageUrl: "https://still.invalid/5.jpg" })
        .where(and(eq(episodes.malId, malId), eq(episodes.number, 5)));
    await dataOf(
      member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching", progress: 4 } }),
    );
    const html = await (await member.request("/")).text();
    const card = html.slice(html.indexOf('class="go-on"')).split("</section>")[0] ?? "";
    expect([...card.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, path]) => path)).toEqual([
      expect.stringContaining(picture),
    ]);
  }
});

test("rows, cards and episodes without a film lead to the same episode as the title page", async () => {
  const season = { title: "Kaze no Engawa", year: 1911, season: "Winter" } as const;
  const [member, malId] = [await newMember(), await someSeries(12, season)];
  await addFilms(malId, [5, 6]);
  const save = (entry: object) =>
    dataOf(member.request("/api/user/watchList", { json: { animeId: malId, ...entry } }));
  const pageOf = async (path: string) => (await member.request(path)).text();
  await save({ type: "Watching", progress: 4 });
  expect(await buttonsOf(member, `/watch/${malId}/1`)).toEqual([
    ["Continue · Ep 5", `/watch/${malId}/5`],
    ["All about Kaze no Engawa", `/anime/${malId}/kaze-no-engawa`],
    ["Watching · 4 / 12", `/anime/${malId}/kaze-no-engawa`],
  ]);
  expect(await pageOf("/list")).toMatch(
    new RegExp(`aria-label="Continue · Ep 5: Kaze no Engawa"[^>]*href="/watch/${malId}/5"`),
  );
  for (const path of ["/list?view=grid", "/browse?year=1911", "/seasons/1911/winter"])
    expect(await pageOf(path)).toContain("Watching · 4 / 12");
  await save({ type: "Completed", progress: 12 });
  expect(await pageOf("/list")).toContain('aria-label="Watch again: Kaze no Engawa"');
  expect(await pageOf("/list?view=grid")).not.toContain("· Ep ");
});
