import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Subtitle files beside the films of MEDIA_DIR, converted and served as players read them. */

const folder = temporaryFolder("captions");
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { getEpisode } = await import("#app/domain/catalog/catalog.server.ts");
const { anybody } = await import("#app/domain/visibility/visibility.server.ts");
const { hideTitle } = await import("#app/domain/catalog-editing/catalog-editing.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSubtitles, listSubtitles, readPlayableEpisode } = await import(
  "#app/domain/playback/playback.server.ts"
);
const { compositionTimes, discSubtitles, vobSubHead, vobSubPackets, vobSubRun, vobSubUnit } = await import(
  "#tests/support/data/bitmap-subtitles.ts"
);
const { ThreadPool } = await import("#app/platform/limits/thread-pool.server.ts");
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
  // Deszcz — śnieg in Windows-1250.
  "Show - 01.pl.srt": Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nDeszcz \x97 \x9cnieg\n", "latin1"),
  "Show - 01.utf16.vtt": Buffer.from(`\uFEFF${vtt}`, "utf16le"),
  "huge.ass": Buffer.from("[Events]\n"),
  "long.ass": Buffer.from(
    `[Events]\n${Array.from({ length: 60_000 }, (_, at) => `Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\pos(1,${at})}Rain ${at}\n`).join("")}`,
  ),
  "secret.txt": Buffer.from("secret"),
};

/** Pictures in two languages, as on a DVD, and as on a Blu-ray disc. */
const unit = vobSubUnit({ area: [0, 5, 0, 0], lines: [vobSubRun(1, 0)] });
const sub = vobSubPackets([
  { stream: 0, unit },
  { stream: 2, unit },
]);
const streams = [
  ["en", 0],
  ["ja", 2],
].map(([language, number], at) => {
  const place = sub.at[at]?.toString(16).padStart(9, "0");
  return `id: ${language}, index: ${number}\ntimestamp: 00:00:0${at + 1}:000, filepos: ${place}\n`;
});
const index = (...listed: (string | undefined)[]) => Buffer.from(`${vobSubHead}${listed.join("")}`);
const pictures: Record<string, Buffer> = {
  // Large enough to be read on the thread.
  "Show - 02.idx": index(...streams, "# A comment\n".repeat(20_000)),
  "Show - 02.sub": sub.bytes,
  "Show - 02.de.forced.sup": discSubtitles(),
  "Show - 02.fr.idx": index(streams[0]),
  "Show - 02.fr.sub": sub.bytes,
  "Show - 02.it.idx": index(...streams),
  "Show - 02.nl.sup": Buffer.from("SP, another format"),
  "Show - 02.pl.sup": Buffer.from("PG"),
};

beforeAll(async () => {
  mkdirSync(join(folder, "Show"));
  for (const [name, bytes] of Object.entries({ ...files, ...pictures }))
    writeFileSync(join(folder, "Show", name), bytes);
  truncateSync(join(folder, "Show/huge.ass"), 200 * 1024 * 1024);
  truncateSync(join(folder, "Show/Show - 02.pl.sup"), 200 * 1024 * 1024);
  await importTitles(
    [1, 2].map((mal_id) => ({ kind: "title", mal_id, title: `Show ${mal_id}`, episodes: 2 })),
  );
  for (const name of [...Object.keys(files), "gone.ass", "../outside.ass"])
    await createSubtitles({
      malId: 1,
      episode: 1,
      url: `media:Show/${name}`,
      language: name.includes(".pl.") ? "pl" : "en",
    });
  for (const name of Object.keys(pictures).filter((one) => !one.endsWith(".sub")))
    await createSubtitles({
      malId: 2,
      episode: 2,
      url: `media:Show/${name}`,
      language: /\.(de|fr|it|nl|pl)\./.exec(name)?.[1] ?? "und",
    });
});

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

test("a file is read in the encoding of its language", async () => {
  const response = await request(await pathOf("Show - 01.pl.srt"));
  expect(await response.text()).toContain("Deszcz — śnieg");
});

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
  await hideTitle(1, { kind: "operator", ip: null, operatorId: await someUser() });
  // The query has its own entry in the public cache, which the site empties when the catalog changes.
  expect((await request(`${path}?again`)).status).toBe(404);
});

describe("subtitles that are pictures", () => {
  const listed = async () => {
    const episode = await getEpisode(2, 2, anybody);
    if (!episode.ok) throw new Error("there is no such episode");
    return (
      await readPlayableEpisode(episode.value, { child: undefined, signal: AbortSignal.timeout(60_000) })
    ).bitmaps;
  };

  test("are offered by language and role, and files that are none are left out", async () => {
    expect((await listed()).map(({ label, language, role }) => [label, language, role])).toEqual([
      ["English", "en", "dialogue"],
      ["Japanese", "ja", "dialogue"],
      ["German (signs and songs)", "de", "signs"],
      ["French", "fr", "dialogue"],
      ["Polish", "pl", "dialogue"],
    ]);
  });

  test("are sent as one .sup file with the times of their language", async () => {
    const timesOf = async (label: string) => {
      const url = (await listed()).find((one) => one.label === label)?.url ?? "";
      const response = await request(url);
      expect(response.headers.get("Content-Type")).toBe("application/octet-stream");
      return compositionTimes(new Uint8Array(await response.arrayBuffer())).slice(0, 2);
    };
    expect(await timesOf("English")).toEqual([0, 1000]);
    expect(await timesOf("Japanese")).toEqual([0, 2000]);
    expect(await timesOf("German (signs and songs)")).toEqual([0, 2000]);
  });

  test("of a language that the file lacks, in another form, or too large, are refused", async () => {
    const [english, , , , polish] = (await listed()).map(({ url }) => url);
    const statusOf = async (path = "") => (await request(path)).status;
    expect(await statusOf(english?.replace(".sup", "-1.sup"))).toBe(404);
    expect(await statusOf(english?.replace(".sup", ".vtt"))).toBe(404);
    expect(await statusOf(polish)).toBe(413);
  });

  test("are read once for several viewers who come first", async () => {
    // A file of another size has another tag.
    writeFileSync(join(folder, "Show/Show - 02.idx"), index(...streams, "# A comment\n".repeat(20_001)));
    const jobs = vi.spyOn(ThreadPool.prototype, "run");
    await Promise.all([listed(), listed(), listed()]);
    const kinds = jobs.mock.calls.map(([job]) => (job as { kind?: string }).kind);
    expect(kinds.filter((kind) => kind === "bitmap index")).toHaveLength(1);
  });

  test("are listed anew when their file changes", async () => {
    writeFileSync(join(folder, "Show/Show - 02.idx"), index(streams[1]));
    expect((await listed()).map(({ label }) => label).slice(0, 2)).toEqual([
      "Japanese",
      "German (signs and songs)",
    ]);
  });
});
