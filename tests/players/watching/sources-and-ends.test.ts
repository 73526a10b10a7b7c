import type { Page, Route } from "playwright";
import { expect, test } from "vitest";
import { minutes } from "#app/platform/units.ts";
import { searchField } from "#tests/support/browser/discovery.ts";
import { expectList, playFrom } from "#tests/support/browser/end-of-a-film.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import {
  hasH264,
  isAt,
  isPaused,
  isReady,
  play,
  seek,
  showsEpisode,
  source,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import {
  bebop,
  continuesAfterExpiry,
  expectFailedPlays,
  offerBoth,
  openFilm,
  publicFilms,
  startExpiring,
} from "#tests/support/watching/failing-sources.ts";
import {
  demonstration,
  movie,
  newMember,
  newVisitor,
  sequel,
  startWithFilms,
} from "#tests/support/watching/films-and-viewers.ts";
import {
  addEnding,
  nextCard,
  playFromAlone,
  watchAsMember,
  withShortCountdown,
} from "#tests/support/watching/watching-member.ts";

/**
 * Cases rarer than the journeys of tests/e2e/watch-an-episode.test.ts: other sources, ends, and beginnings, and what the player
 * does by itself. tests/release has more of them.
 */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startWithFilms()]);
addEnding(site);

/** Records every number in the page: each is visible for a moment. */
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

test("a film played to its end is listed, and its end card offers Completed, a score and the sequel", async () => {
  const { context, page, trouble } = await newMember(browser, site);
  await playFrom(page, `${site.origin}${movie}`, 122);
  await page.getByText("is on your list as Watching").waitFor();
  await expectList(context, site.origin).toEqual([["Watching", null]]);
  const card = page.getByRole("region", { name: "End of the episode" });
  await card.getByRole("button", { name: "Mark as Completed" }).click();
  await card.getByText(/^Saved .* as Completed$/).waitFor();
  // The button that had the focus has been removed.
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByText("is on your list as Watching").waitFor({ state: "hidden" });
  await card.getByLabel("My score").selectOption("8");
  await card.getByText(/score 8$/).waitFor();
  await expectList(context, site.origin).toEqual([["Completed", 8]]);
  await card.getByRole("link", { name: /^Next: / }).click();
  await page.waitForURL(`**${sequel}`);
  expect(trouble).toEqual([]);
});

test("a browser without H.264 plays the WebM source", async () => {
  const { context, page, trouble } = await newVisitor(browser, site);
  await context.addInitScript(() => {
    const lacks = (type: string) => /avc1|mp4|mpegurl/i.test(type);
    const feeds = MediaSource.isTypeSupported.bind(MediaSource);
    MediaSource.isTypeSupported = (type) => !lacks(type) && feeds(type);
    const plays = HTMLMediaElement.prototype.canPlayType;
    HTMLMediaElement.prototype.canPlayType = function (type) {
      return lacks(type) ? "" : plays.call(this, type);
    };
  });
  await page.goto(`${site.origin}/watch/${demonstration}/1`);
  await hydrated(page);
  await isReady(page);
  expect(await source(page)).toMatch(/film\.webm$/);
  await play(page);
  expect(trouble).toEqual([]);
});

test("a film started before the page's scripts arrive keeps playing when the player takes over", async () => {
  const { page, trouble } = await newVisitor(browser, site);
  let letScriptsArrive = () => {};
  const scriptsMayArrive = new Promise<void>((resolve) => {
    letScriptsArrive = resolve;
  });
  await page.route("**/*.js", (route) => scriptsMayArrive.then(() => route.continue()));
  await page.goto(`${site.origin}/watch/${demonstration}/1`, { waitUntil: "commit" });
  await videoOf(page).evaluate((video: HTMLVideoElement) => video.play());
  await expect.poll(() => time(page)).toBeGreaterThan(0.5);
  letScriptsArrive();
  await hydrated(page, ".player-film");
  const before = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(before + 2);
  expect(trouble).toEqual([]);
});

test("a film plays if the viewer presses play in the moment in which the player attaches it", async () => {
  const { page, trouble } = await newVisitor(browser, site);
  // hls.js asks for the playlist just before it gets the video element.
  await page.addInitScript(() => {
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...request: unknown[]) {
      XMLHttpRequest.prototype.open = open;
      document.querySelector<HTMLElement>(".player-controls button")?.click();
      Reflect.apply(open, this, request);
    };
  });
  // Browsers let a page play only after a press.
  await page.goto(`${site.origin}/anime/${demonstration}`);
  await page.locator(`main a[href="/watch/${demonstration}/1"]`).first().click();
  await expect.poll(() => time(page)).toBeGreaterThan(0.5);
  expect(trouble).toEqual([]);
});

test("with the preference, openings and endings are skipped when playback enters them, not after a seek", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
    skipsSegments: true,
  });
  await playFromAlone(page, 0);
  await page.getByRole("status").filter({ hasText: "Skipped the intro" }).waitFor({ state: "attached" });
  await expect.poll(() => time(page)).toBeGreaterThanOrEqual(10);
  // The check runs in the page, because a slow machine could play to the end of the ending.
  const placeAfterSeek = await videoOf(page).evaluate(
    (video: HTMLVideoElement) =>
      new Promise<number>((resolve) => {
        video.ontimeupdate = () => {
          if (video.currentTime <= 104) return;
          video.ontimeupdate = null;
          resolve(video.currentTime);
        };
        video.currentTime = 103;
      }),
  );
  expect(placeAfterSeek).toBeLessThan(119);
  await playFromAlone(page, 98.5);
  await expect.poll(() => time(page)).toBeGreaterThanOrEqual(120);
  expect(trouble).toEqual([]);
});

test("without the preference, the next episode waits for the viewer", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
    playsNext: false,
  });
  await playFromAlone(page, 125);
  await nextCard(page).getByRole("button", { name: "Play now" }).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "The episode is over. Next episode: " })
    .waitFor({ state: "attached" });
  expect(
    await nextCard(page)
      .getByText(/^Starts in/)
      .count(),
  ).toBe(0);
  expect(trouble).toEqual([]);
});

test("the list entry under the film, and the link to its episode, do not interrupt the film", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  await playFromAlone(page, 20);
  // On a slow machine the film would end before the last step.
  await videoOf(page).evaluate((video: HTMLVideoElement) => {
    video.playbackRate = 0.25;
  });
  const played = await source(page);
  // The link to the page itself loads its data again.
  const loaded = page.waitForResponse(`**/watch/${demonstration}/1.data*`);
  await page.locator(".watch-side .episode[aria-current]").click();
  await loaded;
  const bar = page.getByRole("region", { name: "My list" });
  await bar.getByRole("button", { name: "Add to list" }).click();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  const seen = (pressed: boolean) => bar.getByRole("button", { name: "Mark as seen", pressed });
  await page.route("**/anime/**", (route) => route.abort());
  await seen(false).click();
  await bar.getByText("Not saved. Try again.").waitFor();
  await page.unroute("**/anime/**");
  await seen(false).click();
  await bar.getByText(/Watching · 1 \/ 3/).waitFor();
  await bar.getByLabel("My score").selectOption("9");
  await bar.getByText(/score 9$/).waitFor();
  await seen(true).click();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText(/Watching · 1 \/ 3/).waitFor();
  await seen(true).waitFor();
  expect(await source(page)).toBe(played);
  expect(await time(page)).toBeGreaterThan(20);
  expect(await isPaused(page)).toBe(false);
  await page.reload();
  await expect.poll(() => bar.getByLabel("My score").inputValue()).toBe("9");
  expect(trouble.filter((text) => !/ERR_FAILED|Failed to fetch/.test(text))).toEqual([]);
});

test("after a file expires during playback, the player shows the reason and continues with the next source", async () => {
  const upstream = await startExpiring(publicFilms);
  offerBoth(site, 2, { url: `${upstream.origin}/film.webm`, type: "webm" });
  const { page, trouble } = await openFilm(browser, site, `/watch/${bebop}/2`);
  await isReady(page);
  await play(page);
  upstream.isExpired = true;
  await seek(page, 110);
  await continuesAfterExpiry(page, 109);
  expect(trouble).toEqual([]);
});

test("the operator's list of failed plays has the failure with its reason", () =>
  expectFailedPlays(browser, site, [["Cowboy Bebop", "2", "expired", "film.webm"]]));

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
    await expect.poll(height).toBe(Number(lines));
  }
  await quality.selectOption("360p");
  await page.goto(`${site.origin}/watch/900000001/2`);
  await hydrated(page);
  await isReady(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect.poll(() => quality.inputValue()).toBe("360");
  await expect.poll(height).toBe(360);
  // Chosen for a film that has it. Here the best one below it plays.
  await page.evaluate(() => localStorage.setItem("player", JSON.stringify({ quality: 1080 })));
  await page.reload();
  await hydrated(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect.poll(() => quality.inputValue()).toBe("720");
  await quality.selectOption("Automatic");
  await expect.poll(() => quality.inputValue()).toBe("auto");
  expect(trouble).toEqual([]);
});

test("the sound comes back after the volume was turned down to nothing", async () => {
  const { page, trouble } = await openFilm(browser, site, "/watch/900000001/1");
  await isReady(page);
  await page.getByRole("slider", { name: "Volume" }).fill("0");
  await page.getByRole("button", { name: "Mute", pressed: true }).click();
  await page.getByRole("status").filter({ hasText: "Sound on" }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Mute", pressed: false }).waitFor();
  expect(await videoOf(page).evaluate((video: HTMLVideoElement) => video.volume)).toBeGreaterThan(0);
  expect(trouble).toEqual([]);
});

test("the end of a film leaves the focus to somebody who types in the search field", async () => {
  const { page, trouble } = await openFilm(browser, site, movie);
  await isReady(page);
  await searchField(page).pressSequentially("beb");
  await playFromAlone(page, 123);
  await page.getByRole("region", { name: "End of the episode" }).waitFor();
  await page.keyboard.type("op");
  expect(await searchField(page).inputValue()).toBe("bebop");
  expect(trouble).toEqual([]);
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
  await page.evaluate(withShortCountdown);
  const counted = await countdown(page);
  await page.getByRole("button", { name: "Play again" }).click();
  await seek(page, 125);
  await page.waitForURL("**/watch/900000001/2");
  expect(await counted()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  await showsEpisode(page, 2);
  await isReady(page);
  await expect.poll(() => time(page)).toBeGreaterThan(0.3);
  expect(await isPaused(page)).toBe(false);
});

test("the countdown waits while a link that the viewer has pressed is loading", async () => {
  const { page, trouble } = await newVisitor(browser, site);
  await page.clock.install();
  await page.goto(`${site.origin}/watch/${demonstration}/1`);
  await hydrated(page);
  await isReady(page);
  // From here, the page's time goes on only in this test, so a slow machine cannot come to the end of the countdown. It must
  // be earlier than the pause when the call arrives.
  await page.clock.pauseAt(Date.now() + minutes(10));
  const playing = playFromAlone(page, 125);
  const countsDown = async () => {
    await page.clock.runFor(100);
    return nextCard(page)
      .getByText(/^Starts in/)
      .count();
  };
  await expect.poll(countsDown).toBe(1);
  await playing;
  const held: Route[] = [];
  await page.route(`**/anime/${demonstration}/engawa.data*`, (route) => void held.push(route));
  await page.locator(".watch-series a").first().click();
  await page.locator(".nav-progress[data-busy]").waitFor({ state: "attached" });
  for (let second = 0; second < 10; second++) await page.clock.runFor(1000);
  await held[0]?.continue();
  await page.waitForURL(`**/anime/${demonstration}/engawa`);
  expect(trouble).toEqual([]);
});
