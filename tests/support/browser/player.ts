import type { Page } from "playwright";
import { expect } from "vitest";

/** Reads and drives the player of a watch page. */

export const videoOf = (page: Page) => page.locator("video");
export const time = (page: Page) => videoOf(page).evaluate((video: HTMLVideoElement) => video.currentTime);
export const isPaused = (page: Page) => videoOf(page).evaluate((video: HTMLVideoElement) => video.paused);
export const speed = (page: Page) => videoOf(page).evaluate((video: HTMLVideoElement) => video.playbackRate);
export const source = (page: Page) => videoOf(page).evaluate((video: HTMLVideoElement) => video.currentSrc);
export const isReady = (page: Page) =>
  expect
    .poll(() => videoOf(page).evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThanOrEqual(2);
export const isAt = (page: Page, seconds: number) =>
  expect.poll(async () => Math.abs((await time(page)) - seconds) <= 1).toBe(true);

/** Plays a paused film by its key. The player takes keys a moment after React controls the page. */
export async function play(page: Page) {
  const pressUntilPlaying = async () => {
    if (await isPaused(page)) await page.keyboard.press("k");
    return isPaused(page);
  };
  await expect.poll(pressUntilPlaying).toBe(false);
  const before = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(before + 0.3);
  expect(await isPaused(page)).toBe(false);
}

/** Plays a film that may have begun by itself, so that a key could pause it. The player may load the source once more. */
export async function playOn(page: Page) {
  const before = await time(page);
  const timeOnceAsked = async () => {
    await videoOf(page).evaluate((video: HTMLVideoElement) => void video.play().catch(() => {}));
    return time(page);
  };
  await expect.poll(timeOnceAsked).toBeGreaterThan(before + 0.3);
}

/** A film that has come to its end meanwhile would begin again. */
export async function pause(page: Page) {
  if (!(await isPaused(page))) await page.keyboard.press("k");
  await expect.poll(() => isPaused(page)).toBe(true);
}

export const seek = (page: Page, seconds: number) =>
  page.getByRole("slider", { name: "Position" }).fill(`${seconds}`);

/** The address changes a moment before the page does. Until then, the film of the last episode is still there. */
export const showsEpisode = (page: Page, episode: number) =>
  page
    .locator("h1")
    .filter({ hasText: new RegExp(`^Episode ${episode}\\b`) })
    .waitFor();

/** The message over a film that does not play. */
export const failureNote = (page: Page) =>
  page.getByRole("alert").filter({ hasText: "This episode does not play" });

export const hasH264 = (page: Page) =>
  page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'));
