import { copyFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** A Matroska film of MEDIA_DIR is played as HLS. */

const folder = temporaryFolder("packaged");
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");

const fixture = "tests/fixtures/films/two-sounds.mkv";
const name = "[Unlikely Group] Cowboy Bebop - 01.mkv";
const file = join(folder, name);

beforeAll(async () => {
  copyFileSync(fixture, file);
  writeFileSync(join(folder, "no film.mkv"), "not at all");
  await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
  await createSource({ malId: 1, episode: 1, url: `media:${name}` });
  await createSource({ malId: 1, episode: 2, url: "media:no film.mkv" });
  copyFileSync("tests/fixtures/films/two-sounds.mp4", join(folder, "03.mp4"));
  await createSource({ malId: 1, episode: 3, url: "media:03.mp4" });
});

type Wire = {
  video_url: string;
  sources: { url: string; type: string }[];
  chapters: { title: string }[];
  skip: object[];
};
async function episode(number: number): Promise<Wire> {
  const response = await request(`/api/episodes/getEpisode?mal_id=1&ep=${number}`);
  return ((await response.json()) as { data: Wire }).data;
}
const pathOf = (url: string) => new URL(url).pathname;
const folderOf = async (number = 1) => pathOf((await episode(number)).video_url).replace(/[^/]*$/, "");
const bytesOf = async (path: string) => Buffer.from(await (await request(path)).arrayBuffer());

describe("the sources of an episode", () => {
  test("list the packaged film before its file, and its URL does not reveal the name of the file", async () => {
    const { sources, video_url } = await episode(1);
    expect(sources.map(({ type }) => type)).toEqual(["hls", "file"]);
    expect(video_url).toBe(sources[0]?.url);
    expect(video_url).toMatch(/\/play\/[\da-f-]{36}\/[\da-f]{12}\/all\.m3u8$/);
  });

  test("include chapters, and offer to skip an opening but not what comes before it", async () => {
    const { chapters, skip } = await episode(1);
    expect(chapters.map(({ title }) => title)).toEqual(["Avant", "Opening"]);
    expect(skip).toEqual([{ kind: "intro", start: 24, end: 54 }]);
  });

  test("offer an MP4 with two sound tracks as packaged too, because browsers offer no choice of tracks in a file", async () => {
    const { sources, video_url } = await episode(3);
    expect(sources.map(({ type }) => type)).toEqual(["hls", "mp4"]);
    const at = pathOf(video_url).replace(/[^/]*$/, "");
    expect((await bytesOf(`${at}main.m3u8`)).toString()).toContain('LANGUAGE="ja",DEFAULT=YES');
    for (const part of ["v-0.m4s", "v-2.m4s", "a2-1.m4s", "a3-0.m4s"])
      expect((await bytesOf(at + part)).indexOf("mdat"), part).toBeGreaterThan(0);
  });

  test("offer a file that is no film unchanged", async () => {
    expect((await episode(2)).sources.map(({ type }) => type)).toEqual(["file"]);
  });
});

describe("sound beside a film", () => {
  const sound = join(folder, "04.pt-BR.mka");
  beforeAll(async () => {
    copyFileSync(fixture, join(folder, "04.mkv"));
    copyFileSync("tests/fixtures/films/dub.mka", sound);
    copyFileSync("tests/fixtures/films/dub.mka", join(folder, "04b.mka"));
    copyFileSync("tests/fixtures/films/dub.mka", join(folder, "04.ar.srt"));
    writeFileSync(join(folder, "04.de.m4a"), "no sound at all");
    await createSource({ malId: 1, episode: 4, url: "media:04.mkv" });
  });

  /** The page is rendered for each visit. */
  const folderOnPage = async () => {
    const page = await (await request("/watch/1/4")).text();
    return /\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page)?.[0] ?? "";
  };

  test("is a sound track of the film, in the language that its name gives", async () => {
    const at = await folderOf(4);
    for (const name of ["main", "all"]) {
      const playlist = (await bytesOf(`${at}${name}.m3u8`)).toString();
      expect(playlist.match(/TYPE=AUDIO/g)).toHaveLength(3);
      expect(playlist).toMatch(/LANGUAGE="pt-BR",DEFAULT=NO.*URI="a2000001\.m3u8"/);
    }
    expect((await bytesOf(`${at}a2000001.mp4`)).indexOf("Opus")).toBeGreaterThan(0);
    const segment = await bytesOf(`${at}a2000001-1.m4s`);
    expect(segment.length - segment.indexOf("mdat")).toBeGreaterThan(1000);
  });

  test("gives the film another URL when it changes, and is not played at the old URL", async () => {
    const before = await folderOnPage();
    utimesSync(sound, 1, 1);
    expect(await folderOnPage()).not.toBe(before);
    expect((await request(`${before}a2000001-0.m4s`)).status).toBe(404);
    rmSync(sound);
    const after = await folderOnPage();
    expect((await bytesOf(`${after}main.m3u8`)).toString()).not.toContain("pt-BR");
  });
});

describe("a packaged film", () => {
  test("has playlists that name a rendition for each sound track, and segments that begin at key frames", async () => {
    const at = await folderOf();
    const main = (await bytesOf(`${at}main.m3u8`)).toString();
    expect(main).toContain('CODECS="avc1.');
    expect(main).toContain('LANGUAGE="ja",DEFAULT=YES');
    expect(main).toContain('NAME="Dub",LANGUAGE="en",DEFAULT=NO');
    const picture = (await bytesOf(`${at}v.m3u8`)).toString();
    expect(picture.match(/#EXTINF:[\d.]+/g)).toHaveLength(3);
    expect(await (await request(`${at}main-a3.m3u8`)).text()).toContain(',Opus"');
  });

  test("has segments that are cut on request, in any order, always with the same bytes", async () => {
    const at = await folderOf();
    const [last, first] = [await bytesOf(`${at}v-2.m4s`), await bytesOf(`${at}v-0.m4s`)];
    expect(first.subarray(4, 8).toString()).toBe("styp");
    const startOf = (bytes: Buffer) => Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8));
    expect(startOf(first)).toBe(0);
    expect(startOf(last)).toBeGreaterThan(startOf(first));
    const init = await bytesOf(`${at}v.mp4`);
    expect(init.indexOf("avc1")).toBeGreaterThan(0);
    expect(init.subarray(init.indexOf("mvhd") + 8, init.indexOf("mvhd") + 16)).toEqual(Buffer.alloc(8));
    expect((await bytesOf(`${at}a2-1.m4s`)).indexOf("mdat")).toBeGreaterThan(0);
  });

  test("has segments that only the viewer's own browser caches", async () => {
    const answer = await request(`${await folderOf()}v-0.m4s`);
    expect(answer.headers.get("Cache-Control")).toBe("private, max-age=86400");
    expect(answer.headers.get("Content-Type")).toBe("video/mp4");
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("600");
  });

  test.each(["v-3.m4s", "v-00.m4s", "a9.m3u8", "main-a9.m3u8", "a2-99.m4s", "..%2fmain.m3u8"])(
    "%s gets 404",
    async (part) => expect((await request((await folderOf()) + part)).status).toBe(404),
  );

  test("has another URL when its file changes, and the old URL gets 404", async () => {
    const before = await folderOf();
    expect((await request(before.replace(/[\da-f]{12}\/$/, "0123456789ab/main.m3u8"))).status).toBe(404);
    truncateSync(file, 30_000);
    expect((await request(`${before}v-1.m4s`)).status).toBe(404);
  });
});
