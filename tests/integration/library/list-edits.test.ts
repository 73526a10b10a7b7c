import { describe, expect, test } from "vitest";
import { entryFields, maxEntriesPerEdit } from "#app/domain/library/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf, postForm } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The form that edits the list, posted to a title's page and to the list as a browser without scripts does. */

type Entry = { mal_id: number; type: string; progress: number; notes: string; added_at: string };
type Undo = { malId: number; before: object | null; after: object | null }[];

/** `id` names the row of an entry and `updated_at` its last edit: an undo brings back everything else. */
async function listOf(member: Member) {
  const entries = await dataOf<(Entry & { id: string; updated_at: string })[]>(
    member.request("/api/user/watchList"),
  );
  const plain = entries.map(({ id: _id, updated_at: _updated, ...entry }): Entry => entry);
  return plain.sort((one, other) => one.mal_id - other.mal_id);
}
const add = (member: Member, json: object) => dataOf(member.request("/api/user/watchList", { json }));

const decoded = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const undoIn = (html: string) => decoded(/name="entries" value="([^"]*)"/.exec(html)?.[1] ?? "");
const undo = (member: Member, path: string, html: string) =>
  postForm(member, path, { intent: "restore", entries: undoIn(html) });

const titleOf = (malId: number) => `/anime/${malId}/title-${malId}`;

describe.each([
  ["a title's page", titleOf],
  ["the list", () => "/list"],
])("on %s", (_, pathOf) => {
  /** Saves the entry of one title. */
  const saver = (member: Member, malId: number) => (form: Record<string, string>) =>
    postForm(member, pathOf(malId), { intent: "save", mal_id: `${malId}`, ...form });

  test("Undo after Remove restores every field and the day the entry was added", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const dates = { started_on: "2024-02-29", finished_on: "2024-03-01" };
    await add(member, { animeId: malId, type: "Collection", progress: 2, score: 7.5, ...dates });
    await add(member, { animeId: malId, type: "Collection", notes: `"<✓>'&\r\n` });
    const before = await listOf(member);
    const removed = await postForm(member, pathOf(malId), { intent: "remove", mal_id: `${malId}` });
    expect(removed).toContain(`Removed Title ${malId}`);
    expect(await listOf(member)).toEqual([]);
    await undo(member, pathOf(malId), removed);
    expect(await listOf(member)).toEqual(before);
  });

  test("Undo after a first save removes the entry, and after a later one restores what it changed", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const save = saver(member, malId);
    const added = await save({ type: "Watching" });
    expect(added).toContain(`Saved Title ${malId} as Watching`);
    const before = await listOf(member);
    for (const [form, message] of [
      [{ type: "Completed" }, " as Completed"],
      [{ progress: "3" }, ": episode 3"],
      [{ score: "8.5" }, ": score 8.5"],
      [{ notes: "Hm" }, ""],
    ] as const) {
      const saved = await save(form);
      expect(saved).toContain(`Saved Title ${malId}${message}`);
      expect(await listOf(member)).not.toEqual(before);
      await undo(member, pathOf(malId), saved);
      expect(await listOf(member)).toEqual(before);
    }
    await undo(member, pathOf(malId), added);
    expect(await listOf(member)).toEqual([]);
  });

  test("Undo keeps the member's later changes", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const save = saver(member, malId);
    const added = await save({ type: "Watching" });
    const scored = await save({ score: "8" });
    await add(member, { animeId: malId, type: "Watching", progress: 3, notes: "from another tab" });
    await undo(member, pathOf(malId), added);
    await undo(member, pathOf(malId), scored);
    expect(await listOf(member)).toMatchObject([{ progress: 3, score: null, notes: "from another tab" }]);
    const removed = await postForm(member, pathOf(malId), { intent: "remove", mal_id: `${malId}` });
    await add(member, { animeId: malId, type: "Completed" });
    expect(await undo(member, pathOf(malId), removed)).toContain("nothing was undone");
    expect(await listOf(member)).toMatchObject([{ type: "Completed", progress: 0 }]);
  });

  test("the longest note is saved and undone, with each line break counted once; a longer one is refused", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const saveNote = (notes: string, status?: number) =>
      postForm(member, pathOf(malId), { intent: "save", mal_id: `${malId}`, notes }, status);
    const longest = "あ\n".repeat(entryFields.notes.maxLength / 2);
    await saveNote(longest.replaceAll("\n", "\r\n"));
    const before = await listOf(member);
    expect(before[0]?.notes).toBe(longest);
    const cleared = await saveNote("");
    await undo(member, pathOf(malId), cleared);
    expect(await listOf(member)).toEqual(before);
    expect(await saveNote(`${longest}.`, 400)).toContain("The note must have at most 10000 characters");
    expect(await listOf(member)).toEqual(before);
  });

  test("an episode is ticked and unticked alone, which keeps the history, and progress follows", async () => {
    const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
    const save = saver(member, malId);
    const progress = async () => (await listOf(member))[0]?.progress;
    const json = { mal_id: malId, ep: 1, position: 95, duration: 100 };
    await dataOf(member.request("/api/user/progress", { method: "PUT", json }));
    expect(await save({ tick: "3" })).toContain(`Ticked episode 3 of Title ${malId}`);
    expect(await progress()).toBe(3);
    const unticked = await save({ untick: "3" });
    expect(await progress()).toBe(1);
    await save({ untick: "1" });
    expect(await progress()).toBe(0);
    expect(await dataOf<unknown[]>(member.request("/api/user/watchHistory"))).toHaveLength(1);
    await save({ progress: "5" });
    await undo(member, pathOf(malId), unticked);
    expect(await progress()).toBe(5);
    for (const tick of ["0", "100001", "x"])
      await postForm(member, pathOf(malId), { intent: "save", mal_id: `${malId}`, tick }, 400);
  });

  test("a state is chosen like a list status, and choosing the state's list status ends it", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const save = saver(member, malId);
    expect(await save({ type: "on_hold" })).toContain(`Saved Title ${malId} as On hold`);
    expect(await listOf(member)).toMatchObject([{ type: "Watching", state: "on_hold" }]);
    const resumed = await save({ type: "Watching" });
    expect(resumed).toContain(`Saved Title ${malId} as Watching`);
    expect(await listOf(member)).toMatchObject([{ type: "Watching", state: null }]);
    await undo(member, pathOf(malId), resumed);
    expect(await listOf(member)).toMatchObject([{ type: "Watching", state: "on_hold" }]);
  });

  test("the last episode offers to mark the entry as Completed", async () => {
    const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
    const save = saver(member, malId);
    expect(await save({ progress: "1" })).not.toContain("Mark as Completed");
    expect(await save({ progress: "2" })).toContain("Mark as Completed");
    expect(await save({ type: "Completed" })).not.toContain("Mark as Completed");
  });
});

async function withThree() {
  const member = await newMember();
  const ids = [await someTitle(), await someTitle(), await someTitle()] as const;
  for (const animeId of ids) await add(member, { animeId, type: "watching", progress: 1 });
  return { member, ids };
}
const statesOf = async (member: Member) =>
  Object.fromEntries(
    (await listOf(member)).map(({ mal_id, type, progress }) => [mal_id, `${type} ${progress}`]),
  );

test("ticked titles that have left the list are not moved, and Undo does not remove them", async () => {
  const { member, ids } = await withThree();
  const [one, two] = ids;
  await postForm(member, "/list", { intent: "remove", mal_id: `${one}` });
  const ticked = { [`title-${one}`]: "on", [`title-${two}`]: "on" };
  const moved = await postForm(member, "/list", { ...ticked, intent: "bulk-move", type: "Completed" });
  expect(moved).toContain(`Moved Title ${two} to Completed`);
  await add(member, { animeId: one, type: "Watching" });
  await undo(member, "/list", moved);
  expect(Object.keys(await statesOf(member)).sort()).toEqual(ids.map(String).sort());
});

test("ticked titles are moved or removed together, and one Undo restores them", async () => {
  const { member, ids } = await withThree();
  const [one, two, three] = ids;
  const ticked = { [`title-${one}`]: "on", [`title-${two}`]: "on" };
  const before = await listOf(member);
  const moved = await postForm(member, "/list", { ...ticked, intent: "bulk-move", type: "Completed" });
  expect(moved).toContain("Moved 2 titles to Completed");
  expect(await statesOf(member)).toEqual({
    [one]: "Completed 1",
    [two]: "Completed 1",
    [three]: "Watching 1",
  });
  await undo(member, "/list", moved);
  expect(await listOf(member)).toEqual(before);
  const removed = await postForm(member, "/list", { ...ticked, intent: "bulk-remove" });
  expect(removed).toContain("Removed 2 titles");
  expect(await statesOf(member)).toEqual({ [three]: "Watching 1" });
  await undo(member, "/list", removed);
  expect(await listOf(member)).toEqual(before);
  expect(await postForm(member, "/list", { intent: "bulk-remove" })).toContain("No title was selected");
});

test("a row saves its fields at once, and its buttons count up and down but not below zero", async () => {
  const { member, ids } = await withThree();
  const save = (form: Record<string, string>) =>
    postForm(member, "/list", { intent: "save", mal_id: `${ids[0]}`, ...form });
  await save({ type: "Collection", progress: "4", step: "1", score: "" });
  expect((await statesOf(member))[ids[0]]).toBe("Collection 5");
  await save({ progress: "0", step: "-1" });
  expect((await statesOf(member))[ids[0]]).toBe("Collection 0");
});

test("ticked titles are put on hold together, and paused ones do not change", async () => {
  const { member, ids } = await withThree();
  const [one, two] = ids;
  const ticked = { [`title-${one}`]: "on", [`title-${two}`]: "on" };
  await postForm(member, "/list", { intent: "save", mal_id: `${one}`, type: "on_hold" });
  const moved = await postForm(member, "/list", { ...ticked, intent: "bulk-move", type: "on_hold" });
  expect(moved).toContain(`Moved Title ${two} to On hold`);
});

test("more titles than one page of the list holds are refused, and nothing is changed", async () => {
  const { member, ids } = await withThree();
  const ticked = Array.from({ length: maxEntriesPerEdit + 1 }, (_, index) => [
    `title-${ids[0] + index}`,
    "on",
  ]);
  const form = { ...Object.fromEntries(ticked), intent: "bulk-remove" };
  expect(await postForm(member, "/list", form, 400)).toContain("At most 100 titles");
  expect(await listOf(member)).toHaveLength(3);
});

test.each([
  ["score", "11", "The score must be at most 10"],
  ["rewatch_count", "10001", "The number of rewatches must be at most 10000"],
  ["rewatch_progress", "-1", "The episode of the rewatch must be at least 0"],
  ["tags", "x".repeat(61), "A tag must have at most 60 characters"],
  ["tags", ",".repeat(2000), "A tag must have at most 1000 entries"],
  ["started_on", "2026-02-30", "The date “Started” must be a date"],
])("a refused form names the field %s, and nothing is saved", async (field, value, text) => {
  const [member, malId] = [await newMember(), await someTitle()];
  const form = { intent: "save", mal_id: `${malId}`, [field]: value };
  expect(await postForm(member, "/list", form, 400)).toContain(text);
  expect(await listOf(member)).toEqual([]);
});

test("a large body with many changes or many fields is refused", async () => {
  const changes = `[${'{"malId":1,"before":{},"after":{}},'.repeat(20_000)}{"malId":1,"before":{},"after":{}}]`;
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, id) => [`title-${id + 1}`, "on"]));
  const numbers = `[{"malId":1,"before":{},"after":{"ticks":[${"0,".repeat(1_100_000)}0]}}]`;
  const arrays = `[{"malId":1,"before":{},"after":{"ticks":[${"[],".repeat(310_000)}[]]}}]`;
  for (const entries of [changes, numbers, arrays])
    await postForm(await newMember(), "/list", { intent: "restore", entries }, 400);
  await postForm(await newMember(), "/list", { intent: "bulk-remove", ...fields }, 400);
});

describe("a forged undo", () => {
  const before = {
    type: "Watching",
    state: null,
    ticks: [[1, 1]],
    rewatchCount: 0,
    rewatchProgress: 0,
    score: null,
    notes: "",
    tags: [],
    startedOn: null,
    finishedOn: null,
    addedAt: "2024-01-02T03:04:05.678Z",
  };
  const restore = (member: Member, entries: unknown, status?: number) =>
    postForm(member, "/list", { intent: "restore", entries: JSON.stringify(entries) }, status);

  test("restores a repeated title once and skips a title that the catalog does not hold", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const later = { ...before, ticks: [[1, 2]] };
    const entries: Undo = [
      { malId, before, after: null },
      { malId, before: later, after: null },
      { malId: 2_147_000_000, before, after: null },
    ];
    await restore(member, entries);
    expect(await listOf(member)).toMatchObject([{ mal_id: malId, progress: 2, added_at: before.addedAt }]);
  });

  test("is refused with more runs of ticks than the episodes of any series have", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const ticksOf = (runs: number) => Array.from({ length: runs }, (_, at) => [2 * at + 1, 2 * at + 1]);
    await restore(member, [{ malId, before: { ...before, ticks: ticksOf(2001) }, after: null }], 400);
    expect(await listOf(member)).toEqual([]);
    await restore(member, [{ malId, before: { ...before, ticks: ticksOf(2000) }, after: null }]);
    expect(await listOf(member)).toHaveLength(1);
  });

  test("drops a state that does not fit the list status, and accepts ticks in any order or beyond the last episode", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const odd = {
      ...before,
      state: "dropped",
      rewatchProgress: 3,
      ticks: [
        [5, 7],
        [1, 6],
      ],
    };
    await restore(member, [{ malId, before: odd, after: null }]);
    expect(await listOf(member)).toMatchObject([
      { type: "Watching", state: null, progress: 7, rewatch_progress: 0 },
    ]);
    for (const ticks of [[[0, 1]], [[3, 2]], [[1, 100_001]], [[1]], "x"])
      await restore(member, [{ malId, before: { ...before, ticks }, after: null }], 400);
  });

  test("adds no entry in the future", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    await restore(member, [{ malId, before: { ...before, addedAt: "2999-01-01T00:00:00Z" }, after: null }]);
    const [entry] = await listOf(member);
    expect(Date.parse(entry!.added_at)).toBeLessThanOrEqual(Date.now());
  });

  test("is refused without the time at which the entry was added, and changes nothing", async () => {
    const [member, malId] = [await newMember(), await someTitle()];
    const { addedAt: _added, ...rest } = before;
    for (const entries of [[{ malId, before: rest, after: null }], {}, "x"])
      await restore(member, entries, 400);
    await postForm(member, "/list", { intent: "restore", entries: "[" }, 400);
    expect(await listOf(member)).toEqual([]);
  });
});

test("notices name the title in the member's title language", async () => {
  const [member, malId] = [await newMember(), await someTitle({ titleEnglish: "The Lantern" })];
  const path = titleOf(malId);
  await dataOf(member.request("/api/saveUserPreferences", { json: { titleLanguage: "english" } }));
  const of = { mal_id: `${malId}` };
  const saved = await postForm(member, path, { intent: "save", ...of, type: "Watching" });
  expect(saved).toContain("Saved The Lantern as Watching");
  expect(await undo(member, path, saved)).toContain("Undid the change of The Lantern");
  const dismissed = await postForm(member, path, { intent: "dismiss", ...of, place: "suggestions" });
  expect(dismissed).toContain("The Lantern is not suggested any more");
  expect(await postForm(member, path, { intent: "favorite", ...of })).toContain(
    "Added The Lantern to your favorites",
  );
});
