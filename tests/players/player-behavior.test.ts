import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import {
  hasH264,
  isAt,
  isPaused,
  isReady,
  patient,
  play,
  seek,
  showsEpisode,
  source,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import {
  bebop,
  continuesWithNextSource,
  expectFailedPlays,
  offerBoth,
  openFilm,
  publicFilms,
  startExpiring,
} from "#tests/support/watching/failing-sources.ts";

/** Slow player behavior: sources that fail, qualities, and the countdown to the next episode. tests/release has more failures. */

const [browser, site] = await Promise.all([
  openBrowser(),
  startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", RATE_LIMIT_VIDEO_POINTS: "1000" }),
]);

/** Records every number in the page: each is visible for one second, and a busy machine could miss it by polling. */
async function countdown(page: Page) {
  const numbers = await page.evaluateHandle(() => {
    const seen: number[] = [];
    const look = () => {
      const shown = /Starts in ([1-9])/.exec(document.body.textContent ?? "")?.[1];
      if (shown !== undefined && seen.at(-1) !== Number(shown)) seen.push(Number(shown));
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return seen;
  });
  return () => numbers.jsonValue();
}

describe("when a source fails, the player shows the reason and continues with the next source", () => {
  test("after a file expires during playback", async () => {
    const upstream = await startExpiring(publicFilms);
    offerBoth(site, 2, { url: `${upstream.origin}/film.webm`, type: "webm" });
    const { page, trouble } = await openFilm(browser, site, `/watch/${bebop}/2`);
    await isReady(page);
    await play(page);
    upstream.isExpired = true;
    await seek(page, 110);
    await continuesWithNextSource(
      page,
      "The link to this source has expired, or its server does not allow access.",
      109,
    );
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("by itself after the browser does not support the video codec", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4"];
    const folder = encodedOnce({
      commands: [["ffmpeg", "-v", "error", ...picture, "-c:v", "mpeg4", "old.mp4"]],
    });
    const upstream = await startExpiring(folder);
    offerBoth(site, 4, { url: `${upstream.origin}/old.mp4`, type: "file" });
    const { page } = await openFilm(browser, site, `/watch/${bebop}/4`);
    await expect.poll(() => source(page), patient).toMatch(/\/film\/1\/film\.webm$/);
    await isReady(page);
    await page.context().close();
  });

  test("the operator's list of failed plays has each failure with its reason", () =>
    expectFailedPlays(browser, site, [
      ["Cowboy Bebop", "4", "unsupported", "old.mp4"],
      ["Cowboy Bebop", "2", "expired", "film.webm"],
    ]));
});

describe("the starter catalog's film, played by HLS", () => {
  test("the chosen quality applies, stays for the next episode, and can be set back to automatic", async () => {
    const { page, trouble } = await openFilm(browser, site, "/watch/900000001/1");
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    const height = () => videoOf(page).evaluate((video: HTMLVideoElement) => video.videoHeight);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const quality = page.getByLabel("Quality");
    for (const [lines, second] of [
      ["360", 60],
      ["720", 90],
    ] as const) {
      await quality.selectOption(`${lines}p`);
      await seek(page, second);
      await isAt(page, second);
      await expect.poll(height, patient).toBe(Number(lines));
    }
    await quality.selectOption("360p");
    await page.goto(`${site.origin}/watch/900000001/2`);
    await hydrated(page);
    await isReady(page);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await expect.poll(() => quality.inputValue()).toBe("360");
    await expect.poll(height, patient).toBe(360);
    await quality.selectOption("Automatic");
    await expect.poll(() => quality.inputValue()).toBe("auto");
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("at the end a countdown starts the next episode, unless the viewer cancels it", async () => {
    const { page } = await openFilm(browser, site, "/watch/900000001/1");
    await isReady(page);
    await play(page);
    const next = page.getByRole("region", { name: "Next episode" });
    // The press comes from the page: on a busy machine, the countdown could end before a press of the device.
    const cancelled = page.waitForFunction(() => {
      const card = document.querySelector(".player-next");
      const cancel = [...(card?.querySelectorAll("button") ?? [])].find(
        ({ textContent }) => textContent === "Cancel",
      );
      cancel?.click();
      return cancel && /Starts in \d/.test(card?.textContent ?? "");
    });
    await seek(page, 125);
    await cancelled;
    await next.waitFor({ state: "hidden" });
    expect(page.url()).toMatch(/\/1$/);
    const counted = await countdown(page);
    await page.getByRole("button", { name: "Play again" }).click();
    await seek(page, 125);
    await page.waitForURL("**/watch/900000001/2");
    expect(await counted()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    await showsEpisode(page, 2);
    await isReady(page);
    await expect.poll(() => time(page), patient).toBeGreaterThan(0.3);
    expect(await isPaused(page)).toBe(false);
    await page.context().close();
  });
});
