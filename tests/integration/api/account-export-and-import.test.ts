import { gzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import { episodes } from "#db/schema/episodes.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, setParentalControl, type Visitor } from "#tests/support/requests/visitor.ts";

type Plain = Record<string, unknown>;
type Account = Plain & { account: Plain; profile: Plain; preferences: Plain } & Record<
    "watch_list" | "search_history" | "watch_progress" | "watch_history" | "security_events",
    Plain[]
  >;

const download = async (member: Visitor) => {
  const response = await member.request("/api/user/export");
  expect(response.status).toBe(200);
  return response.text();
};
const exported = async (member: Visitor) => JSON.parse(await download(member)) as Account;
const send = (member: Visitor, body: BodyInit) =>
  member.request("/api/user/import", { method: "POST", body });
const importAccount = (member: Visitor, account: unknown) =>
  dataOf<Plain>(send(member, JSON.stringify(account)));

const titles = [await someTitle({ episodes: 2 }), await someTitle(), await someTitle({ rating: "rx" })];
await db.insert(episodes).values(titles.map((malId) => ({ malId, number: 1, title: "One" })));

async function memberWithData() {
  const member = await newMember();
  await dataOf(
    member.request("/api/user/profile", {
      json: {
        name: "Mio",
        last_name: "Akiyama",
        gender: "female",
        birthday: "1992-01-15",
        favorite_animes: titles,
        favorite_genres: ["Drama"],
        favorite_studios: ["Kyoto Animation"],
        frequency: "weekly",
        fanatic_level: "otaku",
      },
    }),
  );
  await dataOf(member.request("/api/saveImage", { json: { avatar: "https://x.example/a.png" } }));
  await dataOf(
    member.request("/api/saveUserPreferences", {
      json: { enfasis: "#aa00bb", parentalControl: false, timeZone: "Asia/Tokyo", titleLanguage: "japanese" },
    }),
  );
  for (const [index, animeId] of titles.entries())
    await dataOf(
      member.request("/api/user/watchList", {
        json: { animeId, type: "Watching", progress: index, score: index + 0.5, notes: "✓\n" },
      }),
    );
  for (const query of ["one", "two", "one"])
    await dataOf(member.request("/api/user/searchHistory", { json: { query } }));
  for (const [index, mal_id] of titles.entries())
    await dataOf(
      member.request("/api/user/progress", {
        method: "PUT",
        json: { mal_id, ep: 1, position: 40 * (index + 1), duration: 100, at: `2026-01-0${index + 1}` },
      }),
    );
  return member;
}

test("an export holds all of a member's data, mature titles too, but no password hash, token, role or id", async () => {
  const member = await memberWithData();
  const json = { name: "Script", scope: "read" };
  const { token } = await dataOf<{ token: string }>(member.request("/api/auth/tokens", { json }), 201);
  const response = await member.request("/api/user/export");
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="engawa-account.json"');
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  const text = await response.text();
  const account = JSON.parse(text) as Account;
  expect(account).toMatchObject({
    format: "engawa-account",
    account: { email: member.email, user_name: member.username },
    profile: { name: "Mio", favorite_animes: titles, frequency_of_watch: "Weekly" },
    preferences: { enfasiscolor: "#aa00bb", parentalControl: false },
  });
  expect(account.watch_list.map(({ mal_id }) => mal_id)).toEqual(titles);
  expect(account.search_history.map(({ query }) => query)).toEqual(["one", "two", "one"]);
  expect(account.watch_progress).toHaveLength(3);
  expect(account.watch_history).toMatchObject([{ mal_id: titles[2], ep: 1 }]);
  const [secrets] = await db.select().from(credentials).where(eq(credentials.userId, member.id));
  for (const secret of [secrets!.hash, "operator", "role", token, member.id, "session"])
    expect(text, secret).not.toContain(secret);
});

test("an import into an empty account copies all data, and a second import changes nothing", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  const account = await exported(member);
  const report = await importAccount(other, account);
  expect(report).toMatchObject({ search_history: 3, watch_progress: 3, watch_history: 1 });
  const { account: _own, exported_at: _now, security_events: _events, ...exportedData } = account;
  const {
    account: otherAccount,
    exported_at: _later,
    security_events: _otherEvents,
    ...importedData
  } = await exported(other);
  // Only the member can turn off parental control.
  const copied = { ...exportedData, preferences: { ...account.preferences, parentalControl: true } };
  expect(importedData).toEqual(copied);
  expect(otherAccount).toMatchObject({ email: other.email, user_name: other.username });
  expect(await importAccount(other, account)).toMatchObject({
    watch_list: { added: [], changed: [], undo: null },
    search_history: 0,
    watch_progress: 0,
    watch_history: 0,
  });
  const { account: _a, exported_at: _b, security_events: _c, ...again } = await exported(other);
  expect(again).toEqual(copied);
});

test("an import into an account with data keeps that account's values and fills empty ones", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  await dataOf(
    other.request("/api/user/profile", {
      json: { name: "Ritsu", last_name: "T", gender: "other", favorite_animes: [1], frequency: "daily" },
    }),
  );
  await dataOf(other.request("/api/saveUserPreferences", { json: { enfasis: "#123456" } }));
  await dataOf(
    other.request("/api/user/watchList", {
      json: { animeId: titles[1], type: "completed", progress: 9, score: 1 },
    }),
  );
  await importAccount(other, await exported(member));
  expect(await exported(other)).toMatchObject({
    profile: {
      name: "Ritsu",
      last_name: "T",
      gender: "Other",
      birthday: "1992-01-15",
      favorite_animes: [1, ...titles],
      frequency_of_watch: "Daily",
      fanatic_level: "Otaku",
    },
    preferences: { enfasiscolor: "#123456", titleLanguage: "japanese" },
    watch_list: [{}, { type: "Completed", progress: 9, score: 1 }, {}],
  });
});

test("an import keeps a preference that changes while it waits", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  const account = await exported(member);
  const { importing } = await withTransaction(async (transaction) => {
    await transaction.update(users).set({ accentColor: "#123456" }).where(eq(users.id, other.id));
    const importing = importAccount(other, account);
    await untilQueriesWait();
    return { importing };
  });
  await importing;
  expect(await exported(other)).toMatchObject({
    preferences: { enfasiscolor: "#123456", titleLanguage: "japanese" },
  });
});

test("an import with another email, role, id or password hash changes none of them", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  const rowOf = async () => (await db.select().from(users).where(eq(users.id, other.id)))[0]!;
  const secretsOf = () => db.select().from(credentials).where(eq(credentials.userId, other.id));
  const [before, secrets] = [await rowOf(), await secretsOf()];
  const forged = {
    id: member.id,
    email: "thief@example.org",
    role: "operator",
    username: "root",
    disabled: true,
  };
  const account = await exported(member);
  await importAccount(other, {
    ...account,
    ...forged,
    account: { ...account.account, ...forged, hash: "x" },
    profile: { ...account.profile, ...forged, parentalControl: false },
    preferences: { ...account.preferences, ...forged, userId: member.id },
  });
  const after = await rowOf();
  for (const field of [
    "id",
    "email",
    "role",
    "username",
    "disabled",
    "createdAt",
    "emailVerifiedAt",
  ] as const)
    expect(after[field], field).toEqual(before[field]);
  expect(await secretsOf()).toEqual(secrets);
  expect((await exported(member)).profile.name).toBe("Mio");
});

test("an import that cannot save a value saves the others and says what it left out", async () => {
  const member = await newMember();
  const report = await importAccount(member, {
    format: "engawa-account",
    profile: {
      // Three characters in the file become two when stored.
      name: "e\u0301a",
      last_name: "Akiyama",
      gender: "Female",
      avatar_url: "http://localhost:3000/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
      banner_image: "https://x.example/banner.png",
    },
    preferences: { enfasiscolor: "#aa00bb", parentalControl: false },
    watch_list: [{ mal_id: titles[0], type: "Watching" }],
  });
  expect(report).toMatchObject({
    watch_list: { added: [{ mal_id: titles[0] }], undo: expect.any(String) },
    skipped: [
      { field: "name", why: "needs at least 3 characters" },
      { field: "avatar_url", why: "is not stored here; upload it again" },
      { field: "parentalControl", why: expect.stringContaining("stays on") },
    ],
  });
  const { profile, preferences } = await exported(member);
  expect(profile).toMatchObject({
    name: member.username,
    last_name: "Akiyama",
    gender: "Female",
    avatar_url: null,
    banner_image: "https://x.example/banner.png",
  });
  expect(preferences).toMatchObject({ enfasiscolor: "#aa00bb", parentalControl: true });
});

test("an import adds as many favorites as fit, in the order of the file, and says how many did not", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  const ids = Array.from({ length: 12_000 }, (_, index) => index + 1);
  const json = { name: "Ritsu", last_name: "T", gender: "other", favorite_animes: ids.slice(2, 10_000) };
  await dataOf(other.request("/api/user/profile", { json }));
  const account = await exported(member);
  account.profile.favorite_animes = [3, 12_000, 11_999, 11_998];
  const why = "1 of them did not fit: a profile has at most 10,000";
  for (let i = 0; i < 2; i++) {
    const { skipped } = await importAccount(other, account);
    expect(skipped).toContainEqual({ field: "favorite_animes", why });
  }
  const { profile } = await exported(other);
  expect(profile.favorite_animes).toEqual([...ids.slice(2, 10_000), 12_000, 11_999]);
  const empty = await newMember();
  account.profile.favorite_animes = ids;
  const { skipped } = await importAccount(empty, account);
  expect(skipped).toContainEqual({ field: "favorite_animes", why: why.replace("1", "2,000") });
  expect((await exported(empty)).profile.favorite_animes).toEqual(ids.slice(0, 10_000));
});

test("an import that leaves nothing out reports no skipped values", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  await setParentalControl(other, false);
  expect(await importAccount(other, await exported(member))).toMatchObject({ skipped: [] });
  expect((await exported(other)).preferences).toMatchObject({ parentalControl: false });
});

test("an import into an account that records no searches adds no searches", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  await dataOf(other.request("/api/saveUserPreferences", { json: { trackSearchHistory: false } }));
  expect(await importAccount(other, await exported(member))).toMatchObject({ search_history: 0 });
});

test("an import adds no views and no resume points of episodes that a title cannot have", async () => {
  const member = await newMember();
  const malId = await someTitle({ episodes: 2 });
  await db.insert(episodes).values({ malId, number: 4, title: "Beyond the number of the title" });
  const point = { mal_id: malId, position: 5, duration: 100, at: "2026-01-01T00:00:00.000Z" };
  const view = { mal_id: malId, watched_at: "2026-01-01T00:00:00.000Z" };
  const report = await importAccount(member, {
    format: "engawa-account",
    watch_progress: [2, 3, 4, 99_999].map((ep) => ({ ...point, ep })),
    watch_history: [2, 3, 4, 99_999].map((ep) => ({ ...view, ep })),
  });
  expect(report).toMatchObject({ watch_progress: 2, watch_history: 2 });
  const account = await exported(member);
  for (const rows of [account.watch_progress, account.watch_history])
    expect(rows.map(({ ep }) => ep).sort()).toEqual([2, 4]);
});

test("a profile keeps its newest 100,000 watched episodes and resume points", async () => {
  const [member, malId, other] = [await newMember(), await someTitle(), await someTitle()];
  // In parts, because a statement has a time limit.
  for (let first = 1; first < 100_000; first += 10_000) {
    const numbers = sql`generate_series(${first}::int, ${first + 9999}::int) as episode`;
    const day = sql`timestamptz '2020-01-01' + episode * interval '1 minute'`;
    await db.execute(sql`insert into watch_history (user_id, mal_id, episode, watched_at)
      select ${member.id}::uuid, ${malId}::int, episode, ${day} from ${numbers}`);
    await db.execute(sql`insert into watch_progress (user_id, mal_id, episode, position, duration, at)
      select ${member.id}::uuid, ${malId}::int, episode, 95, 100, ${day} from ${numbers}`);
  }
  const statesOf = () =>
    db.execute(sql`
      select count(*)::int as rows, min(episode) filter (where mal_id = ${malId}) as first,
        array_agg(episode order by episode) filter (where mal_id = ${other}) as others
      from watch_history where user_id = ${member.id}::uuid
      union all
      select count(*)::int, min(episode) filter (where mal_id = ${malId}),
        array_agg(episode order by episode) filter (where mal_id = ${other})
      from watch_progress where user_id = ${member.id}::uuid`);
  const at = "2021-01-01T00:00:00.000Z";
  for (const position of [5, 95]) {
    const json = { mal_id: other, ep: 1, position, duration: 100, at };
    expect((await member.request("/api/user/progress", { method: "PUT", json })).status).toBe(200);
  }
  const kept = { rows: 100_000, first: 2, others: [1] };
  expect(await statesOf()).toMatchObject([kept, kept]);

  const rows = [2, 3].map((ep) => ({ mal_id: other, ep, position: 5, duration: 100 }));
  const old = { mal_id: other, ep: 4, position: 5, duration: 100 };
  const report = await importAccount(member, {
    format: "engawa-account",
    watch_history: [
      ...rows.map((row) => ({ ...row, watched_at: at })),
      { ...old, watched_at: "2000-01-01T00:00:00.000Z" },
    ],
    watch_progress: rows.map((row) => ({ ...row, at })),
  });
  expect(report).toMatchObject({ watch_history: 3, watch_progress: 2 });
  const why = (count: number) => `${count} of the oldest removed: a profile keeps the newest 100,000`;
  expect(report.skipped).toEqual([
    { field: "watch_history", why: why(3) },
    { field: "watch_progress", why: why(2) },
  ]);
  const then = { rows: 100_000, first: 4, others: [1, 2, 3] };
  expect(await statesOf()).toMatchObject([then, then]);
});

test("invalid values in an import are left out, and repeated ones are added once", async () => {
  const member = await newMember();
  const resumePoint = {
    mal_id: titles[0],
    ep: 1,
    position: 5,
    duration: 100,
    at: "2026-01-01T00:00:00.000Z",
  };
  const report = await importAccount(member, {
    format: "engawa-account",
    profile: {
      name: "x",
      gender: "?",
      birthday: "2999-01-01",
      favorite_animes: ["a", -1, 7],
      avatar_url: "javascript:0",
    },
    preferences: {
      enfasiscolor: "red",
      timeZone: "Mars/Olympus",
      titleLanguage: "native",
      scoreFormat: "smileys",
      parentalControl: "no",
    },
    watch_list: [{ mal_id: "x" }, 5, null, { mal_id: titles[0], type: "Watching", progress: -4, score: 99 }],
    search_history: [
      { query: "" },
      { query: "a\0b", timestamp: "2020-01-01T00:00:00Z" },
      { query: "no time" },
    ],
    watch_progress: [
      resumePoint,
      { ...resumePoint, position: 9 },
      { ...resumePoint, ep: 0 },
      { ...resumePoint, mal_id: 2_000_000_003 },
      "x",
    ],
    watch_history: Array(3).fill({ mal_id: titles[0], ep: 1, watched_at: "2999-01-01T00:00:00Z" }),
  });
  expect(report).toMatchObject({
    watch_list: {
      added: [{ mal_id: titles[0], progress: 0, score: null }],
      unmatched: Array(3).fill({ mal_id: null }),
    },
    search_history: 1,
    watch_progress: 1,
    watch_history: 1,
  });
  const account = await exported(member);
  expect(account.watch_progress).toMatchObject([{ position: 9 }]);
  expect(account.preferences).toMatchObject({
    timeZone: null,
    titleLanguage: "browser",
    scoreFormat: "whole",
  });
  expect(account.profile).toMatchObject({
    name: member.username,
    gender: null,
    favorite_animes: [7],
    avatar_url: null,
  });
});

const refusedMember = await newMember();
test.each<[string, BodyInit, number]>([
  ["another format", '{"format":"engawa-list","entries":[]}', 400],
  ["a later version", '{"format":"engawa-account","version":2}', 400],
  ["an array", "[]", 400],
  ["a JSON string", '"engawa-account"', 400],
  ["cut JSON", '{"format":"engawa-account","profile":{', 400],
  ["XML", "<myanimelist/>", 400],
  ["an empty file", "", 400],
  ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe, 0x41]), 400],
  ["a truncated archive", gzipSync('{"format":"engawa-account"}').subarray(0, 20), 400],
  ["a file of 33 MiB", Buffer.alloc(33 * 1024 * 1024, " "), 413],
  ["a gzipped file of 33 MiB", gzipSync(Buffer.alloc(33 * 1024 * 1024, " ")), 413],
  ["deeply nested JSON", "[".repeat(1_000_000), 413],
])("%s is refused and changes nothing", async (_, body, status) => {
  const before = await exported(refusedMember);
  expect((await refusalOf(send(refusedMember, body))).status).toBe(status);
  // The export itself is recorded as an event.
  const rest = { exported_at: 0, security_events: [] };
  expect({ ...(await exported(refusedMember)), ...rest }).toEqual({ ...before, ...rest });
});

test("account imports and progress reports at the same time all get 200", async () => {
  const [member, other] = [await memberWithData(), await newMember()];
  const file = await download(member);
  await setParentalControl(other, false);
  const watch = (mal_id: number) =>
    other.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id, ep: 1, position: 99, duration: 100 },
    });
  for (let round = 0; round < 5; round++) {
    const importAndWatch = [() => send(other, file), ...titles.map((id) => () => watch(id))];
    const all = [...importAndWatch, ...importAndWatch];
    expect((await inThrees(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  }
});
