import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

/** What finishing an episode on the watch page does to the list, beside what a report of any program does. */

type Member = Awaited<ReturnType<typeof newMember>>;

const finish = (member: Member, malId: number, ep: number, list?: boolean) =>
  dataOf(
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id: malId, ep, position: 95, duration: 100, ...(list && { list }) },
    }),
  );
const listOf = async (member: Member) =>
  (await dataOf<{ type: string; progress: number }[]>(member.request("/api/user/watchList"))).map(
    ({ type, progress }) => [type, progress],
  );

test("finishing the first episode on the watch page lists the title, once, and a report without list does not", async () => {
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

test("a member who turned it off keeps their list as it is", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 3 })];
  const saved = await member.request("/settings/preferences?part=playback", { form: { listsWatched: "0" } });
  expect(saved.status).toBe(302);
  await finish(member, malId, 1, true);
  expect(await listOf(member)).toEqual([]);
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
