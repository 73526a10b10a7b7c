import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** "Do not remember what I watch": while it is on, watching leaves no trace, whichever program reports it. */

const forget = async (member: Member, isOn: boolean) =>
  expect(
    (
      await member.request("/settings/preferences?part=privacy", {
        form: { forgetsWatched: isOn ? "1" : "0" },
      })
    ).status,
  ).toBe(302);

const report = (member: Member, malId: number, ep: number, position: number) =>
  dataOf(
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id: malId, ep, position, duration: 100, list: true },
    }),
  );

type File = {
  watch_list: { mal_id: number; progress: number }[];
  watch_progress: { ep: number }[];
  watch_history: { ep: number }[];
  track_choices: object[];
  preferences: { forgetsWatched: boolean };
};
const fileOf = async (member: Member) => (await (await member.request("/api/user/export")).json()) as File;

/** Everything that the site stores about the member's watching. */
async function traces(member: Member) {
  const file = await fileOf(member);
  return {
    entries: file.watch_list.map(({ mal_id, progress }) => [mal_id, progress]),
    places: file.watch_progress.map(({ ep }) => ep),
    watched: file.watch_history.map(({ ep }) => ep),
    choices: file.track_choices.length,
    continued: (await dataOf<object[]>(member.request("/api/user/continueWatching"))).length,
  };
}

const chooseSubtitles = (member: Member, malId: number) =>
  member.request("/api/user/trackChoice", { method: "PUT", json: { mal_id: malId, subtitles: "de" } });

test("while it is on, no report leaves a resume point, tick, history, entry or subtitle choice; earlier ones stay", async () => {
  const [member, malId, other] = [
    await newMember(),
    await someTitle({ episodes: 5 }),
    await someTitle({ episodes: 5 }),
  ];
  await report(member, malId, 1, 95);
  const before = await traces(member);
  expect(before).toMatchObject({ entries: [[malId, 1]], watched: [1] });
  await forget(member, true);
  expect(await report(member, malId, 2, 95)).toEqual({
    watched: false,
    offers_completed: false,
    on_list: { added: false, moved: false, offers_rewatch: false },
  });
  await report(member, malId, 3, 50);
  await report(member, other, 1, 95);
  expect((await chooseSubtitles(member, other)).status).toBe(200);
  expect(await traces(member)).toEqual(before);
  await forget(member, false);
  await report(member, malId, 2, 95);
  await chooseSubtitles(member, malId);
  expect(await traces(member)).toMatchObject({ entries: [[malId, 2]], choices: 1 });
});

test("a missing episode still gets 404", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  await forget(member, true);
  const answer = await member.request("/api/user/progress", {
    method: "PUT",
    json: { mal_id: malId, ep: 3, position: 95, duration: 100 },
  });
  expect(answer.status).toBe(404);
});

test("a member can still edit the list by hand", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 5 })];
  await forget(member, true);
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching", progress: 2 } }),
  );
  expect((await traces(member)).entries).toEqual([[malId, 2]]);
});

test("the episode's page and the history say so, and the history turns it on and off", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  const page = async (path: string) => (await member.request(path)).text();
  const said = "is not remembered";
  expect(await page(`/watch/${malId}/1`)).not.toContain(said);
  expect((await member.request("/history", { form: { intent: "remember", on: "0" } })).status).toBe(200);
  expect(await page(`/watch/${malId}/1`)).toContain(said);
  expect(await page("/history")).toContain(said);
  expect((await fileOf(member)).preferences.forgetsWatched).toBe(true);
  await member.request("/history", { form: { intent: "remember", on: "1" } });
  expect(await page("/history")).not.toContain(said);
  // Each of the two buttons says which history it pauses.
  for (const about of ["remembering what you watch", "remembering searches"])
    expect(await page("/history")).toMatch(new RegExp(`Pause\\s*<span class="visually-hidden">${about}`));
});

test("a file brings no watching data while it is on, and never turns it on", async () => {
  const [member, other, malId] = [await newMember(), await newMember(), await someTitle({ episodes: 5 })];
  await report(member, malId, 1, 95);
  await report(member, malId, 2, 50);
  await chooseSubtitles(member, malId);
  await forget(member, true);
  const file = await fileOf(member);
  const bring = async () => {
    const { skipped, ...added } = await dataOf<Record<string, unknown> & { skipped: { field: string }[] }>(
      other.request("/api/user/import", { json: file }),
    );
    return { ...added, skipped: skipped.map(({ field }) => field) };
  };
  await forget(other, true);
  expect((await bring()).skipped).toEqual(["watch_history", "watch_progress", "track_choices"]);
  expect(await traces(other)).toMatchObject({ entries: [[malId, 1]], places: [], watched: [], choices: 0 });
  await forget(other, false);
  expect((await bring()).skipped).toEqual(["forgetsWatched"]);
  expect(await traces(other)).toMatchObject({ watched: [1], choices: 1 });
  expect((await fileOf(other)).preferences.forgetsWatched).toBe(false);
});

test("a title's track choices are deleted with its history or all history, but not with one episode", async () => {
  const [member, one, two] = [
    await newMember(),
    await someTitle({ episodes: 5 }),
    await someTitle({ episodes: 5 }),
  ];
  for (const malId of [one, two]) {
    await report(member, malId, 1, 95);
    await chooseSubtitles(member, malId);
  }
  const remove = (query: string) => member.request(`/api/user/watchHistory${query}`, { method: "DELETE" });
  await remove(`?mal_id=${one}&ep=1`);
  expect(await traces(member)).toMatchObject({ watched: [1], choices: 2 });
  await remove(`?mal_id=${one}`);
  expect((await traces(member)).choices).toBe(1);
  await member.request("/history", { form: { intent: "everything" } });
  expect(await traces(member)).toMatchObject({
    watched: [],
    choices: 0,
    entries: [
      [one, 1],
      [two, 1],
    ],
  });
});

test("a choice of subtitles keeps the sound chosen before", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  await member.request("/api/user/trackChoice", { method: "PUT", json: { mal_id: malId, sound: "ja" } });
  await chooseSubtitles(member, malId);
  expect((await fileOf(member)).track_choices).toEqual([
    expect.objectContaining({ sound: "ja", subtitles: "de" }),
  ]);
});
