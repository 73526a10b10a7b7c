import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodes } from "#db/schema/episodes.ts";
import { watchHistory } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newGrownUp, newMember, setParentalControl, type Visitor } from "#tests/support/requests/visitor.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** The member whose requests are refused. One is enough, because no refused request changes anything. */
const refusedMember = await newMember();

type Row = { mal_id: number; ep: number; position: number } & Record<string, unknown>;
const report = (member: Visitor, json: unknown) =>
  member.request("/api/user/progress", { method: "PUT", json });
const continueWatching = (member: Visitor) => dataOf<Row[]>(member.request("/api/user/continueWatching"));
const history = (member: Visitor, query = "") =>
  dataOf<Row[]>(member.request(`/api/user/watchHistory${query}`));
const deleteHistory = (member: Visitor, query = "") =>
  member.request(`/api/user/watchHistory${query}`, { method: "DELETE" });
const watchList = (member: Visitor) => dataOf<{ progress: number }[]>(member.request("/api/user/watchList"));

async function titleWithEpisodes(count: number, fields: Parameters<typeof someTitle>[0] = {}) {
  const malId = await someTitle({ episodes: count, ...fields });
  const rows = Array.from({ length: count }, (_, index) => ({
    malId,
    number: index + 1,
    title: `Part ${index + 1}`,
  }));
  await db.insert(episodes).values(rows.map((row) => ({ ...row, durationSeconds: 1400 })));
  return malId;
}
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

test("a resume point is listed; a finished episode is followed by the next one, and the last one by nothing", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(2)];
  const resumePoint = { mal_id: malId, ep: 1, position: 600, duration: 1400, at: at(0) };
  expect(await dataOf(report(member, resumePoint))).toEqual({ watched: false, offers_completed: false });
  expect(await continueWatching(member)).toEqual([
    {
      mal_id: malId,
      title: `Title ${malId}`,
      image: `${origin}/poster/${malId}.webp?w=320`,
      ep: 1,
      episode_title: "Part 1",
      position: 600,
      duration: 1400,
      updated_at: at(0),
    },
  ]);
  expect(await history(member)).toEqual([]);
  expect(await dataOf(report(member, { ...resumePoint, position: 1190, at: at(1) }))).toMatchObject({
    watched: true,
  });
  expect(await continueWatching(member)).toMatchObject([
    { ep: 2, position: 0, episode_title: "Part 2", duration: 1400 },
  ]);
  await dataOf(report(member, { ...resumePoint, ep: "2", position: 1400, at: at(2) }));
  expect(await continueWatching(member)).toEqual([]);
  expect(await history(member)).toMatchObject([
    { mal_id: malId, ep: 2, episode_title: "Part 2", watched_at: at(2) },
    { mal_id: malId, ep: 1, episode_title: "Part 1", watched_at: at(1) },
  ]);
});

test("an episode watched to 85 % raises the entry's progress, never lowers it, and the last one offers Completed", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(3)];
  await dataOf(member.request("/api/user/watchList", { json: { animeId: malId, type: "watching" } }));
  const watch = (ep: number, position: number) =>
    dataOf(report(member, { mal_id: malId, ep, position, duration: 100 }));
  const progress = async () => (await watchList(member)).map((entry) => entry.progress);
  expect(await watch(2, 84.9)).toEqual({ watched: false, offers_completed: false });
  expect(await progress()).toEqual([0]);
  expect(await watch(2, 85)).toEqual({ watched: true, offers_completed: false });
  expect(await progress()).toEqual([2]);
  await watch(1, 100);
  expect(await progress()).toEqual([2]);
  expect(await watch(3, 90)).toEqual({ watched: true, offers_completed: true });
  await dataOf(member.request("/api/user/watchList", { json: { animeId: malId, type: "completed" } }));
  expect(await watch(3, 90)).toEqual({ watched: true, offers_completed: false });
});

test("the report with the latest time wins in any order, and a time in the future is replaced with now", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(1)];
  const resumePoint = { mal_id: malId, ep: 1, duration: 1000 };
  await dataOf(report(member, { ...resumePoint, position: 300, at: at(30) }));
  await dataOf(report(member, { ...resumePoint, position: 200, at: at(20) }));
  expect(await continueWatching(member)).toMatchObject([{ position: 300 }]);
  await dataOf(report(member, { ...resumePoint, position: 400, at: "2999-01-01T00:00:00Z" }));
  const [row] = await continueWatching(member);
  expect(Date.parse(String(row!.updated_at))).toBeLessThanOrEqual(Date.now() + 1000);
  await dataOf(report(member, { ...resumePoint, position: 5000 }));
  expect(await continueWatching(member)).toEqual([]);
});

test("200 reports, three of them at once, get 200, and the latest of them is the resume point", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(1)];
  const reports = Array.from(
    { length: 200 },
    (_, second) => () =>
      report(member, { mal_id: malId, ep: 1, position: second, duration: 1000, at: at(second) }),
  );
  expect((await inThrees(reports)).every(({ status }) => status === 200)).toBe(true);
  expect(await continueWatching(member)).toMatchObject([{ position: 199 }]);
});

test("the history is listed in pages, and deleted by episode, by title and as a whole", async () => {
  const [member, one, other] = [await newMember(), await titleWithEpisodes(3), await titleWithEpisodes(1)];
  const watch = (mal_id: number, ep: number, second: number) =>
    dataOf(report(member, { mal_id, ep, position: 95, duration: 100, at: at(second) }));
  for (const ep of [1, 2, 3]) await watch(one, ep, ep);
  await watch(other, 1, 4);
  const first = await history(member, "?limit=2");
  expect(first.map(({ mal_id, ep }) => [mal_id, ep])).toEqual([
    [other, 1],
    [one, 3],
  ]);
  const rest = await history(member, `?limit=10&before=${first[1]!.watched_at}`);
  expect(rest.map(({ ep }) => ep)).toEqual([2, 1]);
  await dataOf(deleteHistory(member, `?mal_id=${one}&ep=2`));
  expect((await history(member)).map(({ ep }) => ep)).toEqual([1, 3, 1]);
  await dataOf(deleteHistory(member, `?mal_id=${one}`));
  expect((await history(member)).map(({ mal_id }) => mal_id)).toEqual([other]);
  await dataOf(report(member, { mal_id: other, ep: 1, position: 10, duration: 100 }));
  const json = { mal_id: other, ep: 1 };
  const misplaced = await member.request("/api/user/watchHistory", { method: "DELETE", json });
  expect([misplaced.status, (await history(member)).length]).toEqual([400, 1]);
  await dataOf(deleteHistory(member));
  expect([await history(member), await continueWatching(member)]).toEqual([[], []]);
});

test("episodes of one instant are split over pages, and the last id with `before` loses none of them", async () => {
  const [member, one, other] = [await newMember(), await titleWithEpisodes(4), await titleWithEpisodes(3)];
  for (const [mal_id, count] of [
    [one, 4],
    [other, 3],
  ] as const)
    for (let ep = 1; ep <= count; ep++)
      await dataOf(report(member, { mal_id, ep, position: 95, duration: 100, at: at(0) }));
  const all = await history(member);
  expect(all.map(({ id }) => id)).toEqual([
    ...[4, 3, 2, 1].map((ep) => `${one}-${ep}`),
    ...[3, 2, 1].map((ep) => `${other}-${ep}`),
  ]);
  for (const next of [
    ({ watched_at, id }: Row) => `before=${watched_at}&id=${id}`,
    ({ watched_at, id }: Row) => `before=${watched_at},${id}`,
  ]) {
    const pages = [await history(member, "?limit=2")];
    for (let last = pages[0]!.at(-1); last; last = pages.at(-1)!.at(-1))
      pages.push(await history(member, `?limit=2&${next(last)}`));
    expect(pages.flat()).toEqual(all);
  }
  expect(await history(member, `?before=${at(0)}`)).toEqual([]);
  expect(await history(member, `?before=${at(1)}`)).toEqual(all);
});

test("the history page names titles in the member's title language", async () => {
  const member = await newMember();
  const malId = await titleWithEpisodes(1, { title: "Kaze no Niwa", titleEnglish: "Garden of Wind" });
  await db.insert(watchHistory).values({ userId: member.id!, malId, episode: 1, watchedAt: new Date(at(0)) });
  const page = async () => (await member.request("/history")).text();
  expect(await page()).toContain(">Kaze no Niwa</a>");
  await member.request("/visitor", { form: { titleLanguage: "english" } });
  expect(await page()).toContain(">Garden of Wind</a>");
});

test("on the history page, the link to older episodes loses none of one instant", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(101)];
  await db.insert(watchHistory).values(
    Array.from({ length: 101 }, (_, n) => ({
      userId: member.id!,
      malId,
      episode: n + 1,
      watchedAt: new Date(at(0)),
    })),
  );
  const first = await (await member.request("/history")).text();
  const older = /href="(\/history\?before=[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&");
  expect(first).not.toContain(`href="/watch/${malId}/1"`);
  expect(await (await member.request(older!)).text()).toContain(`href="/watch/${malId}/1"`);
});

test("a history of one full page has no older page, and a page without older episodes leads to the newest", async () => {
  const [member, malId] = [await newMember(), await titleWithEpisodes(100)];
  const watched = Array.from({ length: 100 }, (_, n) => ({
    userId: member.id!,
    malId,
    episode: n + 1,
    watchedAt: new Date(at(0)),
  }));
  await db.insert(watchHistory).values(watched);
  const page = async (query = "") => (await member.request(`/history${query}`)).text();
  expect(await page()).not.toContain("Show older episodes");
  const older = await page(`?before=${at(0)}`);
  expect(older).toContain("Nothing older");
  expect(older).not.toContain("Nothing watched yet");
});

test.each([
  {},
  { mal_id: 1, ep: 1 },
  { mal_id: 1, ep: 0, position: 0, duration: 1 },
  { mal_id: 1, ep: 1.5, position: 0, duration: 1 },
  { mal_id: 1, ep: 100_001, position: 0, duration: 1 },
  { mal_id: -1, ep: 1, position: 0, duration: 1 },
  { mal_id: 1, ep: 1, position: -1, duration: 1 },
  { mal_id: 1, ep: 1, position: "1", duration: 1 },
  { mal_id: 1, ep: 1, position: 0, duration: 1e12 },
  { mal_id: 1, ep: 1, position: 0, duration: 1, at: "now" },
  { mal_id: 1, ep: 1, position: 0, duration: 1, at: 1 },
  { mal_id: 1, ep: 1, position: null, duration: 1 },
])("the report %j gets 400", async (json) => {
  expect((await refusalOf(report(refusedMember, json))).status).toBe(400);
});

test("an unknown title gets 404, and an invalid parameter gets 400", async () => {
  const member = refusedMember;
  for (const mal_id of [2_147_483_647, 9_999_999_999])
    expect((await refusalOf(report(member, { mal_id, ep: 1, position: 1, duration: 2 }))).status).toBe(404);
  for (const query of [
    "?limit=0",
    "?limit=201",
    "?before=x",
    "?before=1",
    "?id=1-1",
    `?before=${at(0)},1`,
    `?before=${at(0)}&id=x`,
  ])
    expect((await refusalOf(member.request(`/api/user/watchHistory${query}`))).status).toBe(400);
  for (const query of ["?ep=1", "?mal_id=", "?mal_id=x", "?mal_id=1&ep=", "?mal_id=1&ep=0"])
    expect((await refusalOf(deleteHistory(member, query))).status).toBe(400);
  expect((await refusalOf(member.request("/api/user/continueWatching?limit=101"))).status).toBe(400);
});

test("mature titles are left out while parental control is on, and for a member under 18", async () => {
  const [member, malId] = [await newGrownUp(), await titleWithEpisodes(2, { rating: "rx" })];
  await dataOf(report(member, { mal_id: malId, ep: 1, position: 95, duration: 100 }));
  await setParentalControl(member, true);
  expect([await continueWatching(member), await history(member)]).toEqual([[], []]);
  await setParentalControl(member, false);
  expect([await continueWatching(member), await history(member)]).toMatchObject([[{ ep: 2 }], [{ ep: 1 }]]);
  await dataOf(
    member.request("/api/user/profile", {
      json: { name: "Mio", last_name: "A", gender: "other", birthday: at(0).slice(0, 10) },
    }),
  );
  expect([await continueWatching(member), await history(member)]).toEqual([[], []]);
});

test("a member cannot change another member's resume point", async () => {
  const [member, other, malId] = [await newMember(), await newMember(), await titleWithEpisodes(2)];
  await dataOf(report(member, { mal_id: malId, ep: 1, position: 50, duration: 100 }));
  const before = await continueWatching(member);
  await dataOf(report(other, { mal_id: malId, ep: 1, position: 99, duration: 100, user_id: member.id }));
  await dataOf(deleteHistory(other));
  expect(await continueWatching(member)).toEqual(before);
  expect(await history(member)).toEqual([]);
});
