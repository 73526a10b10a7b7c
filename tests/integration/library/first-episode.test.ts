import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The effect on the list when an episode is finished on the watch page, compared with reports from other programs. */

const report = (member: Member, json: object, headers = {}) =>
  dataOf(member.request("/api/user/progress", { method: "PUT", json, headers }));
const finish = (member: Member, malId: number, ep: number, list?: boolean) =>
  report(member, { mal_id: malId, ep, position: 95, duration: 100, ...(list && { list }) });
const list = (member: Member, malId: number, entry: object) =>
  dataOf(member.request("/api/user/watchList", { json: { animeId: malId, ...entry } }));
const listOf = async (member: Member) =>
  (await dataOf<{ type: string; progress: number }[]>(member.request("/api/user/watchList"))).map(
    ({ type, progress }) => [type, progress],
  );

test("finishing the first episode on the watch page lists the title once, and a report without list does not", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  const other = await someTitle({ episodes: 3 });
  expect(await finish(member, other, 1)).toEqual({ watched: true, offers_completed: false });
  expect(await listOf(member)).toEqual([]);
  expect(await finish(member, malId, 1, true)).toMatchObject({ on_list: { added: true } });
  expect(await listOf(member)).toEqual([["Watching", 1]]);
  await member.request(`/anime/${malId}/title-${malId}`, {
    form: { intent: "remove", mal_id: `${malId}` },
  });
  expect(await finish(member, malId, 1, true)).toMatchObject({ on_list: { added: false } });
  expect(await finish(member, malId, 2, true)).toMatchObject({ on_list: { added: false } });
  expect(await listOf(member)).toEqual([]);
});

test("finishing any episode of a To Watch title makes it Watching, and the credits do not repeat it after an undo", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 28 })];
  await list(member, malId, { type: "To Watch", progress: 2 });
  expect(await finish(member, malId, 3)).toEqual({ watched: true, offers_completed: false });
  expect(await listOf(member)).toEqual([["To Watch", 3]]);
  expect(await finish(member, malId, 4, true)).toMatchObject({ on_list: { added: false, moved: true } });
  expect(await listOf(member)).toEqual([["Watching", 4]]);
  await member.request(`/anime/${malId}/title-${malId}`, {
    form: { intent: "save", mal_id: `${malId}`, type: "To Watch" },
  });
  expect(await finish(member, malId, 4, true)).toMatchObject({ on_list: { moved: false } });
  expect(await listOf(member)).toEqual([["To Watch", 4]]);
  expect(await finish(member, malId, 5, true)).toMatchObject({ on_list: { moved: true } });
  expect(await listOf(member)).toEqual([["Watching", 5]]);
});

test("rewatching an episode finished long ago makes the title Watching", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  await finish(member, malId, 1);
  await list(member, malId, { type: "To Watch" });
  await report(member, { mal_id: malId, ep: 1, position: 20, duration: 100, list: true });
  expect(await finish(member, malId, 1, true)).toMatchObject({ on_list: { moved: true } });
});

test.each([
  { type: "Collection", progress: 1 },
  { type: "Watching", state: "on_hold", progress: 1 },
  { type: "Collection", state: "dropped", progress: 1 },
  { type: "Completed", progress: 3 },
])("playing does not move a title from %j", async (entry) => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  await list(member, malId, entry);
  expect(await finish(member, malId, 2, true)).toMatchObject({ on_list: { moved: false } });
  const { type, state = null } = entry;
  expect(await dataOf(member.request("/api/user/watchList"))).toMatchObject([{ type, state }]);
});

test("reports with an access token change no list status, whatever they ask for", async () => {
  const [member, planned, unlisted] = [
    await newMember(),
    await someTitle({ episodes: 3 }),
    await someTitle({ episodes: 3 }),
  ];
  await list(member, planned, { type: "To Watch" });
  const { token } = await dataOf<{ token: string }>(
    member.request("/api/auth/tokens", { json: { name: "Bot", scope: "write" } }),
    201,
  );
  for (const malId of [planned, unlisted])
    expect(
      await report(
        member,
        { mal_id: malId, ep: 1, position: 95, duration: 100, list: true },
        { Authorization: `Bearer ${token}` },
      ),
    ).toMatchObject({ on_list: { added: false, moved: false } });
  expect(await listOf(member)).toEqual([["To Watch", 1]]);
});

test("cards, list tabs and the episode's page show the new status when their data is next loaded", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  await list(member, malId, { type: "To Watch" });
  const textAt = async (path: string) => (await member.request(path)).text();
  expect(await textAt("/list")).toMatch(/To Watch.{0,80}>1</s);
  await finish(member, malId, 1, true);
  expect(await textAt(`/watch/${malId}/2`)).toMatch(/Watching.{0,80}1 \/ 3/s);
  expect(await textAt("/list?tab=watching")).toContain(`Title ${malId}`);
  expect(await textAt("/list?tab=to-watch")).not.toContain(`Title ${malId}`);
});

test("a member who turned this off keeps their list unchanged", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  const saved = await member.request("/settings/preferences?part=playback", { form: { listsWatched: "0" } });
  expect(saved.status).toBe(302);
  await finish(member, malId, 1, true);
  expect(await listOf(member)).toEqual([]);
  await list(member, malId, { type: "To Watch" });
  expect(await finish(member, malId, 2, true)).toMatchObject({ on_list: { moved: false } });
  expect(await listOf(member)).toEqual([["To Watch", 2]]);
});

test("playing a completed title offers a rewatch and changes nothing until the member accepts", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: malId, type: "Completed", progress: 3 } }),
  );
  expect(await finish(member, malId, 1, true)).toMatchObject({ on_list: { offers_rewatch: true } });
  expect(await listOf(member)).toEqual([["Completed", 3]]);
  await member.request(`/anime/${malId}/title-${malId}`, {
    form: { intent: "save", mal_id: `${malId}`, type: "rewatching", rewatch_progress: "1" },
  });
  expect(await dataOf(member.request("/api/user/watchList"))).toMatchObject([
    { type: "Watching", state: "rewatching", rewatch_progress: 1, progress: 3 },
  ]);
});
