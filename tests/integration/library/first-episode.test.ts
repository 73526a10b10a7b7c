import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The effect on the list of an episode that is finished or ticked on a page, compared with what other programs send. */

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

test("an episode that is ticked by hand on a page makes a To Watch title Watching, with one undo for both", async () => {
  const member = await newMember();
  const send = async (malId: number, form: Record<string, string>) =>
    (
      await member.request(`/anime/${malId}/title-${malId}`, { form: { mal_id: `${malId}`, ...form } })
    ).text();
  const entryAfter = async (form: Record<string, string>, entry: object = {}) => {
    const malId = await someTitle({ episodes: 3 });
    await list(member, malId, { type: "To Watch", ...entry });
    const html = await send(malId, { intent: "save", ...form });
    const [first] = await listOf(member);
    return { malId, html, first };
  };
  const ticked = await entryAfter({ tick: "2" });
  expect(ticked.first).toEqual(["Watching", 2]);
  expect(ticked.html).toContain(`Ticked episode 2 of Title ${ticked.malId}. It is now Watching on your list`);
  const [, entries = ""] = /name="entries" value="([^"]*)"/.exec(ticked.html) ?? [];
  await send(ticked.malId, { intent: "restore", entries: entries.replaceAll("&quot;", '"') });
  expect((await listOf(member))[0]).toEqual(["To Watch", 0]);
  expect((await entryAfter({ progress: "2" })).first).toEqual(["Watching", 2]);
  // The row of a list sends the status that it showed too, if there are no scripts.
  const row = await entryAfter({ progress: "1", step: "1", type: "To Watch" }, { progress: 1 });
  expect(row.first).toEqual(["Watching", 2]);
  expect(row.html).toContain("episode 2. It is now Watching on your list");
  expect((await entryAfter({ tick: "3" })).html).toContain("Mark as Completed");
  for (const form of [{ untick: "1" }, { progress: "1" }, { score: "8" }, { type: "To Watch" }])
    expect((await entryAfter(form as Record<string, string>, { progress: 2 })).first?.[0]).toBe("To Watch");
  expect((await entryAfter({ tick: "3" }, { type: "Collection" })).first).toEqual(["Collection", 3]);
});

test("the notice of a tick that made a title Watching ends this for all titles, and the tick stays", async () => {
  const member = await newMember();
  const send = async (form: Record<string, string>) => {
    const malId = await someTitle({ episodes: 3 });
    await list(member, malId, { type: "To Watch" });
    const post = async (fields: object) =>
      (await member.request("/list", { form: { intent: "save", mal_id: `${malId}`, ...fields } })).text();
    return { malId, post, html: await post(form) };
  };
  const never = /<input type="hidden" name="type" value="To Watch"\/><button[^>]*name="never"/;
  expect((await send({ score: "8" })).html).not.toMatch(never);
  const { malId, post, html } = await send({ tick: "1" });
  expect(html).toMatch(never);
  const answer = await post({ type: "To Watch", never: "1" });
  expect(answer).toContain(`Watching no longer changes your list. Title ${malId} is To Watch again`);
  expect((await listOf(member))[0]).toEqual(["To Watch", 1]);
  await send({ tick: "1" });
  expect((await listOf(member))[0]).toEqual(["To Watch", 1]);
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
  await dataOf(
    member.request("/api/user/watchList", {
      json: { animeId: planned, type: "To Watch", progress: 2 },
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  expect(await listOf(member)).toEqual([["To Watch", 2]]);
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
  await member.request(`/anime/${malId}/title-${malId}`, {
    form: { intent: "save", mal_id: `${malId}`, tick: "3" },
  });
  expect(await listOf(member)).toEqual([["To Watch", 3]]);
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
