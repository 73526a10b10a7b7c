import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newOperator } from "#tests/support/requests/visitor.ts";

/** Numbers and times that no column can hold, in URLs and forms that a signed-in operator sends. */

const operator = await newOperator();
const malId = await someTitle({ episodes: 3 });
const tooLarge = "3000000000";

function restoreEntries(changes: object) {
  const before = { type: "Watching", progress: 1, score: null, notes: "", startedOn: null, finishedOn: null };
  const addedAt = "2024-01-02T03:04:05.678Z";
  return JSON.stringify([{ malId, before: { ...before, addedAt, ...changes }, after: null }]);
}

test.each([
  "/history?before=-200000-01-01T00:00:00.000Z",
  "/history?before=%2B275000-01-01T00:00:00.000Z",
  "/schedule?week=0050-01-03",
  "/list?page=1e308",
  "/list?page=-1",
  `/anime/${tooLarge}`,
  `/anime/${malId}?episodes=${tooLarge}`,
  `/watch/${malId}/${tooLarge}`,
  `/admin/episode?id=${malId}&episode=${tooLarge}`,
  `/admin/episode?id=${tooLarge}&episode=1`,
  "/admin/users?after=%00",
  `/admin/films/decide?film=${"-".repeat(36)}`,
  "/api/user/watchHistory?before=-200000-01-01T00:00:00.000Z",
])("GET %s gets no 5xx", async (path) => expect((await operator.request(path)).status).toBeLessThan(500));

test.each<[path: string, form: Record<string, string>]>([
  ["/history", { intent: "episode", mal_id: tooLarge, ep: "1" }],
  ["/history", { intent: "episode", mal_id: `${malId}`, ep: tooLarge }],
  ["/history", { intent: "day", date: "0000-01-01" }],
  ["/history", { intent: "day", date: "9999-12-31" }],
  ["/history", { intent: "day", date: "0050-01-01" }],
  ["/list", { intent: "save", mal_id: tooLarge, type: "Watching" }],
  ["/list", { intent: "save", mal_id: `${malId}`, progress: "100000", step: "1" }],
  ["/list", { intent: "bulk-remove", "title-999999999": "on" }],
  [
    "/list",
    { intent: "restore", entries: JSON.stringify([{ malId: Number(tooLarge), before: {}, after: {} }]) },
  ],
  ["/list", { intent: "restore", entries: restoreEntries({ progress: Number(tooLarge) }) }],
  ["/list", { intent: "restore", entries: restoreEntries({ startedOn: "0000-01-01" }) }],
  ["/list", { intent: "restore", entries: restoreEntries({ addedAt: "0000-01-01T00:00:00Z" }) }],
  ["/list", { intent: "restore", entries: restoreEntries({ addedAt: "9999-12-31T23:59:59.999Z" }) }],
  ["/list", { intent: "restore", entries: restoreEntries({ notes: "\0" }) }],
  ["/list", { intent: "restore", entries: restoreEntries({ notes: "\ud800" }) }],
  [`/anime/${malId}`, { intent: "save", mal_id: `${malId}`, progress: tooLarge }],
  ["/history", { intent: "search", ids: "x,," }],
  ["/list/import?undo=x", { undo: "1" }],
  ["/settings/sessions", { id: "x" }],
  ["/settings/tokens", { id: "x" }],
  ["/settings/preferences", { titleLanguage: "romaji", timeZone: "Nowhere/None" }],
  ["/profile/edit", { name: "A", birthday: "0000-01-01" }],
  ["/profile/edit", { name: "Olga", birthday: "2000-02-31" }],
  ["/signup/profile", { name: "Olga", birthday: "1999" }],
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
  [`/admin/episode?id=${malId}&episode=${tooLarge}`, { intent: "source", url: "/film.webm", type: "webm" }],
  [
    "/admin/films",
    { intent: "register", url: "media:a.mp4", type: "mp4", language: "", id: tooLarge, episode: "1" },
  ],
  [
    "/admin/films",
    { intent: "register", url: "media:a.mp4", type: "mp4", language: "", id: `${malId}`, episode: tooLarge },
  ],
])("POST %s with %o gets no 5xx", async (path, form) => {
  const response = await operator.request(path, { form });
  expect(response.status, await response.text()).toBeLessThan(500);
});

test("the API answers such an episode and such a day with 400", async () => {
  const path = `/api/user/watchHistory?mal_id=${malId}&ep=${tooLarge}`;
  expect((await operator.request(path, { method: "DELETE" })).status).toBe(400);
  const entry = { animeId: malId, type: "watching", started_on: "0000-01-01" };
  expect((await operator.request("/api/user/watchList", { json: entry })).status).toBe(400);
});
