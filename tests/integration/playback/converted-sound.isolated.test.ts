import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Without ffmpeg, the site converts AC-3 to AAC itself. */

const folder = temporaryFolder("converted");
Object.assign(process.env, { MEDIA_DIR: folder, FFMPEG: "off" });
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { registerFilm } = await import("#tests/support/data/film-of-episode.ts");

await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
const film = await registerFilm(folder, "dolby.mkv", 1);

const textOf = async (name: string) => (await request(film + name)).text();
/** A conversion on a slow machine outlasts a request, which is then answered with 503. Players ask again, too. */
async function bytesOf(name: string) {
  const answer = await whenFree(() => request(film + name));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const startOf = (bytes: Buffer) => Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8)) / 48_000;
const framesOf = (bytes: Buffer) => bytes.readUInt32BE(bytes.indexOf("trun") + 8);

test("only the playlist for players that need it names converted sound", async () => {
  expect(await textOf("main.m3u8")).toContain(',ac-3"');
  const converted = await textOf("main-c.m3u8");
  expect(converted).toContain(',mp4a.40.2"');
  expect(converted).toContain('URI="c2.m3u8"');
  expect((await request(`${film}main-h.m3u8`)).status).toBe(404);
  expect((await request(`${film}h.mp4`)).status).toBe(404);
});

test("converted segments follow each other without a gap, wherever the conversion begins", async () => {
  expect((await textOf("c2.m3u8")).match(/#EXTINF:6\.016/g)).toHaveLength(2);
  const last = await bytesOf("c2-2.m4s");
  const [first, second] = [await bytesOf("c2-0.m4s"), await bytesOf("c2-1.m4s")];
  expect([startOf(first), startOf(second), startOf(last)]).toEqual([0, 6.016, 12.032]);
  expect([framesOf(first), framesOf(second)]).toEqual([282, 282]);
  expect((await bytesOf("c2.mp4")).indexOf("mp4a")).toBeGreaterThan(0);
});

test("converted segments are cached on disk, and only complete ones", async () => {
  const before = await bytesOf("c2-1.m4s");
  const folderOfCache = join(process.env.DATA_DIR ?? "", "film-cache");
  const files = () =>
    readdirSync(folderOfCache, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/"));
  await expect.poll(() => files().length).toBe(3);
  expect(files().filter((name) => name.includes("."))).toEqual([]);
  expect(await bytesOf("c2-1.m4s")).toEqual(before);
});
