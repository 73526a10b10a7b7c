import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** Imports of files of 32 MiB, as large as an import accepts, which take half a minute or longer each. */

const ids = Array.from({ length: 3100 }, (_, at) => 26_000_000 + at);
const notes = "Ž".repeat(5000);
export const maxBytes = mebibytes(32);

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

const addTitles = () =>
  db
    .insert(titles)
    .values(ids.map((malId) => ({ malId, title: `Title ${malId}`, titleKey: `title ${malId}` })));

export const sendFile = (member: Visitor, path: string, body: string | Uint8Array) =>
  member.request(path, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "Content-Type": "application/octet-stream" },
  });
export const listImport = "/api/user/watchList/import";

export function testImportedLists() {
  beforeAll(addTitles);

  test.each([
    ["our own JSON", ownFile],
    ["AniList's JSON", aniListFile],
    ["MyAnimeList's XML", xmlFile],
    ["XML that is gzipped", () => gzipSync(xmlFile(), { level: 1 })],
  ])("an import of a list of 32 MiB in %s succeeds", async (_, makeFile) => {
    const member = await newMember();
    const report = await dataOf<{ added: object[] }>(sendFile(member, listImport, makeFile()));
    expect(report.added).toHaveLength(ids.length);
    const list = await dataOf<{ progress: number; notes: string }[]>(member.request("/api/user/watchList"));
    expect(list).toHaveLength(ids.length);
    expect(list.every((entry) => entry.progress === 2 && entry.notes === notes)).toBe(true);
  });
}

export function testImportedAccount() {
  beforeAll(addTitles);

  test("an import of an account of 32 MiB succeeds", async () => {
    const member = await newMember();
    expect(await dataOf(sendFile(member, "/api/user/import", accountFile()))).toMatchObject({
      watch_history: views.length,
    });
    expect(await db.$count(watchList)).toBeGreaterThanOrEqual(2000);
  });
}
