import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { transportStream, vodPlaylist } from "#tests/support/data/film-bytes.ts";
import { bytesOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The films in MEDIA_DIR, requested at /media and through the video proxy by URLs of this site. */

const outside = temporaryFolder("outside");
const folder = temporaryFolder("media");
process.env.MEDIA_DIR = folder;
// The test of cached playlists needs the public cache.
process.env.PUBLIC_CACHE = "1";
const { request, origin } = await import("#tests/support/site/in-process.ts");

const film = transportStream(300);
const put = (path: string, content: string | Buffer) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};

beforeAll(() => {
  writeFileSync(join(outside, "secret.mp4"), "secret");
  put("Show/01.mp4", film);
  put("Show/vod.m3u8", vodPlaylist);
  put("Show/0.ts", film);
  put("Show/captions.vtt", "WEBVTT\n");
  put("Show/poster.jpg", "jpg");
  put("Show/page.html", "<script>alert(1)</script>");
  put("雨 & porch #1/100%.webm", film);
  put(".hidden/film.mp4", film);
  put("Show/.film.mp4", film);
  symlinkSync(join(outside, "secret.mp4"), join(folder, "escape.mp4"));
  symlinkSync(outside, join(folder, "escape"));
  symlinkSync("loop.mp4", join(folder, "loop.mp4"));
  symlinkSync("Show/01.mp4", join(folder, "again.mp4"));
  execFileSync("mkfifo", [join(folder, "pipe.mp4")]);
});

const proxied = (path: string, headers: Record<string, string> = {}) =>
  request(`/api/videoProxy?url=${encodeURIComponent(origin + path)}`, { headers });

describe("/media", () => {
  test("a film is sent whole or as a range, and a range past the end gets 416", async () => {
    const whole = await request("/media/Show/01.mp4");
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": String(film.length),
      "content-type": "video/mp4",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect((await bytesOf(whole)).equals(film)).toBe(true);
    const part = await request("/media/Show/01.mp4", { headers: { Range: "bytes=-10" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([
      206,
      `bytes ${film.length - 10}-${film.length - 1}/${film.length}`,
    ]);
    expect((await bytesOf(part)).equals(film.subarray(-10))).toBe(true);
    const beyond = await request("/media/Show/01.mp4", { headers: { Range: "bytes=999999-" } });
    expect([beyond.status, beyond.headers.get("Content-Range")]).toEqual([416, `bytes */${film.length}`]);
    const head = await request("/media/Show/01.mp4", { method: "HEAD" });
    expect([head.headers.get("Content-Length"), (await bytesOf(head)).length]).toEqual([
      String(film.length),
      0,
    ]);
  });

  test("If-None-Match with the ETag gets 304, and If-Range with an old ETag gets the whole film", async () => {
    const tag = (await request("/media/again.mp4")).headers.get("ETag") ?? "";
    expect((await request("/media/Show/01.mp4", { headers: { "If-None-Match": tag } })).status).toBe(304);
    const ask = (condition: string) =>
      request("/media/Show/01.mp4", { headers: { Range: "bytes=0-9", "If-Range": condition } });
    expect((await ask(tag)).status).toBe(206);
    expect((await ask('"other"')).status).toBe(200);
    utimesSync(join(folder, "Show/01.mp4"), 1, 1);
    expect((await ask(tag)).status).toBe(200);
  });

  test.each([
    ["/media/Show/0.ts", "video/mp2t"],
    ["/media/Show/vod.m3u8", "application/vnd.apple.mpegurl"],
    ["/media/Show/captions.vtt", "text/vtt"],
    ["/media/Show/poster.jpg", "image/jpeg"],
    ["/media/Show/page.html", "application/octet-stream"],
    [`/media/${encodeURIComponent("雨 & porch #1")}/100%25.webm`, "video/webm"],
  ])("%s has the type %s and a sandbox policy", async (path, type) => {
    const response = await request(path);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
  });

  test.each([
    "/media/",
    "/media/Show",
    "/media/Show/",
    "/media/nothing.mp4",
    "/media/Show/01.mp4/",
    "/media/Show/01.mp4/x",
    "/media/..%2f..%2fetc%2fpasswd",
    "/media/%2e%2e/%2e%2e/etc/passwd",
    "/media/Show%2f01.mp4",
    "/media/..%5c..%5cetc",
    "/media/%252e%252e/etc/passwd",
    "/media//etc/passwd",
    "/media/Show//01.mp4",
    "/media/.hidden/film.mp4",
    "/media/Show/.film.mp4",
    "/media/escape.mp4",
    "/media/escape/secret.mp4",
    "/media/loop.mp4",
    "/media/pipe.mp4",
    `/media/${"x".repeat(3000)}`,
  ])("%s gets 400 or 404", async (path) => {
    const response = await request(path);
    expect([400, 404]).toContain(response.status);
    expect(await response.text()).not.toMatch(/secret|root:/);
  });

  test("a method that writes gets 405", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await request("/media/Show/01.mp4", { method })).status).toBe(405);
  });
});

describe("our own films through the proxy", () => {
  test("are read in the process, also as ranges, and a link that leaves the folder gets 404", async () => {
    const part = await proxied("/media/Show/01.mp4", { Range: "bytes=100-199" });
    expect([part.status, part.headers.get("Content-Type")]).toEqual([206, "video/mp4"]);
    expect((await bytesOf(part)).equals(film.subarray(100, 200))).toBe(true);
    expect((await proxied("/media/escape.mp4")).status).toBe(404);
  });

  test("are stored in no shared cache, and their playlists are read from the folder each time", async () => {
    const first = await proxied("/media/Show/vod.m3u8");
    expect([first.status, first.headers.get("Cache-Control")]).toEqual([200, "private, max-age=3600"]);
    rmSync(join(folder, "Show/vod.m3u8"));
    expect((await proxied("/media/Show/vod.m3u8")).status).toBe(404);
  });
});
