import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aniListHead, aniListsOf, aniListTail } from "#app/domain/library/files/anilist-json.ts";
import {
  animeTag,
  myAnimeListHead,
  myAnimeListTail,
} from "#app/domain/library/files/myanimelist-xml.server.ts";
import { type ListEntry, newEntry } from "#app/domain/library/list/entry.ts";
import { cleanTags } from "#app/domain/library/list/entry-fields.ts";
import { progressOf, ticksUpTo } from "#app/domain/library/list/ticks.ts";
import { readListText as read } from "#tests/support/data/read-list-text.ts";
import { someEntry } from "#tests/unit/domain/library/some-entry.ts";

const anime = (fields: Record<string, string | number>) =>
  `<anime>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</anime>`;
const list = (...entries: Record<string, string | number>[]) =>
  `<?xml version="1.0"?><myanimelist>${entries.map(anime).join("")}</myanimelist>`;
const bebop = { series_animedb_id: 1, series_title: "<![CDATA[Cowboy & Bebop]]>", my_status: "Completed" };
const otherTitle = { ...bebop, series_animedb_id: 2 };

test("a list exported as MyAnimeList XML is read back, with whole scores and without gaps between episodes", async () => {
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
            ticks: ticksUpTo(progressOf(entry.ticks)),
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

test("a list exported in AniList's format is read back, without gaps between episodes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(someEntry, { selector: ({ malId }) => malId, maxLength: 20 }),
      async (entries) => {
        const expected = entries.map((entry): ListEntry => {
          const rewatched = entry.state === "rewatching" ? 2000 : progressOf(entry.ticks);
          return { ...entry, ticks: ticksUpTo(rewatched) };
        });
        const about = { title: "T", titleType: "TV", addedAt: new Date(), updatedAt: new Date() };
        const lists = aniListsOf(expected.map((entry) => ({ ...entry, ...about, episodes: 2000 })));
        const result = await read(aniListHead + JSON.stringify(lists).slice(1, -1) + aniListTail);
        const byId = (one: ListEntry, other: ListEntry) => one.malId - other.malId;
        expect(result.ok && result.value.entries.sort(byId)).toMatchObject(
          expected.map((entry) => ({ ...entry, score: entry.score || null })).sort(byId),
        );
      },
    ),
    { numRuns: 60 },
  );
});

// XML 1.0 cannot contain these characters.
const stripControls = (entry: ListEntry) => ({
  ...entry,
  notes: withoutControls(entry.notes),
  tags: cleanTags(entry.tags.map(withoutControls)),
});
const withoutControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");

test("statuses are read as words and numbers, with their states, tags and dates", async () => {
  const text = list(
    {
      ...bebop,
      my_watched_episodes: 26,
      my_score: 9,
      my_start_date: "2020-00-00",
      my_finish_date: "2020-02-29",
      my_times_watched: 2,
      my_tags: "space, <![CDATA[jazz & blues]]>, space",
    },
    { ...bebop, series_animedb_id: 20, my_status: 3 },
    { ...bebop, series_animedb_id: 21, my_status: "Dropped" },
    { ...bebop, series_animedb_id: "none" },
    { ...bebop, series_animedb_id: 22, my_status: "Plan to Watch", my_tags: "a, Collection" },
    { ...bebop, series_animedb_id: 23, my_tags: "Collection" },
  );
  const result = await read(gzipSync(text));
  expect(
    result.ok && result.value.entries.map(({ malId, type, state, tags }) => [malId, type, state, tags]),
  ).toEqual([
    [1, "Completed", null, ["space", "jazz & blues"]],
    [20, "Watching", "on_hold", []],
    [21, "Collection", "dropped", []],
    [22, "Collection", null, ["a"]],
    [23, "Completed", null, ["Collection"]],
  ]);
  expect(result.ok && result.value.entries[0]).toMatchObject({
    ticks: [[1, 26]],
    rewatchCount: 2,
    score: 9,
    startedOn: null,
    finishedOn: "2020-02-29",
  });
  expect(result.ok && result.value.skipped.map(({ malId, title }) => [malId, title])).toEqual([
    [null, "Cowboy & Bebop"],
  ]);
});

test("a rewatch is read with its own episodes, also from programs that write them as watched episodes", async () => {
  const rewatch = { ...bebop, series_episodes: 26, my_rewatching: 1 };
  const result = await read(
    list(
      { ...rewatch, my_watched_episodes: 26, my_rewatching_ep: 5 },
      { ...rewatch, series_animedb_id: 2, my_watched_episodes: 5 },
      { ...rewatch, series_animedb_id: 3, my_watched_episodes: 26 },
    ),
  );
  expect(
    result.ok &&
      result.value.entries.map(({ type, state, ticks, rewatchProgress }) => [
        type,
        state,
        ticks,
        rewatchProgress,
      ]),
  ).toEqual([
    ["Watching", "rewatching", [[1, 26]], 5],
    ["Watching", "rewatching", [[1, 26]], 5],
    ["Watching", "rewatching", [[1, 26]], 0],
  ]);
});

test("each status of AniList is read, with rewatches and custom lists in every form", async () => {
  const one = (idMal: number, status: string, more: object = {}) => ({
    status,
    progress: 3,
    media: { idMal, episodes: 12, type: "ANIME" },
    ...more,
  });
  const lists = [
    {
      isCustomList: false,
      entries: [
        one(1, "PAUSED", { customLists: { Cosy: true, Other: false } }),
        one(2, "DROPPED", { customLists: [{ name: "Cosy", enabled: true }] }),
        one(3, "REPEATING", { repeat: 4 }),
        one(4, "PLANNING", { customLists: { Collection: true } }),
        one(5, "COMPLETED"),
      ],
    },
    { isCustomList: true, name: "With Mika", entries: [one(5, "COMPLETED")] },
  ];
  const result = await read(JSON.stringify({ MediaListCollection: { lists } }));
  expect(result.ok && result.value.entries).toMatchObject([
    { malId: 1, type: "Watching", state: "on_hold", tags: ["Cosy"], rewatchProgress: 0 },
    { malId: 2, type: "Collection", state: "dropped", tags: ["Cosy"] },
    { malId: 3, state: "rewatching", ticks: [[1, 12]], rewatchProgress: 3, rewatchCount: 4 },
    { malId: 4, type: "Collection", state: null, tags: [] },
    { malId: 5, type: "Completed", tags: ["With Mika"] },
  ]);
});

test("an AniList answer is read, and scores out of 100 become scores out of 10", async () => {
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
        ...newEntry,
        malId: 1,
        type: "Watching",
        ticks: [[1, 5]],
        score: 8.5,
        startedOn: "2024-02-03",
        title: null,
        addedAt: null,
        updatedAt: null,
      },
    ],
    skipped: [{ malId: null, title: "X", why: "has no MyAnimeList id" }],
  });
});

/** An answer of AniList's API with these scores in this format. */
const aniList = (scoreFormat: string | undefined, scores: number[], media: object = {}) =>
  JSON.stringify({
    data: {
      MediaListCollection: {
        user: { mediaListOptions: { scoreFormat } },
        lists: [
          {
            entries: scores.map((score, index) => ({
              status: "COMPLETED",
              score,
              media: { idMal: index + 1, ...media },
            })),
          },
        ],
      },
    },
  });

test.each([
  ["POINT_100", [85, 7, 0], [8.5, 0.7, null]],
  ["POINT_10_DECIMAL", [8.5, 1], [8.5, 1]],
  ["POINT_10", [8, 1], [8, 1]],
  ["POINT_5", [5, 4, 1, 0], [10, 8, 2, null]],
  ["POINT_3", [3, 2, 1], [10, 6.7, 3.3]],
  // The query asked for a scale that differs from the member's.
  ["POINT_5", [80, 20], [8, 2]],
  [undefined, [5, 4], [5, 4]],
  ["POINT_7", [85], [8.5]],
])("AniList scores in the format %s, %j, become %j", async (format, scores, expected) => {
  const result = await read(aniList(format, scores));
  expect(result.ok && result.value.entries.map(({ score }) => score)).toEqual(expected);
});

test("a manga in an AniList answer is skipped, and its id matches no anime", async () => {
  const document = JSON.parse(aniList("POINT_10", [8, 9], { type: "ANIME" }));
  document.data.MediaListCollection.lists[0].entries[1].media = {
    idMal: 2,
    format: "NOVEL",
    title: { romaji: "N" },
  };
  expect(await read(JSON.stringify(document))).toMatchObject({
    value: { entries: [{ malId: 1 }], skipped: [{ malId: null, title: "N", why: "is a manga" }] },
  });
});

const readEntry = { status: "CURRENT", score: 8, progress: 3 };
const manga = (...entries: object[]) => JSON.stringify({ lists: [{ name: "Completed", entries }] });
test.each([
  ["chapters", manga({ ...readEntry, media: { idMal: 1, chapters: 30 } })],
  ["volumes", manga({ ...readEntry, media: { idMal: 1, volumes: 3, chapters: null, episodes: null } })],
  ["progressVolumes", manga({ ...readEntry, progressVolumes: 2, media: { idMal: 1 } })],
  ["an unknown number of chapters", manga({ ...readEntry, media: { idMal: 1, chapters: null } })],
  ["an address", manga({ ...readEntry, media: { idMal: 1, siteUrl: "https://anilist.co/manga/30013" } })],
  [
    "one manga among entries without a kind",
    manga({ ...readEntry, media: { idMal: 1 } }, { ...readEntry, media: { idMal: 2, volumes: 1 } }),
  ],
  [
    "the list Reading",
    JSON.stringify({ lists: [{ name: "Reading", entries: [{ ...readEntry, media: { idMal: 1 } }] }] }),
  ],
])(
  "a manga list of AniList without type and format, but with %s, is refused as a manga list",
  async (_, content) => {
    expect(await read(content)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/manga list from AniList.*Export the anime list/),
    });
  },
);

test.each([
  ["no kind at all", { media: { idMal: 1 } }],
  ["a number of episodes", { progressVolumes: 0, media: { idMal: 1, episodes: 12, chapters: null } }],
  ["progressVolumes 0", { progressVolumes: 0, media: { idMal: 1, volumes: null, episodes: null } }],
  ["an anime's format", { media: { idMal: 1, format: "ONA", chapters: null } }],
])("an anime list of AniList with %s is imported", async (_, entry) => {
  expect(await read(manga({ ...readEntry, ...entry }))).toMatchObject({ value: { entries: [{ malId: 1 }] } });
});

const mangaTag = "<manga><manga_mangadb_id>2</manga_mangadb_id></manga>";
const mangaInfo = "<myinfo><user_export_type>2</user_export_type></myinfo>";
test.each([
  [
    "a manga list of MyAnimeList",
    `<myanimelist>${mangaInfo}${mangaTag}</myanimelist>`,
    /manga list from MyAnimeList.*"Anime List"/,
  ],
  ["an empty manga list", `<myanimelist>${mangaInfo}</myanimelist>`, /manga list from MyAnimeList/],
  ["a manga list of AniList", aniList("POINT_10", [8], { type: "MANGA" }), /manga list from AniList/],
  [
    "AniList's data export",
    '{"user":{},"lists":[{"series_id":1,"status":2,"score":8}]}',
    /AniList's own data export.*MyAnimeList XML/,
  ],
  [
    "AniList's export of before",
    '{"lists":{"completed":[{"series_id":1,"anime":{"id":1}}]}}',
    /AniList's own data export/,
  ],
  ["a web page", "<!DOCTYPE html><html></html>", /web page.*Choose a MyAnimeList XML/],
  ["another XML document", "<?xml version='1.0'?><rss><channel/></rss>", /XML file with <rss>.*Choose/],
  ["a CSV file", "id,title\n1,Bebop", /text or CSV file.*Choose/],
  ["other JSON", '{"a":1}', /JSON file of a kind.*Choose/],
  ["an empty file", " \n", /file is empty.*Export/],
  ["a ZIP archive", Buffer.from("PK\x03\x04\xff\xfe", "latin1"), /ZIP archive. Unpack it/],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), /picture, a video or a PDF/],
])("%s is refused, and the message says what it is and what to do", async (_, content, message) => {
  expect(await read(content)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test.each([
  ["a\u000bb", "ab"],
  ["a\uffffb", "ab"],
  ["a&#11;b&#x1F;&#xD800;&#1114112;", "ab"],
  ["a&#65;b", "aAb"],
  ["<![CDATA[a\u0001&#11;b]]>", "a&#11;b"],
])("the comment %j loses only its disallowed characters", async (comment, notes) => {
  const result = await read(list({ ...bebop, my_comments: comment }, otherTitle));
  expect(result).toMatchObject({ ok: true, value: { entries: [{ notes }, {}] } });
});

const declared = (encoding: string, comment = "Café “ü”") =>
  list({ ...bebop, my_comments: comment }).replace("?>", ` encoding="${encoding}"?>`);
const windows1252 = (text: string) => Buffer.from(text.replace("“", "\x93").replace("”", "\x94"), "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
test.each([
  ["UTF-8", Buffer.from(declared("UTF-8"))],
  ["UTF-8 with a mark and a blank line before it", Buffer.from(`\ufeff\n${declared("utf-8")}`)],
  ["windows-1252", windows1252(declared("windows-1252"))],
  ["ISO-8859-1, which others write for windows-1252", windows1252(declared("ISO-8859-1"))],
  ["UTF-16 with a mark", Buffer.from(`\ufeff${declared("UTF-16")}`, "utf16le")],
  ["big-endian UTF-16 with a mark", utf16be(`\ufeff${declared("UTF-16")}`)],
  ["UTF-16 without a mark", Buffer.from(declared("UTF-16"), "utf16le")],
  ["UTF-8 that is declared as UTF-16", Buffer.from(declared("UTF-16"))],
  ["gzipped windows-1252", gzipSync(windows1252(declared("windows-1252")))],
  [
    "UTF-16 JSON",
    Buffer.from(
      `\ufeff{"format":"engawa-list","entries":[{"mal_id":1,"type":"Watching","notes":"Café “ü”"}]}`,
      "utf16le",
    ),
  ],
])("a list in %s is decoded", async (_, content) => {
  expect(await read(content)).toMatchObject({ ok: true, value: { entries: [{ notes: "Café “ü”" }] } });
});

test("a list in Shift_JIS is decoded as declared", async () => {
  const [before = "", after = ""] = declared("Shift_JIS", "@").split("@");
  const content = Buffer.concat([Buffer.from(before), Buffer.from([0x83, 0x69]), Buffer.from(after)]);
  expect(await read(content)).toMatchObject({ value: { entries: [{ notes: "ナ" }] } });
});

test.each([
  ["XML", list({ ...bebop, my_comments: "a@b" }, otherTitle)],
  [
    "XML declared as UTF-8",
    list({ ...bebop, my_comments: "a@b" }, otherTitle).replace("?>", ' encoding="UTF-8"?>'),
  ],
  [
    "JSON",
    '{"format":"engawa-list","entries":[{"mal_id":1,"type":"Watching","notes":"a@b"},{"mal_id":2,"type":"Watching"}]}',
  ],
])("in %s, one byte that is not UTF-8 costs only its character", async (_, text) => {
  for (const bytes of [[0xe9], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
    const [before = "", after = ""] = text.split("@");
    const result = await read(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
    expect(result).toMatchObject({ ok: true, value: { entries: [{}, {}] } });
    expect(result.ok && result.value.entries[0]?.notes).toMatch(/^a\ufffd+b$/);
  }
});

test("a file in an unknown encoding is refused with the encoding's name", async () => {
  expect(await read(declared("klingon"))).toMatchObject({
    message: expect.stringMatching(/encoding klingon.*Save the file as UTF-8/),
  });
});

test("a large file of CDATA sections that are never closed is refused within seconds", async () => {
  const text = `<?xml version="1.0"?><myanimelist>${"<![CDATA[".repeat(300_000)}`;
  expect(await read(text)).toMatchObject({ ok: false });
});

test("a raw control character in a JSON text becomes a space", async () => {
  const entry = '{"mal_id":1,"type":"Watching","notes":"a\u000b\u0001b"}';
  expect(await read(`{"format":"engawa-list",\n"entries":[${entry}]}`)).toMatchObject({
    value: { entries: [{ notes: "a  b" }] },
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
  ["a damaged archive", gzipSync(list(bebop)).subarray(0, 30), "invalid"],
  ["an archive that unpacks to too much", gzipSync(Buffer.alloc(33 * 1024 * 1024)), "too_large"],
  ["a file that is too large", Buffer.alloc(33 * 1024 * 1024, " "), "too_large"],
  ["an unknown encoding", list(bebop).replace("?>", ' encoding="klingon"?>'), "invalid"],
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
  expect(entries.map(({ ticks, score }) => [ticks, score])).toEqual(Array(odd.length).fill([[], null]));
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

test("notes are cut between characters, and characters that the database refuses are removed", async () => {
  const notes = `a\0${"\ud800"}${"x".repeat(9_997)}\u{1f338}`;
  const result = await read(
    JSON.stringify({ format: "engawa-list", entries: [{ mal_id: 1, type: "Watching", notes }] }),
  );
  const kept = result.ok ? result.value.entries[0]!.notes : "";
  expect([kept.length, kept.isWellFormed(), kept.includes("\0")]).toEqual([9_998, true, false]);
});
