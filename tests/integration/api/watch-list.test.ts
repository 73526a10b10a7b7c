import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newGrownUp, newMember, setParentalControl, type Visitor } from "#tests/support/requests/visitor.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** The member whose requests are refused. One is enough, because no refused request changes anything. */
const refusedMember = await newMember();

const path = "/api/user/watchList";
type Entry = { id: string; anime_id: string; type: string; progress: number } & Record<string, unknown>;
const listOf = (member: Visitor, query = "") => dataOf<Entry[]>(member.request(path + query));
const add = (member: Visitor, json: unknown) => member.request(path, { json });

test("an entry is added, changed and removed, and removing one that is not there gets 200", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12, score: 8.1, year: 2020 })];
  const added = await dataOf(add(member, { animeId: String(malId), type: "To Watch" }));
  expect(added).toEqual({ message: "Added to To Watch", offers_completed: false });
  await dataOf(add(member, { animeId: malId, type: "Watching", progress: 3, score: 7.5, notes: "Hm ✓" }));
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const [entry, ...more] = await listOf(member);
  expect(more).toEqual([]);
  expect(entry).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_id: member.id,
    anime_id: String(malId),
    mal_id: malId,
    type: "Watching",
    state: null,
    title: `Title ${malId}`,
    imageUrl: `${origin}/poster/${malId}.webp?w=320`,
    image_webp: `${origin}/poster/${malId}.webp?w=320`,
    rating: 8.1,
    episodes: 12,
    genres: [],
    status: expect.any(String),
    year: 2020,
    progress: 3,
    rewatch_count: 0,
    rewatch_progress: 0,
    score: 7.5,
    notes: "Hm ✓",
    tags: [],
    started_on: null,
    finished_on: null,
    added_at: timestamp,
    updated_at: timestamp,
  });
  expect(await dataOf(member.request(path, { method: "DELETE", json: { animeId: String(malId) } }))).toEqual({
    message: "Removed from the list",
  });
  expect(await listOf(member)).toEqual([]);
  for (const absent of [malId, 2_147_483_647, 9_999_999_999])
    await dataOf(member.request(path, { method: "DELETE", json: { animeId: absent } }));
});

test("every spelling of a list status is accepted, and the list has one spelling", async () => {
  const [member, malId] = [await newMember(), await someTitle()];
  const spelledAs = {
    "To Watch": ["To Watch", "to_watch", "TO WATCH", "to watch", "to-watch", "To_Watch"],
    Collection: ["Collection", "collection"],
    Watching: ["Watching", "watching"],
    Completed: ["Completed", "completed", " Completed "],
  };
  for (const [type, spellings] of Object.entries(spelledAs))
    for (const spelling of spellings) {
      await dataOf(add(member, { animeId: malId, type: spelling }));
      expect(
        (await listOf(member)).map((entry) => entry.type),
        spelling,
      ).toEqual([type]);
      expect(await listOf(member, `?type=${encodeURIComponent(spelling)}`)).toHaveLength(1);
    }
});

test.each(["animeId", "anime_id", "mal_id"])("a title may be named by %s", async (name) => {
  const [member, malId] = [await newMember(), await someTitle()];
  await dataOf(add(member, { [name]: malId, type: "Watching" }));
  await dataOf(member.request(path, { method: "DELETE", json: { [name]: `${malId}` } }));
  expect(await listOf(member)).toEqual([]);
});

test("the alias paths do the same as the main path, in any letter case", async () => {
  const [member, malId] = [await newMember(), await someTitle()];
  const json = { animeId: String(malId), type: "watching" };
  await dataOf(member.request("/api/user/watchlist/add", { json }));
  await dataOf(
    member.request("/api/user/WATCHLIST/update", { method: "PUT", json: { ...json, type: "completed" } }),
  );
  expect((await dataOf<Entry[]>(member.request("/API/user/Watchlist"))).map(({ type }) => type)).toEqual([
    "Completed",
  ]);
  await dataOf(member.request("/api/user/watchlist/remove", { method: "DELETE", json }));
  expect(await listOf(member)).toEqual([]);
});

test("another method on an alias path gets 405", async () => {
  const member = await newMember();
  for (const [alias, own] of [
    ["add", "POST"],
    ["update", "PUT"],
    ["remove", "DELETE"],
  ] as const)
    for (const method of ["GET", "POST", "PUT", "DELETE"].filter((one) => one !== own)) {
      const body = method === "GET" ? {} : { json: { animeId: 1, type: "Watching" } };
      const response = await member.request(`/api/user/watchlist/${alias}`, { method, ...body });
      expect([response.status, response.headers.get("Allow")], `${method} ${alias}`).toEqual([
        405,
        `${own}, OPTIONS`,
      ]);
    }
});

test.each([
  [{}, 400],
  [null, 400],
  [[], 400],
  ["12", 400],
  [{ animeId: 1 }, 400],
  [{ type: "Watching" }, 400],
  [{ animeId: 0, type: "Watching" }, 400],
  [{ animeId: -1, type: "Watching" }, 400],
  [{ animeId: 1.5, type: "Watching" }, 400],
  [{ animeId: "one", type: "Watching" }, 400],
  [{ animeId: "1e3", type: "Watching" }, 400],
  [{ animeId: ["1"], type: "Watching" }, 400],
  [{ animeId: true, type: "Watching" }, 400],
  [{ animeId: 1, type: "Dropped" }, 400],
  [{ animeId: 1, type: "" }, 400],
  [{ animeId: 1, type: 1 }, 400],
  [{ animeId: 1, type: "__proto__" }, 400],
  [{ animeId: 1, type: "Watching", progress: -1 }, 400],
  [{ animeId: 1, type: "Watching", progress: 1.5 }, 400],
  [{ animeId: 1, type: "Watching", progress: 1e9 }, 400],
  [{ animeId: 1, type: "Watching", score: 10.1 }, 400],
  [{ animeId: 1, type: "Watching", score: "9" }, 400],
  [{ animeId: 1, type: "Watching", notes: "x".repeat(10_001) }, 400],
  [{ animeId: 1, type: "Watching", notes: "a\0b" }, 400],
  [{ animeId: 1, type: "Watching", notes: "\ud800" }, 400],
  [{ animeId: 1, type: "Watching", started_on: "2023-02-29" }, 400],
  [{ animeId: 1, type: "Watching", state: "paused" }, 400],
  [{ animeId: 1, type: "Watching", rewatch_count: 10_001 }, 400],
  [{ animeId: 1, type: "Watching", rewatch_progress: -1 }, 400],
  [{ animeId: 1, type: "Watching", tags: Array.from({ length: 51 }, (_, tag) => `${tag}`) }, 400],
  [{ animeId: 1, type: "Watching", tags: ["a,b"] }, 400],
  [{ animeId: 1, type: "Watching", tags: ["x".repeat(61)] }, 400],
  [{ animeId: 1, type: "Watching", tags: ["\0"] }, 400],
  [{ animeId: 2_147_483_647, type: "Watching" }, 404],
  [{ animeId: "9999999999", type: "Watching" }, 404],
  [{ animeId: Number.MAX_SAFE_INTEGER, type: "Watching" }, 404],
])("%j gets %i and adds nothing", async (json, status) => {
  for (const method of ["POST", "PUT"])
    expect(await refusalOf(refusedMember.request(path, { method, json }))).toMatchObject({ status });
  expect(await listOf(refusedMember)).toEqual([]);
});

test("an unknown type in the query gets 400 with the known ones", async () => {
  const member = await newMember();
  const refusal = await refusalOf(member.request(`${path}?type=dropped`));
  expect(refusal).toMatchObject({ status: 400, error: expect.stringContaining("To Watch") });
});

test("fields that are not sent stay, and empty ones are cleared", async () => {
  const [member, malId] = [await newMember(), await someTitle()];
  const all = { progress: 4, score: 9, notes: "n", started_on: "2024-01-02", finished_on: "2024-02-03" };
  await dataOf(add(member, { animeId: malId, type: "Watching", ...all }));
  await dataOf(add(member, { animeId: malId, type: "Completed" }));
  expect(await listOf(member)).toMatchObject([{ type: "Completed", ...all }]);
  const nothing = { progress: 0, score: null, notes: "", started_on: null, finished_on: null };
  await dataOf(add(member, { animeId: malId, type: "Completed", ...nothing }));
  expect(await listOf(member)).toMatchObject([nothing]);
});

test("progress to the last episode offers Completed, unless the entry is there already", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  const offers = async (json: object) =>
    (await dataOf<{ offers_completed: boolean }>(add(member, { animeId: malId, ...json }))).offers_completed;
  expect(await offers({ type: "Watching", progress: 1 })).toBe(false);
  expect(await offers({ type: "Watching", progress: 2 })).toBe(true);
  expect(await offers({ type: "Completed", progress: 2 })).toBe(false);
});

test("the entry that was changed last comes first", async () => {
  const member = await newMember();
  const [first, second, third] = [await someTitle(), await someTitle(), await someTitle()];
  for (const animeId of [first, second, third, first])
    await dataOf(add(member, { animeId, type: "Collection" }));
  expect((await listOf(member)).map(({ mal_id }) => mal_id)).toEqual([first, third, second]);
});

test("a hundred changes of one title, three at once, get 200 and leave one entry", async () => {
  const [member, malId] = [await newMember(), await someTitle()];
  const types = ["To Watch", "Collection", "Watching", "Completed"];
  const answers = await inThrees(
    Array.from({ length: 100 }, (_, index) => () => add(member, { animeId: malId, type: types[index % 4] })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect(await listOf(member)).toHaveLength(1);
});

test("a request with the ids of another member's entry changes only the sender's list", async () => {
  const [member, other, malId] = [await newMember(), await newMember(), await someTitle()];
  await dataOf(add(member, { animeId: malId, type: "Completed", score: 10 }));
  const before = await listOf(member);
  const stolen = { id: before[0]!.id, user_id: member.id, userId: member.id };
  await dataOf(add(other, { animeId: malId, type: "To Watch", ...stolen }));
  expect(await listOf(other)).toMatchObject([{ user_id: other.id, type: "To Watch" }]);
  await dataOf(other.request(path, { method: "DELETE", json: { animeId: malId, ...stolen } }));
  expect(await listOf(member)).toEqual(before);
});

test("entries of mature titles are listed only while parental control is off", async () => {
  const [member, malId] = [await newGrownUp(), await someTitle({ rating: "rx" })];
  await dataOf(add(member, { animeId: malId, type: "Watching" }));
  expect(await listOf(member)).toHaveLength(1);
  await setParentalControl(member, true);
  expect(await listOf(member)).toEqual([]);
});

test("a state decides the type, which the answer names, and a type alone ends the state unless it goes with it", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 12 })];
  const after = async (json: object) => {
    const { message } = await dataOf<{ message: string }>(add(member, { animeId: malId, ...json }));
    const [entry] = await listOf(member);
    expect(message).toBe(`Added to ${entry?.type}`);
    return entry;
  };
  expect(await after({ type: "Completed", progress: 12 })).toMatchObject({ type: "Completed", state: null });
  expect(await after({ type: "Completed", state: "On hold" })).toMatchObject({
    type: "Watching",
    state: "on_hold",
  });
  expect(await after({ type: "Watching", score: 7 })).toMatchObject({ state: "on_hold", score: 7 });
  expect(await listOf(member, "?type=Watching")).toHaveLength(1);
  expect(await after({ type: "To Watch" })).toMatchObject({ type: "To Watch", state: null });
  expect(await after({ type: "To Watch", state: "dropped" })).toMatchObject({
    type: "Collection",
    state: "dropped",
  });
  expect(await after({ type: "Collection", state: null })).toMatchObject({ type: "Collection", state: null });
});

test("a rewatch has its own progress, and its last episode adds one to the count and completes the title", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  const first = { progress: 2, score: 9, started_on: "2024-01-02", finished_on: "2024-02-03" };
  const watch = (ep: number) =>
    dataOf(
      member.request("/api/user/progress", {
        method: "PUT",
        json: { mal_id: malId, ep, position: 95, duration: 100 },
      }),
    );
  await dataOf(
    add(member, { animeId: malId, type: "Completed", ...first, tags: ["with Mika", " best  of "] }),
  );
  await dataOf(add(member, { animeId: malId, type: "Watching", state: "rewatching" }));
  expect(await watch(1)).toEqual({ watched: true, offers_completed: false });
  expect(await listOf(member)).toMatchObject([
    { ...first, type: "Watching", state: "rewatching", rewatch_progress: 1, tags: ["with Mika", "best of"] },
  ]);
  expect(await watch(2)).toEqual({ watched: true, offers_completed: false });
  expect(await listOf(member)).toMatchObject([
    { ...first, type: "Completed", state: null, rewatch_progress: 0, rewatch_count: 1 },
  ]);
});

test("playing an episode of a title that is completed or dropped changes nothing on the list", async () => {
  const member = await newMember();
  for (const entry of [{ type: "Completed" }, { type: "Collection", state: "dropped" }]) {
    const malId = await someTitle({ episodes: 12 });
    await dataOf(add(member, { animeId: malId, ...entry }));
    const [before] = await listOf(member);
    const json = { mal_id: malId, ep: 12, position: 95, duration: 100 };
    expect(await dataOf(member.request("/api/user/progress", { method: "PUT", json }))).toEqual({
      watched: true,
      offers_completed: false,
    });
    expect((await listOf(member))[0]).toEqual(before);
  }
});
