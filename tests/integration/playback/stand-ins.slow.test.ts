import { truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import {
  addTitle,
  askFor,
  films,
  folder,
  hold,
  isPrepared,
  offer,
  partNamedBy,
  put,
  registerEpisode,
  release,
  runsOf,
  small,
  swell,
  transport,
  unfinishedIn,
} from "#tests/support/data/stand-ins.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** ffmpeg puts films that only it reads into Matroska files in the film cache. tests/release has another instance. */

const { request } = await import("#tests/support/site/in-process.ts");

const longer = makeFilm(films, "longer.ts", { ...small, seconds: 8, sounds: [{ codec: "aac" }] });
const flash = makeFilm(films, "flash.avi", { ...small, sounds: [{ codec: "aac" }], other: ["-f", "flv"] });
const avi = makeFilm(films, "film.avi", { ...small, sounds: [{ codec: "aac" }] });
const unfinished = () => unfinishedIn(process.env.DATA_DIR ?? "");

beforeAll(addTitle);

/** Checks that the page names a playlist whose segments can be read, and returns the length of the film. */
async function playedSeconds(page: string): Promise<number> {
  const main = (await partNamedBy(page)) ?? "";
  expect(main).toMatch(/main\.m3u8$/);
  const pictures = await (await request(main.replace("main.m3u8", "v.m3u8"))).text();
  expect((await request(main.replace("main.m3u8", "v-0.m4s"))).status).toBe(200);
  return [...pictures.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0);
}

describe("a film that only ffmpeg reads", () => {
  test("is prepared once for all who ask, who read how far it is, and then it plays", async () => {
    const name = "01.ts";
    hold(name);
    const { page, prepared } = await offer(name, transport);
    const answers = await Promise.all([askFor(prepared), askFor(prepared), askFor(prepared)]);
    for (const answer of answers)
      expect(answer).toEqual({
        status: 503,
        text: expect.stringMatching(/^This video is being converted, once/),
      });
    await expect.poll(() => runsOf(name).length).toBe(1);
    expect(unfinished()).toHaveLength(1);
    release(name);
    await isPrepared(prepared);
    expect(runsOf(name)).toHaveLength(1);
    expect(unfinished()).toEqual([]);
    expect(await playedSeconds(page)).toBeCloseTo(4, 0);
  });

  test("that changes meanwhile is prepared again, and the old version never plays", async () => {
    const name = "02.ts";
    hold(name);
    const { page, prepared } = await offer(name, transport);
    await askFor(prepared);
    await expect.poll(() => runsOf(name).length).toBe(1);
    put(name, longer);
    release(name);
    expect((await askFor(prepared)).status).toBe(404);
    const next = (await partNamedBy(page)) ?? "";
    expect(next).toMatch(/\/prepared$/);
    expect(next).not.toBe(prepared);
    await isPrepared(next);
    expect(await playedSeconds(page)).toBeCloseTo(8, 0);
    expect(runsOf(name)).toHaveLength(2);
    expect((await askFor(prepared)).status).toBe(404);
  });

  test("waits while another one takes the room of the cache, and is then prepared by itself", async () => {
    // Its picture is converted, so it takes the converter of another lane.
    for (const name of ["03.avi", "04.ts"]) hold(name);
    const [one, other] = [await offer("03.avi", avi), await offer("04.ts", transport)];
    await askFor(one.prepared);
    await expect.poll(() => runsOf("03.avi").length).toBe(1);
    await expect
      .poll(async () => (await askFor(other.prepared)).text)
      .toMatch(/fill the film cache of this site/);
    expect(runsOf("04.ts")).toEqual([]);
    for (const name of ["03.avi", "04.ts"]) release(name);
    await Promise.all([isPrepared(one.prepared), isPrepared(other.prepared)]);
  });

  test("too large for the cache is refused with the size that it needs, also to operators", async () => {
    put("05.ts", transport);
    truncateSync(join(folder, "05.ts"), 40 * 1024 * 1024);
    const prepared = (await partNamedBy(await registerEpisode("05.ts"))) ?? "";
    const text = /needs a cache of 93 MiB, and the cache may take 60 MiB\..* FILM_CACHE_SIZE/;
    await expect.poll(() => askFor(prepared)).toEqual({ status: 413, text: expect.stringMatching(text) });
    const { reportFilms } = await import("#app/domain/playback/playback.server.ts");
    const reports = await Promise.all(Array.from({ length: 9 }, (_, index) => reportFilms(1, index + 1)));
    const [report] = reports.flat().filter(({ url }) => url === "media:05.ts");
    expect(report).toMatchObject({ plays: "nowhere", reason: expect.stringMatching(text) });
  });

  test("whose file becomes too large is given up, and nothing of it stays", async () => {
    swell("06.ts");
    hold("06.ts");
    const { prepared } = await offer("06.ts", transport);
    await expect
      .poll(() => askFor(prepared))
      .toEqual({
        status: 500,
        text: "This video cannot be converted. Its file may be damaged.",
      });
    expect(unfinished()).toEqual([]);
    const [pid = 0] = runsOf("06.ts");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe("a file that could lead ffmpeg elsewhere", () => {
  test.each([
    ["a playlist", "11.ts", (url: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${url}/a.ts\n`],
    ["a list of files to join", "12.avi", (url: string) => `ffconcat version 1.0\nfile '${url}/a.ts'\n`],
    [
      "a description of a stream",
      "13.wmv",
      (url: string) => `[Reference]\r\nRef1=${url}/a.asf?MSWMExt=.asf\r\n`,
    ],
  ])("%s is no film, so ffmpeg never sees it", async (_, name, text) => {
    const upstream = await startUpstream((_request, response) => response.end());
    put(name, Buffer.from(text(upstream.origin)));
    const page = await registerEpisode(name);
    expect(await partNamedBy(page)).toBeNull();
    expect(await (await request(page)).text()).toContain("&quot;unreadable&quot;:&quot;damaged&quot;");
    expect(runsOf(name)).toEqual([]);
  });

  test("a playlist behind the first bytes of a film is refused in words, and its address is not fetched", async () => {
    let fetched = 0;
    const upstream = await startUpstream((_request, response) => {
      fetched++;
      response.end();
    });
    const head = Buffer.from("RIFF\0\0\0\0AVI LIST\0\0\0\0");
    const playlist = Buffer.from(`\n#EXTM3U\n#EXTINF:10,\n${upstream.origin}/a.ts\nfile:///etc/passwd\n`);
    const { prepared } = await offer("14.avi", Buffer.concat([head, playlist]));
    await expect
      .poll(async () => (await askFor(prepared)).text)
      .toBe("This video cannot be converted. Its file may be damaged.");
    expect(fetched).toBe(0);
    expect(unfinished()).toEqual([]);
  });

  test("an FLV that is called AVI is refused with its true name", async () => {
    put("15.avi", flash);
    const page = await registerEpisode("15.avi");
    expect(await partNamedBy(page)).toBeNull();
    const html = await (await request(page)).text();
    expect(html).toContain("&quot;name&quot;:&quot;FLV&quot;");
    expect(html).toContain("&quot;site&quot;:&quot;never&quot;");
    expect(runsOf("15.avi")).toEqual([]);
  });
});
