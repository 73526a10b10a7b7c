import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { failureNote, hasH264, isReady, play, seek, source } from "#tests/support/browser/player.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import {
  bebop,
  continuesAfterExpiry,
  continuesWithNextSource,
  expectFailedPlays,
  offerBoth,
  openFilm,
  publicFilms,
  serveFile,
  startExpiring,
} from "#tests/support/watching/failing-sources.ts";

/** Sources whose failure takes long to notice, or that the browser cannot play. tests/players has others at each change. */

const [browser, site] = await Promise.all([
  openBrowser(),
  startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", RATE_LIMIT_VIDEO_POINTS: "1000" }),
]);

describe("when a source fails, the player shows the reason and continues with the next source", () => {
  test("after a stream expires during playback", async () => {
    const upstream = await startExpiring(publicFilms, /\/0(?:0[4-9]|[12]\d)\.m4s$/);
    offerBoth(site, 1, { url: `${upstream.origin}/master.m3u8`, type: "hls" });
    const { page, trouble } = await openFilm(browser, site, `/watch/${bebop}/1`);
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    await play(page);
    // The player has buffered the start, so refused segments must not disturb it yet.
    await expect.poll(() => upstream.refusals).toBeGreaterThanOrEqual(4);
    expect(await failureNote(page).count()).toBe(0);
    await seek(page, 100);
    await continuesAfterExpiry(page, 99);
    expect(trouble).toEqual([]);
  });

  test("not after a failure of a stream whose server answers again", async () => {
    let isBack = false;
    let refusals = 0;
    const upstream = await startUpstream((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      // The player has given up, and asks for the reason.
      isBack ||= request.headers.range === "bytes=0-0";
      if (isBack || !path.endsWith(".m4s")) return serveFile(join(publicFilms, path), request, response);
      refusals++;
      response.writeHead(503).end("later");
    });
    offerBoth(site, 5, { url: `${upstream.origin}/master.m3u8`, type: "hls" });
    const { page } = await openFilm(browser, site, `/watch/${bebop}/5`);
    await expect.poll(() => refusals).toBeGreaterThan(2);
    await isReady(page);
    expect(await failureNote(page).count()).toBe(0);
    expect(await source(page)).toMatch(/^blob:/);
    await play(page);
  });

  test("after a source does not answer in time", async () => {
    const silent = await startUpstream(() => {});
    offerBoth(site, 3, { url: `${silent.origin}/film.webm`, type: "webm" });
    const { page } = await openFilm(browser, site, `/watch/${bebop}/3`);
    await continuesWithNextSource(page, "The source does not answer in time.", 0);
  });

  test("by itself after the browser does not support the video codec", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4"];
    const folder = encodedOnce({
      commands: [["ffmpeg", "-v", "error", ...picture, "-c:v", "mpeg4", "old.mp4"]],
    });
    const upstream = await startExpiring(folder);
    offerBoth(site, 4, { url: `${upstream.origin}/old.mp4`, type: "file" });
    const { page } = await openFilm(browser, site, `/watch/${bebop}/4`);
    await expect.poll(() => source(page)).toMatch(/\/film\/1\/film\.webm$/);
    await isReady(page);
  });

  test("the operator's list of failed plays has each failure with its reason", () =>
    expectFailedPlays(browser, site, [
      ["Cowboy Bebop", "4", "unsupported", "old.mp4"],
      ["Cowboy Bebop", "3", "slow", "film.webm"],
    ]));
});
