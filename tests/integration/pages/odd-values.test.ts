import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

/** Numbers and moments that no column holds, in the addresses and forms of people who are signed in. */

const boss = await newMember();
await db.update(users).set({ role: "operator" }).where(eq(users.id, boss.id));
const malId = await someTitle({ episodes: 3 });
const beyond = "3000000000";

function restoring(odd: object) {
  const before = { type: "Watching", progress: 1, score: null, notes: "", startedOn: null, finishedOn: null };
  const addedAt = "2024-01-02T03:04:05.678Z";
  return JSON.stringify([{ malId, before: { ...before, addedAt, ...odd } }]);
}

test.each([
  "/history?before=-200000-01-01T00:00:00.000Z",
  "/history?before=%2B275000-01-01T00:00:00.000Z",
  "/list?page=1e308",
  "/list?page=-1",
  `/anime/${beyond}`,
  `/anime/${malId}?episodes=${beyond}`,
  `/watch/${malId}/${beyond}`,
  `/admin/episode?id=${malId}&episode=${beyond}`,
  `/admin/episode?id=${beyond}&episode=1`,
  "/admin/users?after=%00",
  "/api/user/watchHistory?before=-200000-01-01T00:00:00.000Z",
])("GET %s", async (path) => expect((await boss.request(path)).status).toBeLessThan(500));

test.each<[path: string, form: Record<string, string>]>([
  ["/history", { intent: "episode", mal_id: beyond, ep: "1" }],
  ["/history", { intent: "episode", mal_id: `${malId}`, ep: beyond }],
  ["/history", { intent: "day", date: "0000-01-01" }],
  ["/history", { intent: "day", date: "9999-12-31" }],
  ["/list", { intent: "save", mal_id: beyond, type: "Watching" }],
  ["/list", { intent: "save", mal_id: `${malId}`, progress: "100000", step: "1" }],
  ["/list", { intent: "bulk-remove", "title-999999999": "on" }],
  ["/list", { intent: "restore", entries: JSON.stringify([{ malId: Number(beyond), before: null }]) }],
  ["/list", { intent: "restore", entries: restoring({ progress: Number(beyond) }) }],
  ["/list", { intent: "restore", entries: restoring({ startedOn: "0000-01-01" }) }],
  ["/list", { intent: "restore", entries: restoring({ addedAt: "0000-01-01T00:00:00Z" }) }],
  ["/list", { intent: "restore", entries: restoring({ addedAt: "9999-12-31T23:59:59.999Z" }) }],
  ["/list", { intent: "restore", entries: restoring({ notes: "\0" }) }],
  ["/list", { intent: "restore", entries: restoring({ notes: "\ud800" }) }],
  [`/anime/${malId}`, { intent: "save", mal_id: `${malId}`, progress: beyond }],
  ["/history", { intent: "search", ids: "x,," }],
  ["/list/import?undo=x", { undo: "1" }],
  ["/settings/sessions", { id: "x" }],
  ["/settings/tokens", { id: "x" }],
  ["/settings/preferences", { titleLanguage: "romaji", timeZone: "Nowhere/None" }],
  ["/profile/edit", { name: "A", birthday: "0000-01-01" }],
  ["/verify", { token: "x" }],
  ["/reset", { intent: "confirm", token: "x", password: "Abc123!x" }],
  [`/admin/episode?id=${malId}&episode=1`, { intent: "remove-source", id: "x" }],
  [`/admin/episode?id=${malId}&episode=1`, { intent: "remove-subtitles", id: "x" }],
  [`/admin/episode?id=${malId}&episode=1`, { intent: "skips", start: "1e308", end: "1e309", kind: "intro" }],
  ["/admin/users", { intent: "promote", id: "x" }],
  [`/watch/${malId}/1`, { source: "x", reason: "expired" }],
  ["/anime/abc", { intent: "save", mal_id: `${malId}`, type: "Watching" }],
  ["/anime/abc", { intent: "remove", mal_id: "abc" }],
  ["/anime/1.5", { intent: "save", mal_id: "1.5", type: "Watching" }],
  [`/anime/${malId}`, { intent: "save", mal_id: `${malId}`, score: "1e308" }],
  [`/admin/episode?id=${malId}&episode=${beyond}`, { intent: "source", url: "/film.webm", type: "webm" }],
  [
    "/admin/films",
    { intent: "register", url: "media:a.mp4", type: "mp4", language: "", id: beyond, episode: "1" },
  ],
  [
    "/admin/films",
    { intent: "register", url: "media:a.mp4", type: "mp4", language: "", id: `${malId}`, episode: beyond },
  ],
])("POST %s %o", async (path, form) => {
  const response = await boss.request(path, { form });
  expect(response.status, await response.text()).toBeLessThan(500);
});

test("the API has no such episodes and days either", async () => {
  const path = `/api/user/watchHistory?mal_id=${malId}&ep=${beyond}`;
  expect((await boss.request(path, { method: "DELETE" })).status).toBe(400);
  const entry = { animeId: malId, type: "watching", started_on: "0000-01-01" };
  expect((await boss.request("/api/user/watchList", { json: entry })).status).toBe(400);
});
