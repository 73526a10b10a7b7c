import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { searchHistory } from "#db/schema/library.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** The member whose requests are refused. One is enough, because no refused request changes anything. */
const refusedMember = await newMember();

const path = "/api/user/searchHistory";
type Search = { id: string; user_id: string; query: string; timestamp: string };
const searches = (member: Visitor, query = "") => dataOf<Search[]>(member.request(path + query));
const search = (member: Visitor, json: unknown) => member.request(path, { json });

test("searches are recorded, listed with the newest first, and deleted one by one or together", async () => {
  const member = await newMember();
  const message = { message: expect.any(String) };
  expect(await dataOf(search(member, { query: " bebop " }))).toEqual(message);
  await dataOf(search(member, { query: "bebop", timestamp: "2020-01-02T03:04:05+09:00" }));
  await dataOf(search(member, { query: "monster", timestamp: "2021-01-01" }));
  const [newest, second, third] = await searches(member);
  expect(newest).toEqual({
    id: expect.any(String),
    user_id: member.id,
    query: "bebop",
    timestamp: expect.stringMatching(/Z$/),
  });
  expect(second).toMatchObject({ query: "monster", timestamp: "2021-01-01T00:00:00.000Z" });
  expect(third).toMatchObject({ query: "bebop", timestamp: "2020-01-01T18:04:05.000Z" });
  expect(await searches(member, "?limit=1")).toEqual([newest]);
  await dataOf(member.request(`${path}?id=${second!.id}`, { method: "DELETE" }));
  expect(await searches(member)).toEqual([newest, third]);
  expect(await dataOf(member.request(path, { method: "DELETE" }))).toEqual(message);
  expect(await searches(member)).toEqual([]);
});

test("a time without seconds, with a short zone, without a zone or with a comma is read, and another form gets 400", async () => {
  const member = await newMember();
  const times = {
    "2021-03-04T05:06Z": "2021-03-04T05:06:00.000Z",
    "2021-03-03T05:06:07+0200": "2021-03-03T03:06:07.000Z",
    "2021-03-02T05:06:07-02": "2021-03-02T07:06:07.000Z",
    "2021-03-01T05:06:07": "2021-03-01T05:06:07.000Z",
    "2021-02-28T05:06:07,25Z": "2021-02-28T05:06:07.250Z",
  };
  for (const timestamp of Object.keys(times)) await dataOf(search(member, { query: "when", timestamp }));
  expect((await searches(member)).map(({ timestamp }) => timestamp)).toEqual(Object.values(times));
  for (const timestamp of ["2021-W09-4T05:06:07Z", "2021-063T05:06:07Z"])
    expect(await refusalOf(search(member, { query: "when", timestamp }))).toMatchObject({
      status: 400,
      issues: [{ path: "timestamp", message: expect.stringContaining("must name the day by month and day") }],
    });
});

test("a repeated search is added again, and a time in the future is replaced with now", async () => {
  const member = await newMember();
  for (let count = 0; count < 3; count++)
    await dataOf(search(member, { query: "again", timestamp: "2999-01-01T00:00:00Z" }));
  const found = await searches(member);
  expect(found).toHaveLength(3);
  expect(Date.parse(found[0]!.timestamp)).toBeLessThanOrEqual(Date.now() + 1000);
});

test("of 500 old searches and 61 new ones, many at once, the newest 500 stay", async () => {
  const member = await newMember();
  const [start, row] = [Date.UTC(2020, 0, 1), { userId: member.id }];
  await db
    .insert(searchHistory)
    .values(
      Array.from({ length: 500 }, (_, n) => ({ ...row, query: `q${n}`, searchedAt: new Date(start + n) })),
    );
  const racing = Array.from({ length: 60 }, (_, index) => () => search(member, { query: `new ${index}` }));
  expect((await inThrees(racing)).map(({ status }) => status)).toEqual(Array(60).fill(200));
  await dataOf(search(member, { query: "last" }));
  const found = await searches(member);
  expect([found.length, found.at(-1)?.query]).toEqual([500, "q61"]);
  expect(await dataOf(search(member, { query: "older", timestamp: "2019-01-01" }))).toEqual({
    message: "Not recorded: 500 newer searches are recorded",
  });
});

test("while recording is turned off, a search is not recorded and the answer says so", async () => {
  const member = await newMember();
  await dataOf(member.request("/api/saveUserPreferences", { json: { trackSearchHistory: false } }));
  const { message } = await dataOf<{ message: string }>(search(member, { query: "secret" }));
  expect(message).toContain("Not recorded");
  expect(await searches(member)).toEqual([]);
  await dataOf(member.request("/api/saveUserPreferences", { json: { trackSearchHistory: true } }));
  await dataOf(search(member, { query: "open" }));
  expect(await searches(member)).toHaveLength(1);
});

test.each([
  {},
  { query: "" },
  { query: "   " },
  { query: 1 },
  { query: ["a"] },
  { query: "x".repeat(1001) },
  { query: "a\0" },
  { query: "\udc00" },
  { query: "a", timestamp: "yesterday" },
  { query: "a", timestamp: 1_700_000_000 },
  { query: "a", timestamp: "0000-01-01T00:00:00Z" },
  { query: "a", timestamp: "2024-13-01T00:00:00Z" },
])("the search %j gets 400", async (json) => {
  expect(await refusalOf(search(refusedMember, json))).toMatchObject({ status: 400 });
  expect(await searches(refusedMember)).toEqual([]);
});

test("an invalid limit, id or parameter and an id in the body get 400, and an unknown id deletes nothing", async () => {
  const member = await newMember();
  await dataOf(search(member, { query: "stays" }));
  for (const limit of ["0", "501", "x", "1.5"])
    expect((await refusalOf(member.request(`${path}?limit=${limit}`))).status).toBe(400);
  for (const id of ["", "1", "all"])
    expect((await refusalOf(member.request(`${path}?id=${id}`, { method: "DELETE" }))).status).toBe(400);
  for (const unknown of ["ids=1", "ID=1", `search_id=${crypto.randomUUID()}`])
    expect((await refusalOf(member.request(`${path}?${unknown}`, { method: "DELETE" }))).status).toBe(400);
  const [{ id } = { id: "" }] = await searches(member);
  expect(await refusalOf(member.request(path, { method: "DELETE", json: { id } }))).toMatchObject({
    status: 400,
    error: "The body must be empty: name id in the query",
    issues: [{ path: "", message: expect.any(String) }],
  });
  const other = crypto.randomUUID();
  await dataOf(member.request(`${path}?id=${other}`, { method: "DELETE" }));
  expect(await searches(member)).toHaveLength(1);
  await dataOf(member.request(path, { method: "DELETE", json: {} }));
  expect(await searches(member)).toEqual([]);
});

test("a member cannot add to, read or delete another member's searches", async () => {
  const [member, other] = [await newMember(), await newMember()];
  await dataOf(search(member, { query: "mine", user_id: other.id }));
  const [own] = await searches(member);
  await dataOf(other.request(`${path}?id=${own!.id}`, { method: "DELETE" }));
  await dataOf(other.request(path, { method: "DELETE" }));
  expect(await searches(member)).toEqual([own]);
  expect(await searches(other)).toEqual([]);
});
