import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The site reads registered films before anybody opens them, and operators see how each one plays. */

const folder = temporaryFolder("unread-films");
process.env.MEDIA_DIR = folder;
// Otherwise the answers would depend on whether this machine has ffmpeg.
process.env.FFMPEG = "off";
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { block, cluster, cue, element, filmOf, ids, picture, sound } = await import(
  "#tests/support/data/matroska-bytes.ts"
);
const { box } = await import("#app/media/mp4/boxes.ts");
const { indexFirst } = await import("#tests/support/data/mp4-bytes.ts");
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { readUnreadFilms } = await import("#app/domain/films/films.server.ts");

const trackOf = (type: number, codec: string, ...more: Uint8Array[]) =>
  element(
    ids.trackEntry,
    element(ids.trackNumber, type),
    element(ids.trackType, type),
    element(ids.codecId, codec),
    ...more,
  );
const matroska = (...tracks: Uint8Array[]) => {
  const head = element(ids.tracks, ...tracks);
  return filmOf(head, element(ids.cues, cue(0, head.length)), cluster(0, block(1, 0, true)));
};
const zlib = element(ids.contentCompression, element(ids.contentCompressionAlgorithm, 0));
const withoutIndex = filmOf(element(ids.tracks, picture), cluster(0, block(1, 0, true)));

const mp4Box = (type: string, length: number) => box(type, Buffer.alloc(length));

const files: Record<string, Uint8Array | string> = {
  "01.mkv": "tests/fixtures/films/two-sounds.mkv",
  "02.avi": Buffer.from("RIFF\0\0\0\0AVI LIST"),
  "03.mkv": matroska(trackOf(1, "V_MPEG2")),
  "04.mkv": matroska(picture, sound(element(ids.codecId, "A_MPEG/L3"))),
  "05.mkv": Buffer.from("no film at all"),
  "06.mkv": withoutIndex,
  // The index of this film is no list of entries.
  "07.mkv": filmOf(element(ids.tracks, picture), element(ids.cues, Buffer.alloc(3 * 1024 * 1024))),
  "10.mp4": Buffer.concat([mp4Box("ftyp", 16), mp4Box("mdat", 5000).subarray(0, 3000)]),
  "11.mp4": indexFirst(readFileSync("tests/fixtures/films/two-sounds.mp4")).subarray(0, 36_000),
  "12.mkv": matroska(
    trackOf(1, "V_MPEG4/ISO/AVC", element(ids.contentEncodings, element(ids.contentEncoding, zlib))),
  ),
};
const names = [...Object.keys(files), "08.mkv"];
/** This file was read by an older version of the site. */
const readBefore = "06.mkv";

for (const [name, film] of Object.entries(files))
  if (typeof film === "string") copyFileSync(film, join(folder, name));
  else writeFileSync(join(folder, name), film);
await importTitles([{ kind: "title", mal_id: 1, title: "Bebop", episodes: 26 }]);
for (const [index, name] of names.entries())
  await createSource({ malId: 1, episode: index + 1, url: `media:${name}` });
await db
  .update(films)
  .set({ size: 1, modifiedMs: 1, inspection: { format: 0 } })
  .where(eq(films.path, readBefore));
const operator = await newOperator();

const textOf = async (path: string) =>
  (await (await operator.request(path)).text()).replace(/<!--.*?-->|<[^>]+>/gs, "|").replace(/\|+/g, "|");
const rows = async () => {
  const [, table = ""] = (await textOf("/admin/films")).split("|Does not play in|");
  return table.split(/\|(?=Bebop)/);
};
const reading = () => readUnreadFilms(new AbortController().signal);

test("the page of films says how many films are not read yet", async () => {
  expect(await textOf("/admin/films")).toContain(`contain: |${names.length - 1}| to go`);
  expect((await rows()).filter((row) => row.includes("|not read yet|"))).toHaveLength(names.length);
});

describe("after the site has read the films", () => {
  beforeAll(reading);

  test.each([
    ["an MKV", "01.mkv", "unconverted where possible"],
    ["an AVI", "02.avi", "nowhere|No browser opens AVI files."],
    ["an MKV with MPEG-2", "03.mkv", "nowhere|No browser decodes MPEG-2."],
    ["an MKV with MP3", "04.mkv", "as it is|Not every browser opens MKV files."],
    ["what is no film", "05.mkv", "nowhere|It is damaged, or no video"],
    ["a film without an index", "06.mkv", "as it is|It has no index."],
    ["a damaged film", "07.mkv", "nowhere|It is damaged, or no video"],
    ["an MP4 that ends before its index", "10.mp4", "nowhere|It ends too early: it was not copied"],
    ["an MP4 that ends before its last pictures", "11.mp4", "as it is|It ends too early: it was not copied"],
    [
      "a film with a zlib-compressed picture",
      "12.mkv",
      "as it is|Its picture or sound is compressed in a way",
    ],
    ["a missing film", "08.mkv", "not read yet"],
  ])("%s is listed with how it plays", async (_, name, text) => {
    expect((await rows()).find((row) => row.includes(name))).toContain(`|${text}`);
  });

  test("the page of an episode lists the tracks, and says what to do about a closed container", async () => {
    expect(await textOf("/admin/episode?id=1&episode=1")).toContain("|Sound|Japanese, AAC, 1 channel|–|");
    const closed = await textOf("/admin/episode?id=1&episode=2");
    expect(closed).toContain("It plays in no browser.");
    expect(closed).toContain("With ffmpeg, the site converts it once and then plays it.");
  });

  test("the watch page of an AVI names what the site needs, and offers no preparation", async () => {
    const html = await (await operator.request("/watch/1/2")).text();
    expect(html).toContain("&quot;name&quot;:&quot;AVI&quot;");
    expect(html).toContain("&quot;site&quot;:&quot;ffmpeg&quot;");
    expect(html).not.toMatch(/\/play\/[\w/-]+\/prepared/);
  });

  test("a film whose file is gone is skipped after one look, and the next ones are read", async () => {
    rmSync(join(folder, "05.mkv"));
    copyFileSync("tests/fixtures/films/two-sounds.mp4", join(folder, "09.mp4"));
    await createSource({ malId: 1, episode: 9, url: "media:09.mp4" });
    await reading();
    expect((await rows()).find((row) => row.includes("09.mp4"))).toContain("|unconverted where possible|");
  });
});
