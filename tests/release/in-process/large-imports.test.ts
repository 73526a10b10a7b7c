import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { watchList } from "#db/schema/library.ts";
import { addTitles } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import {
  list,
  listImport,
  many,
  maxBytes,
  sendFile,
  testRefusedFiles,
} from "#tests/support/scaled/large-imports.ts";

/** Files of 32 MiB, as large as an import accepts, which take half a minute or longer each. The gate has hostile files. */

const ids = Array.from({ length: 3100 }, (_, at) => 26_000_000 + at);
const notes = "Ž".repeat(5000);

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

beforeAll(() => addTitles(ids));

test.each([
  ["our own JSON", ownFile],
  ["AniList's JSON", aniListFile],
  ["MyAnimeList's XML", xmlFile],
  ["XML that is gzipped", () => gzipSync(xmlFile(), { level: 1 })],
])("an import of a list of 32 MiB in %s succeeds", async (_, makeFile) => {
  const member = await newMember();
  const report = await dataOf<{ added: object[] }>(sendFile(member, listImport, makeFile()));
  expect(report.added).toHaveLength(ids.length);
  const read = await dataOf<{ progress: number; notes: string }[]>(member.request("/api/user/watchList"));
  expect(read).toHaveLength(ids.length);
  expect(read.every((entry) => entry.progress === 2 && entry.notes === notes)).toBe(true);
});

test("an import of an account of 32 MiB succeeds", async () => {
  const member = await newMember();
  expect(await dataOf(sendFile(member, "/api/user/import", accountFile()))).toMatchObject({
    watch_history: views.length,
  });
  expect(await db.$count(watchList, eq(watchList.userId, member.id))).toBe(2000);
});

testRefusedFiles([
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
]);
