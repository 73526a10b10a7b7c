import { expect, test } from "vitest";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** mkvmerge puts eight packets of Opus into a block, and the segments of an ordered edition divide such blocks. */

const folder = temporaryFolder("ordered-chapters");
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { partNamedBy, registerEpisode } = await import("#tests/support/requests/film-preparation.ts");
const { editionOf } = await import("#tests/support/watching/film-table.ts");

await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
makeFilm(folder, "01.mkv", {
  size: "160x90",
  seconds: 24,
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [{ codec: "libopus" }],
  mkvmerge: ["--chapters", "chapters.xml"],
  texts: {
    "chapters.xml": editionOf([
      [3, 22.3],
      [1, 9.5],
    ]),
  },
});
const film = ((await partNamedBy(await registerEpisode("01.mkv"))) ?? "").replace(/[^/]*$/, "");

/** When the segment begins and ends, and how long its packets last together, in units of the sound's clock. */
async function timesOf(name: string) {
  const bytes = Buffer.from(await (await request(film + name)).arrayBuffer());
  const start = Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8));
  const run = bytes.indexOf("trun");
  const count = bytes.readUInt32BE(run + 8);
  const lengths = Array.from({ length: count }, (_, row) => bytes.readUInt32BE(run + 16 + 16 * row));
  return { start, end: start + lengths.reduce((sum, length) => sum + length, 0), count };
}

test("each segment of sound begins where the one before ends, and none lacks a packet", async () => {
  const playlist = await (await request(`${film}a2.m3u8`)).text();
  const names = playlist.split("\n").filter((line) => line.endsWith(".m4s"));
  expect(names.length).toBeGreaterThan(4);
  const segments = await Promise.all(names.map(timesOf));
  const ends = segments.map(({ end }) => end);
  expect(segments.map(({ start }) => start)).toEqual([0, ...ends.slice(0, -1)]);
  const packets = segments.reduce((sum, { count }) => sum + count, 0);
  const packetSeconds = 0.02;
  expect(packets * packetSeconds).toBeCloseTo(22.3 - 3 + 9.5 - 1, 1);
});
