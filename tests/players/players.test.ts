import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { afterAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hasH264 } from "#tests/support/browser/player.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Real players (hls.js in Chromium, ffmpeg) play films through the proxy from another server of this machine. */

const run = promisify(execFile);

/** Python's file server sends wrong media types, knows no ranges, and speaks HTTP/1.0. */
async function serveFolder(folder: string): Promise<string> {
  const child: ChildProcess = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  afterAll(async () => {
    child.kill();
    await once(child, "exit");
  });
  if (!child.stdout) throw new Error("no output to read");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return `http://127.0.0.1:${/port (\d+)/.exec(line)?.[1]}`;
}

function makeEncryptedFilm(): string {
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=20"];
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=20"];
  const codecs = [
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "50"],
    ...["-c:a", "aac"],
  ];
  const hls = ["-hls_time", "2", "-hls_playlist_type", "vod", "-hls_key_info_file", "key-info"];
  return encodedOnce({
    commands: [["ffmpeg", "-v", "error", ...picture, ...sound, ...codecs, ...hls, "index.m3u8"]],
    inputs: { "film.key": "0123456789abcdef", "key-info": "film.key\nfilm.key\n" },
  });
}

const proxied = (url: string) => `${site.origin}/api/videoProxy?url=${encodeURIComponent(url)}`;

const folders = [resolve("public/film"), makeEncryptedFilm()];
const [film = "", encrypted = ""] = await Promise.all(folders.map(serveFolder));
const site = await startSite({ RATE_LIMIT_VIDEO_POINTS: "1000" });
const page: Page = await (await (await openBrowser()).newContext({ bypassCSP: true })).newPage();

/** Plays the stream in a muted `<video>` and sets `window.hls`. */
async function playWithHls(playlistUrl: string) {
  await page.goto(site.origin);
  await page.addScriptTag({ path: "node_modules/hls.js/dist/hls.min.js" });
  await page.evaluate((url) => {
    const { Hls } = window as unknown as { Hls: new () => HlsLike };
    const video = document.createElement("video");
    video.id = "film";
    video.muted = true;
    document.body.prepend(video);
    const hls = new Hls();
    Object.assign(window, { hls, fatal: null });
    hls.on("hlsError", (_event, { fatal, details }) => {
      if (fatal) Object.assign(window, { fatal: details });
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    void video.play();
  }, playlistUrl);
}

type HlsLike = {
  on(event: string, listener: (event: string, data: { fatal: boolean; details: string }) => void): void;
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
  levels: { height: number }[];
};

/** Waits until the film plays beyond `seconds`. A fatal error of hls.js fails the test. */
async function playsBeyond(seconds: number) {
  await page.waitForFunction((at) => {
    const { fatal } = window as unknown as { fatal: string | null };
    if (fatal) throw new Error(fatal);
    const video = document.querySelector<HTMLVideoElement>("#film");
    return video !== null && !video.paused && video.currentTime > at;
  }, seconds);
}

const seekTo = (seconds: number) =>
  page.evaluate((at) => {
    const video = document.querySelector<HTMLVideoElement>("#film");
    if (video) video.currentTime = at;
  }, seconds);

describe("hls.js in Chromium", () => {
  test("supports H.264 (Debian's Chromium does, Playwright's own does not)", async () => {
    await page.goto(site.origin);
    expect(await hasH264(page)).toBe(true);
  });

  test("plays and seeks the film, and knows both qualities", async () => {
    await playWithHls(proxied(`${film}/1/master.m3u8`));
    await playsBeyond(1);
    await seekTo(60);
    await playsBeyond(61);
    const heights = await page.evaluate(() =>
      (window as unknown as { hls: HlsLike }).hls.levels.map((l) => l.height),
    );
    expect(heights.toSorted()).toEqual([360, 720]);
  });

  test("plays an encrypted film", async () => {
    await playWithHls(proxied(`${encrypted}/index.m3u8`));
    await playsBeyond(1);
    await seekTo(12);
    await playsBeyond(13);
  });
});

test("Chromium plays and seeks a WebM of a server without ranges, because the proxy cuts the ranges", async () => {
  await page.goto(site.origin);
  await page.evaluate(
    (url) => {
      const video = document.createElement("video");
      video.id = "film";
      video.muted = true;
      video.src = url;
      Object.assign(window, { fatal: null });
      document.body.prepend(video);
      void video.play();
    },
    proxied(`${film}/1/film.webm`),
  );
  await playsBeyond(1);
  await seekTo(90);
  await playsBeyond(91);
});

describe("ffmpeg", () => {
  const probe = async (address: string) => {
    const { stdout } = await run("ffprobe", [
      "-v",
      "error",
      "-show_entries",
      "stream=codec_name:format=duration",
      "-of",
      "json",
      address,
    ]);
    const { streams, format } = JSON.parse(stdout) as {
      streams: { codec_name: string }[];
      format: { duration: string };
    };
    return { codecs: new Set(streams.map(({ codec_name }) => codec_name)), seconds: Number(format.duration) };
  };

  test("reads the film, the WebM and the encrypted film", async () => {
    const hls = await probe(proxied(`${film}/1/master.m3u8`));
    expect(hls.codecs).toEqual(new Set(["h264", "aac"]));
    expect(hls.seconds).toBeGreaterThan(119);
    expect((await probe(proxied(`${film}/1/film.webm`))).codecs).toEqual(new Set(["vp9", "opus"]));
    expect((await probe(proxied(`${encrypted}/index.m3u8`))).seconds).toBeCloseTo(20, 0);
  });

  test("decodes the same frames from the encrypted film through the proxy as from its server", async () => {
    const frames = async (address: string) => {
      const { stdout } = await run("ffmpeg", ["-v", "error", "-i", address, "-map", "0:v", "-f", "md5", "-"]);
      return stdout.trim();
    };
    expect(await frames(proxied(`${encrypted}/index.m3u8`))).toBe(await frames(`${encrypted}/index.m3u8`));
  });
});
