import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListEntry } from "#app/domain/library/list-entry.ts";
import { readListFile } from "#app/domain/library/list-reading.server.ts";
import { writeMyAnimeList } from "#app/domain/library/myanimelist-xml.server.ts";
import { someEntry } from "./some-entry.ts";

const read = (content: string | Uint8Array, withDropped = false) =>
  readListFile(typeof content === "string" ? Buffer.from(content) : content, { withDropped });
const anime = (fields: Record<string, string | number>) =>
  `<anime>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</anime>`;
const list = (...entries: Record<string, string | number>[]) =>
  `<?xml version="1.0"?><myanimelist>${entries.map(anime).join("")}</myanimelist>`;
const bebop = { series_animedb_id: 1, series_title: "<![CDATA[Cowboy & Bebop]]>", my_status: "Completed" };

test("what is written for MyAnimeList reads back, scores rounded to whole ones", async () => {
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
        const text = [...writeMyAnimeList(exported)].join("");
        const expected = entries.map(
          (entry): ListEntry => ({
            ...entry,
            score: Math.round(entry.score ?? 0) || null,
            notes: entry.notes,
          }),
        );
        const result = await read(text);
        expect(result.ok && result.value.entries.map(stripControls)).toEqual(expected.map(stripControls));
      },
    ),
    { numRuns: 60 },
  );
});

// XML 1.0 cannot carry these at all.
const stripControls = (entry: ListEntry) => ({
  ...entry,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the very characters in question.
  notes: entry.notes.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""),
});

test("reads statuses in words and numbers, dropped ones only when asked for", async () => {
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
  expect(result.ok && result.value.unplaced.map(({ mal_id, title }) => [mal_id, title])).toEqual([
    [21, "Cowboy & Bebop"],
    [null, "Cowboy & Bebop"],
  ]);
  const withDropped = await read(text, true);
  expect(withDropped.ok && withDropped.value.entries.find(({ malId }) => malId === 21)?.type).toBe(
    "Collection",
  );
});

test("reads AniList in the API's shape, scores out of a hundred too", async () => {
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
      },
    ],
    unplaced: [{ mal_id: null, title: "X", why: "has no MyAnimeList id" }],
  });
});

const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><myanimelist><anime>&b;</anime></myanimelist>`;
const external = `<!DOCTYPE x SYSTEM "file:///etc/passwd"><myanimelist/>`;
test.each([
  ["an entity bomb", bomb, "invalid"],
  ["an external document type", external, "invalid"],
  ["an entity nobody declared", list({ ...bebop, my_comments: "&x;" }), "invalid"],
  ["deep nesting", "<a>".repeat(100_000), "invalid"],
  ["another document", "<html></html>", "invalid"],
  ["an unclosed one", "<myanimelist><anime>", "invalid"],
  ["a field without end", list({ ...bebop, my_comments: "x".repeat(50_000) }), "invalid"],
  ["UTF-16", Buffer.from(list(bebop), "utf16le"), "invalid"],
  ["a damaged archive", gzipSync(list(bebop)).subarray(0, 30), "invalid"],
  ["an archive that unpacks to too much", gzipSync(Buffer.alloc(33 * 1024 * 1024)), "too_large"],
  ["a file that is too large", Buffer.alloc(33 * 1024 * 1024, " "), "too_large"],
  ["nothing", "", "invalid"],
  ["other JSON", "[1]", "invalid"],
])("refuses %s", async (_, content, reason) => {
  expect(await read(content)).toMatchObject({ ok: false, reason });
});
