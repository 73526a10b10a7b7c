import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/**
 * Files as large as an import accepts, and hostile files. The thread that reads them has a heap of 24 MiB, whatever the
 * site's memory.
 */

const ids = Array.from({ length: 3100 }, (_, at) => 26_000_000 + at);
const notes = "Ž".repeat(5000);
const maxBytes = mebibytes(32);

beforeAll(async () => {
  await db
    .insert(titles)
    .values(ids.map((malId) => ({ malId, title: `Title ${malId}`, titleKey: `title ${malId}` })));
});

/** Adds spaces, so that the file is exactly as large as an import accepts. */
const filled = (text: string) => text + " ".repeat(maxBytes - Buffer.byteLength(text));

const ownEntries = ids.map((mal_id) => ({ mal_id, type: "Watching", progress: 2, notes }));
const aniListEntries = ids.map((idMal) => ({
  status: "CURRENT",
  progress: 2,
  notes,
  media: { idMal, type: "ANIME" },
}));
const animeTags = ids.map(
  (id) =>
    `<anime><series_animedb_id>${id}</series_animedb_id><my_status>Watching</my_status><my_watched_episodes>2</my_watched_episodes><my_comments>${notes}</my_comments></anime>`,
);
const views = Array.from({ length: 100_000 }, (_, at) => ({
  mal_id: ids[at % 1000],
  ep: 1 + Math.floor(at / 1000),
  watched_at: "2024-01-01T00:00:00.000Z",
}));

const ownFile = () => filled(JSON.stringify({ format: "engawa-list", entries: ownEntries }));
const aniListFile = () =>
  filled(
    JSON.stringify({ data: { MediaListCollection: { lists: [{ name: "L", entries: aniListEntries }] } } }),
  );
const xmlFile = () => `<?xml version="1.0"?>\n<myanimelist>${animeTags.join("\n")}</myanimelist>`;
const accountFile = () =>
  filled(
    JSON.stringify({
      format: "engawa-account",
      watch_list: ownEntries.slice(0, 2000),
      watch_history: views,
      security_events: [],
    }),
  );

const send = (member: Visitor, path: string, body: string | Uint8Array) =>
  member.request(path, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "Content-Type": "application/octet-stream" },
  });
const listImport = "/api/user/watchList/import";

test.each([
  ["our own JSON", ownFile],
  ["AniList's JSON", aniListFile],
  ["MyAnimeList's XML", xmlFile],
  ["XML that is gzipped", () => gzipSync(xmlFile(), { level: 1 })],
])("an import of a list of 32 MiB in %s succeeds", async (_, makeFile) => {
  const member = await newMember();
  const report = await dataOf<{ added: object[] }>(send(member, listImport, makeFile()));
  expect(report.added).toHaveLength(ids.length);
  const list = await dataOf<{ progress: number; notes: string }[]>(member.request("/api/user/watchList"));
  expect(list).toHaveLength(ids.length);
  expect(list.every((entry) => entry.progress === 2 && entry.notes === notes)).toBe(true);
});

test("an import of an account of 32 MiB succeeds", async () => {
  const member = await newMember();
  expect(await dataOf(send(member, "/api/user/import", accountFile()))).toMatchObject({
    watch_history: views.length,
  });
  expect(await db.$count(watchList)).toBeGreaterThanOrEqual(2000);
});

const list = (entries: string) => `{"format":"engawa-list","entries":[${entries}]}`;
const many = (text: string) => text.repeat(Math.floor((maxBytes - 1000) / text.length));

test.each([
  ["more than 32 MiB", list(many("[],").repeat(2)), 413, /larger|more than/],
  ["more values than an account has", list(`${many("{},")}{}`), 413, /more data than a list/],
  [
    "one entry with millions of values",
    list(`{"mal_id":1,"a":{${many('"b":0,').slice(0, -1)}}}`),
    413,
    /more data/,
  ],
  ["one long string", list(`{"mal_id":1,"notes":"${many("a")}"}`), 413, /more data than a list/],
  ["one long number", list(many("1")), 413, /more data than a list/],
  ["deep nesting", many("["), 413, /more data than a list/],
  [
    "entries that do not end",
    list(many('{"mal_id":1,"type":"Watching","notes":"aaaaaaaaaaaaaaaaaa"},')),
    400,
    /not valid JSON/,
  ],
  [
    "more entries than there are titles",
    list(`${many('{"mal_id":1,"type":"Watching","notes":"aaaaaaaaaaaaaaaaaa"},')}{}`),
    400,
    /more than 50000 entries/,
  ],
  ["one long comment", `<myanimelist><!--${many("a>")}--></myanimelist>`, 413, /more data than a list/],
  ["one long tag", `<myanimelist ${many('a="b" ')}></myanimelist>`, 413, /more data than a list/],
  [
    "one long text",
    `<myanimelist><anime><my_tags>${many("a")}</my_tags></anime></myanimelist>`,
    400,
    /my_tags is too long/,
  ],
  [
    "one entry with millions of fields",
    `<myanimelist><anime>${Array.from({ length: 2_000_000 }, (_, at) => `<a${at}>1</a${at}>`)
      .join("")
      .slice(0, maxBytes - 1000)}`,
    413,
    /more data than a list/,
  ],
])("a file with %s is refused", async (_, body, status, message) => {
  const member = await newMember();
  const refusal = await refusalOf(send(member, listImport, body));
  expect(refusal).toMatchObject({ status, error: expect.stringMatching(message) });
  expect(await dataOf(member.request("/api/user/watchList"))).toEqual([]);
});
