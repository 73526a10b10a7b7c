import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  animeTag,
  myAnimeListHead,
  myAnimeListTail,
} from "#app/domain/library/files/myanimelist-xml.server.ts";
import { readListFile } from "#app/domain/library/files/parse-list-file.server.ts";
import type { ListEntry } from "#app/domain/library/list/entry.ts";
import { someEntry } from "../some-entry.ts";

const read = (content: string | Uint8Array, withDropped = false) =>
  readListFile(typeof content === "string" ? Buffer.from(content) : content, { withDropped });
const anime = (fields: Record<string, string | number>) =>
  `<anime>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</anime>`;
const list = (...entries: Record<string, string | number>[]) =>
  `<?xml version="1.0"?><myanimelist>${entries.map(anime).join("")}</myanimelist>`;
const bebop = { series_animedb_id: 1, series_title: "<![CDATA[Cowboy & Bebop]]>", my_status: "Completed" };

test("a list exported as MyAnimeList XML is read back, with whole scores", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(someEntry, { selector: ({ malId }) => malId, maxLength: 20 }),
      async (entries) => {
        const exported = entries.map((entry) => ({
          ...entry,
          title: "<T> & \r",
          titleType: "TV",
          episodes: null,
        }));
        const text = [myAnimeListHead, ...exported.map(animeTag), myAnimeListTail].join("");
        const expected = entries.map(
          (entry): ListEntry => ({
            ...entry,
            score: Math.round(entry.score ?? 0) || null,
            notes: entry.notes,
          }),
        );
        const result = await read(text);
        expect(result.ok && result.value.entries.map(stripControls)).toMatchObject(
          expected.map(stripControls),
        );
      },
    ),
    { numRuns: 60 },
  );
});

// XML 1.0 cannot contain these characters.
const stripControls = (entry: ListEntry) => ({
  ...entry,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  notes: entry.notes.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""),
});

test("list statuses are read as words and numbers, and dropped entries only if requested", async () => {
  const text = list(
    {
      ...bebop,
      my_watched_episodes: 26,
      my_score: 9,
      my_start_date: "2020-00-00",
      my_finish_date: "2020-02-29",
    },
    { ...bebop, series_animedb_id: 20, my_status: 3 },
    { ...bebop, series_animedb_id: 21, my_status: "Dropped" },
    { ...bebop, series_animedb_id: "none" },
    { ...bebop, series_animedb_id: 22, my_status: "Plan to Watch", my_tags: "a, Collection" },
  );
  const result = await read(gzipSync(text));
  expect(result.ok && result.value.entries.map(({ malId, type }) => [malId, type])).toEqual([
    [1, "Completed"],
    [20, "Watching"],
    [22, "Collection"],
  ]);
  expect(result.ok && result.value.entries[0]).toMatchObject({
    progress: 26,
    score: 9,
    startedOn: null,
    finishedOn: "2020-02-29",
  });
  expect(result.ok && result.value.skipped.map(({ malId, title }) => [malId, title])).toEqual([
    [21, "Cowboy & Bebop"],
    [null, "Cowboy & Bebop"],
  ]);
  const withDropped = await read(text, true);
  expect(withDropped.ok && withDropped.value.entries.find(({ malId }) => malId === 21)?.type).toBe(
    "Collection",
  );
});

test("an AniList answer is read, and scores of 100 become scores of 10", async () => {
  const entry = {
    status: "CURRENT",
    progress: 5,
    score: 85,
    notes: null,
    startedAt: { year: 2024, month: 2, day: 3 },
  };
  const lists = [
    {
      entries: [
        { ...entry, media: { idMal: 1 } },
        { ...entry, media: { idMal: null, title: { romaji: "X" } } },
      ],
    },
  ];
  const result = await read(JSON.stringify({ data: { MediaListCollection: { lists } } }));
  expect(result.ok && result.value).toEqual({
    entries: [
      {
        malId: 1,
        type: "Watching",
        progress: 5,
        score: 8.5,
        notes: "",
        startedOn: "2024-02-03",
        finishedOn: null,
        title: null,
        addedAt: null,
        updatedAt: null,
      },
    ],
    skipped: [{ malId: null, title: "X", why: "has no MyAnimeList id" }],
  });
});

const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><myanimelist><anime>&b;</anime></myanimelist>`;
const external = `<!DOCTYPE x SYSTEM "file:///etc/passwd"><myanimelist/>`;
test.each([
  ["an entity bomb", bomb, "invalid"],
  ["an external document type", external, "invalid"],
  ["an undeclared entity", list({ ...bebop, my_comments: "&x;" }), "invalid"],
  ["deep nesting", "<a>".repeat(100_000), "invalid"],
  ["another document", "<html></html>", "invalid"],
  ["an incomplete document", "<myanimelist><anime>", "invalid"],
  ["a field over its limit", list({ ...bebop, my_comments: "x".repeat(50_000) }), "invalid"],
  ["UTF-16", Buffer.from(list(bebop), "utf16le"), "invalid"],
  ["a damaged archive", gzipSync(list(bebop)).subarray(0, 30), "invalid"],
  ["an archive that unpacks to too much", gzipSync(Buffer.alloc(33 * 1024 * 1024)), "too_large"],
  ["a file that is too large", Buffer.alloc(33 * 1024 * 1024, " "), "too_large"],
  ["another encoding", list(bebop).replace("?>", ' encoding="ISO-8859-1"?>'), "invalid"],
  ["more entries than titles exist", list(...Array<typeof bebop>(50_001).fill(bebop)), "invalid"],
  ["JSON with too many values", `[${"{},".repeat(4_000_000)}{}]`, "too_large"],
  ["JSON nested too deeply", `${"[".repeat(200)}${"]".repeat(200)}`, "too_large"],
  ["incomplete JSON", '{"format":"engawa-list","entries":[{"mal', "invalid"],
  ["a later version of our own format", '{"format":"engawa-list","version":2,"entries":[]}', "invalid"],
  ["entries that are not a list", '{"format":"engawa-list","version":1,"entries":"x"}', "invalid"],
  ["an empty file", "", "invalid"],
  ["other JSON", "[1]", "invalid"],
])("%s is refused", async (_, content, reason) => {
  expect(await read(content)).toMatchObject({ ok: false, reason });
});

test("invalid times and dates become null, and a future time becomes now", async () => {
  const entry = { mal_id: 1, type: "Watching", started_on: "2023-02-29", finished_on: "2024-02-29" };
  const times = { added_at: "9999-01-01T00:00:00Z", updated_at: "yesterday" };
  const result = await read(JSON.stringify({ format: "engawa-list", entries: [{ ...entry, ...times }] }));
  const [read1] = result.ok ? result.value.entries : [];
  expect(read1).toMatchObject({ startedOn: null, finishedOn: "2024-02-29", updatedAt: null });
  expect(Date.parse(read1!.addedAt!)).toBeLessThanOrEqual(Date.now());
});

test("a score outside the scale becomes null, and an element that is no entry is reported", async () => {
  const scored = [50, -1, "x", 10, 0.5].map((score, index) => ({
    mal_id: index + 1,
    type: "Completed",
    score,
  }));
  const result = await read(JSON.stringify({ format: "engawa-list", version: 1, entries: [...scored, 7] }));
  const file = result.ok ? result.value : { entries: [], skipped: [] };
  expect(file.entries.map(({ score }) => score)).toEqual([null, null, null, 10, 0.5]);
  expect(file.skipped).toEqual([{ malId: null, title: null, why: "has no MyAnimeList id" }]);
});

test("fields that are not valid numbers are left out of the entry", async () => {
  const odd = [null, {}, { toString: 1 }, [], [3], true, "x", -1].map((value, index) => ({
    mal_id: index + 1,
    type: "Watching",
    progress: value,
    score: value,
    notes: value,
  }));
  const result = await read(JSON.stringify({ format: "engawa-list", version: 1, entries: odd }));
  const entries = result.ok ? result.value.entries : [];
  expect(entries.map(({ progress, score }) => [progress, score])).toEqual(Array(odd.length).fill([0, null]));
});

test.each(["constructor", "__proto__", "toString", { toString: 1 }, 5, null])(
  "the status %j is reported as unknown",
  async (status) => {
    const unknown = [{ malId: 1, why: "has a status we do not know" }];
    const entries = [{ media: { idMal: 1 }, status }];
    expect(await read(JSON.stringify({ lists: [{ entries }] }))).toMatchObject({
      value: { entries: [], skipped: unknown },
    });
    if (typeof status !== "string") return;
    expect(await read(list({ series_animedb_id: 1, my_status: status }))).toMatchObject({
      value: { entries: [], skipped: unknown },
    });
  },
);

test("notes are cut between characters, without characters that the database refuses", async () => {
  const notes = `a\0${"\ud800"}${"x".repeat(9_997)}\u{1f338}`;
  const result = await read(
    JSON.stringify({ format: "engawa-list", entries: [{ mal_id: 1, type: "Watching", notes }] }),
  );
  const kept = result.ok ? result.value.entries[0]!.notes : "";
  expect([kept.length, kept.isWellFormed(), kept.includes("\0")]).toEqual([9_998, true, false]);
});
