import { expect, test } from "vitest";
import { expectList, playFrom } from "#tests/support/browser/end-of-a-film.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { isReady, patient, pause, play, source, time, videoOf } from "#tests/support/browser/player.ts";
import {
  demonstration,
  movie,
  newMember,
  newVisitor,
  sequel,
  startWithFilms,
} from "#tests/support/watching/films-and-viewers.ts";

/**
 * Cases rarer than the journeys of tests/e2e/watch-an-episode.test.ts: other sources, ends, and beginnings. tests/release has
 * more of them.
 */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startWithFilms()]);

test("a film played to its end is listed, and its end card offers Completed, a score and the sequel", async () => {
  const { context, page, trouble } = await newMember(browser, site);
  await playFrom(page, `${site.origin}${movie}`, 122);
  await page.getByText("is on your list as Watching").waitFor();
  await expectList(context, site.origin).toEqual([["Watching", null]]);
  const card = page.getByRole("region", { name: "End of the title" });
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
  await context.close();
});

test("finishing an episode of a To Watch title shows it as Watching without a reload, until undone", async () => {
  const { context, page, trouble } = await newMember(browser, site);
  const list = (data: object) =>
    context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId: demonstration, ...data } });
  expect((await list({ type: "To Watch" })).ok()).toBe(true);
  await page.goto(`${site.origin}/watch/${demonstration}/2`);
  const chip = page.getByRole("region", { name: "My list" });
  await chip.getByText(/^To Watch · 0/).waitFor();
  await playFrom(page, `${site.origin}/watch/${demonstration}/2`, 115);
  await pause(page);
  await page.getByText("is now Watching on your list").waitFor();
  await chip.getByText(/^Watching · 2/).waitFor();
  await page.locator(".episode[aria-current]").getByText("watched").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await chip.getByText(/^To Watch · 2/).waitFor();
  await expectList(context, site.origin).toEqual([["To Watch", null]]);
  // The last report is sent when the member leaves. The page that they open next was loaded before it.
  await playFrom(page, `${site.origin}/watch/${demonstration}/1`, 100);
  await pause(page);
  await videoOf(page).evaluate(
    (video: HTMLVideoElement) =>
      new Promise((resolve) => {
        video.onseeked = resolve;
        video.currentTime = 108.5;
      }),
  );
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.waitForURL(`${site.origin}/`);
  await expectList(context, site.origin).toEqual([["Watching", null]]);
  await page.getByRole("heading", { name: "Continue watching" }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
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
  await context.close();
});

test("a film started before the page's scripts arrive keeps playing when the player takes over", async () => {
  const { context, page, trouble } = await newVisitor(browser, site);
  let letScriptsArrive = () => {};
  const scriptsMayArrive = new Promise<void>((resolve) => {
    letScriptsArrive = resolve;
  });
  await page.route("**/*.js", (route) => scriptsMayArrive.then(() => route.continue()));
  await page.goto(`${site.origin}/watch/${demonstration}/1`, { waitUntil: "commit" });
  await videoOf(page).evaluate((video: HTMLVideoElement) => video.play());
  await expect.poll(() => time(page), patient).toBeGreaterThan(0.5);
  letScriptsArrive();
  await hydrated(page, ".player-film");
  const before = await time(page);
  await expect.poll(() => time(page), patient).toBeGreaterThan(before + 2);
  expect(trouble).toEqual([]);
  await context.close();
});

test("a film plays if the viewer presses play in the moment in which the player attaches it", async () => {
  const { context, page, trouble } = await newVisitor(browser, site);
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
  await expect.poll(() => time(page), patient).toBeGreaterThan(0.5);
  expect(trouble).toEqual([]);
  await context.close();
});

test("a film without chapters shows the time under the pointer above its seek bar", async () => {
  const { context, page } = await newVisitor(browser, site);
  await page.goto(site.origin + movie);
  await hydrated(page);
  await isReady(page);
  await page.getByRole("slider", { name: "Position" }).hover();
  await expect.poll(() => page.locator(".player-pointed").textContent(), patient).toMatch(/^1:0\d$/);
  const middleOf = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, width } = element.getBoundingClientRect();
      return left + width / 2;
    });
  expect(Math.abs((await middleOf(".player-pointed text")) - (await middleOf(".player-seek")))).toBeLessThan(
    3,
  );
  await context.close();
});
