import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Subtitle files beside the films of MEDIA_DIR, converted and served as players read them. */

const folder = mkdtempSync(join(tmpdir(), "engawa-captions-"));
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { hideTitle } = await import("#app/domain/catalog-editing/catalog-editing.server.ts");
const { importRecords, readRecords } = await import("#app/domain/catalog-import/catalog-import.server.ts");
const { createSubtitles, listSubtitles } = await import("#app/domain/playback/playback.server.ts");
const { someUser } = await import("#tests/support/data/database-rows.ts");

const script = `[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Rain{\\i0} — 雨
`;
const vtt = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nRain — 雨\n";
const files: Record<string, Buffer> = {
  "Show - 01.en.ass": Buffer.from(script),
  "Show - 01.en.utf16.ass": Buffer.from(`\uFEFF${script}`, "utf16le"),
  "Show - 01.srt": Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nRain — 雨\n"),
  "Show - 01.utf16.vtt": Buffer.from(`\uFEFF${vtt}`, "utf16le"),
  "huge.ass": Buffer.from("[Events]\n"),
  "long.ass": Buffer.from(
    `[Events]\n${Array.from({ length: 60_000 }, (_, at) => `Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\pos(1,${at})}Rain ${at}\n`).join("")}`,
  ),
  "secret.txt": Buffer.from("secret"),
};

beforeAll(async () => {
  mkdirSync(join(folder, "Show"));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, "Show", name), bytes);
  truncateSync(join(folder, "Show/huge.ass"), 200 * 1024 * 1024);
  async function* lines() {
    for (const mal_id of [1, 2])
      yield `${JSON.stringify({ kind: "title", mal_id, title: `Show ${mal_id}`, episodes: 1 })}\n`;
  }
  await importRecords(readRecords(lines()), { includeAdult: false });
  for (const name of [...Object.keys(files), "gone.ass", "../outside.ass"])
    await createSubtitles({ malId: 1, episode: 1, url: `media:Show/${name}`, language: "en" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function pathOf(name: string, form = "vtt") {
  const found = (await listSubtitles({ malId: 1, episode: 1 })).find(
    ({ url }) => url === `media:Show/${name}`,
  );
  return `/captions/${found?.id}.${form}`;
}

test.each(["Show - 01.en.ass", "Show - 01.en.utf16.ass", "Show - 01.srt", "Show - 01.utf16.vtt"])(
  "%s is sent as WebVTT in UTF-8",
  async (name) => {
    const response = await request(await pathOf(name));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/vtt; charset=utf-8",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toBe(vtt);
  },
);

test("an ASS file is also served unchanged in UTF-8, and files of other formats are not", async () => {
  const response = await request(await pathOf("Show - 01.en.utf16.ass", "ass"));
  expect([response.headers.get("Content-Type"), await response.text()]).toEqual([
    "text/x-ssa; charset=utf-8",
    script,
  ]);
  expect((await request(await pathOf("Show - 01.srt", "ass"))).status).toBe(404);
});

test("If-None-Match with the current ETag gets 304, and a corrected file has another ETag", async () => {
  const path = await pathOf("Show - 01.srt");
  const tag = (await request(path)).headers.get("ETag") ?? "";
  expect((await request(path, { headers: { "If-None-Match": tag } })).status).toBe(304);
  writeFileSync(join(folder, "Show/Show - 01.srt"), "1\n00:00:01,000 --> 00:00:02,000\nSnow\n");
  // The query has its own entry in the public cache, which keeps the first answer for a minute.
  const corrected = await request(`${path}?again`, { headers: { "If-None-Match": tag } });
  expect([corrected.status, await corrected.text()]).toEqual([200, expect.stringContaining("Snow")]);
});

test("the API gives the URL of the WebVTT", async () => {
  const answer = await request("/api/episodes/getEpisode?mal_id=1&ep=1");
  const { data } = (await answer.json()) as { data: { subtitles: { url: string; label: string }[] } };
  expect(data.subtitles[0]).toEqual({
    url: `http://localhost:3000${await pathOf("Show - 01.en.ass")}`,
    language: "en",
    label: "English",
  });
  expect(JSON.stringify(data)).not.toContain("Show - 01");
});

test.each([
  ["a file of 200 MB", "huge.ass", 413],
  ["a file that is gone", "gone.ass", 404],
  ["a file that is no subtitles", "secret.txt", 404],
  ["a file outside of the folder", "../outside.ass", 404],
])("%s gets its status", async (_, name, status) => {
  const response = await request(await pathOf(name));
  expect(response.status).toBe(status);
  expect(await response.text()).not.toContain("secret");
});

test.each(["x.vtt", "00000000-0000-0000-0000-000000000000.vtt", "00000000-0000-0000-0000-000000000000.exe"])(
  "/captions/%s gets 404",
  async (name) => expect((await request(`/captions/${name}`)).status).toBe(404),
);

test("a script of 60,000 signs is reduced to its few spoken lines", async () => {
  const text = await (await request(await pathOf("long.ass"))).text();
  expect(text.split("\n\n").length).toBe(7);
});

test("subtitles of a title that operators hide get 404", async () => {
  const path = await pathOf("Show - 01.en.ass");
  await hideTitle(1, await someUser());
  // The query has its own entry in the public cache, which the site empties when the catalog changes.
  expect((await request(`${path}?again`)).status).toBe(404);
});
