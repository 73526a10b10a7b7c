import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import {
  isAt,
  isPaused,
  isReady,
  patient,
  seek,
  showsEpisode,
  source,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { demonstration } from "#tests/support/watching/films-and-viewers.ts";
import { nextCard, playFromAlone, watchAsMember } from "#tests/support/watching/watching-member.ts";

/**
 * The player's automatic actions and messages: skips, the next episode, keys, late subtitles and the list entry. tests/release
 * has those that take longest.
 */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ RATE_LIMIT_POINTS: "100000" }),
]);
const segments = join(temporaryFolder("segments"), "segments.ndjson");
writeFileSync(
  segments,
  `${JSON.stringify({ kind: "skip", mal_id: demonstration, number: 1, segment: "outro", start: 100, end: 120 })}\n`,
);
runTool(site, "catalog-import", [segments]);

/** Runs in the page. Each effect is shown for a second, and a busy machine could miss it by polling. */
function noteEffects() {
  const seen: string[] = [];
  const look = () => {
    const text = document.querySelector(".player-shown")?.textContent;
    if (text) seen.push(text);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  return seen;
}

test("the film briefly shows the effect of a key", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const effects = await page.evaluateHandle(noteEffects);
  for (const [key, text] of [
    ["ArrowRight", "+5 s"],
    ["j", "−10 s"],
    ["m", "Sound off"],
    [">", "Speed 1.25"],
    ["5", "50 %"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => effects.jsonValue()).toContain(text);
  }
  await page.locator(".player-shown").waitFor({ state: "detached" });
  expect(trouble).toEqual([]);
  await context.close();
});

test("with the preference, openings and endings are skipped when playback enters them, not after a seek", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
    skipsSegments: true,
  });
  await playFromAlone(page, 0);
  await page.getByRole("status").filter({ hasText: "Skipped the intro" }).waitFor({ state: "attached" });
  await expect.poll(() => time(page), patient).toBeGreaterThanOrEqual(10);
  // The check runs in the page, because a slow machine could play to the end of the opening.
  const placeAfterSeek = await videoOf(page).evaluate(
    (video: HTMLVideoElement) =>
      new Promise<number>((resolve) => {
        video.ontimeupdate = () => {
          if (video.currentTime <= 4) return;
          video.ontimeupdate = null;
          resolve(video.currentTime);
        };
        video.currentTime = 3;
      }),
  );
  expect(placeAfterSeek).toBeLessThan(9);
  await playFromAlone(page, 98.5);
  await expect.poll(() => time(page), patient).toBeGreaterThanOrEqual(120);
  expect(trouble).toEqual([]);
  await context.close();
});

test("the ending offers the next episode in a corner, which starts nothing by itself and can be hidden", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const card = page.getByRole("region", { name: "Coming next" });
  await seek(page, 105);
  await card.getByRole("button", { name: "Hide the next episode" }).click();
  await card.waitFor({ state: "hidden" });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toMatch(/^(Play|Pause)$/);
  await page.reload();
  await hydrated(page);
  await isReady(page);
  await seek(page, 90);
  await isAt(page, 90);
  expect(await card.count()).toBe(0);
  await seek(page, 105);
  await card.getByRole("button", { name: /^Next episode/ }).click();
  await page.waitForURL(`**/watch/${demonstration}/2`);
  expect(trouble).toEqual([]);
  await context.close();
});

test("without the preference, the next episode waits for the viewer", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
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
  await context.close();
});

test("subtitles can be shown later, and the choice holds for the next episode", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const firstStart = () =>
    videoOf(page).evaluate((video: HTMLVideoElement) => {
      const track = [...video.textTracks].find(({ mode }) => mode === "showing");
      return track?.cues?.[0]?.startTime;
    });
  await page.keyboard.press("c");
  await expect.poll(firstStart, patient).toBeTypeOf("number");
  const written = (await firstStart()) ?? 0;
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Caption delay in seconds").fill("2.5");
  await expect.poll(firstStart).toBeCloseTo(written + 2.5, 3);
  await page.getByRole("link", { name: /^Next: / }).click();
  await page.waitForURL(`**/watch/${demonstration}/2`);
  await showsEpisode(page, 2);
  await isReady(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect.poll(() => page.getByLabel("Caption delay in seconds").inputValue()).toBe("2.5");
  expect(trouble).toEqual([]);
  await context.close();
});

test("subtitles turned on in the middle of a line appear above the controls", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  await page.keyboard.press("c");
  const lineNow = () =>
    videoOf(page).evaluate((video: HTMLVideoElement) => {
      const track = [...video.textTracks].find(({ mode }) => mode === "showing");
      const cue = (track?.activeCues?.[0] ?? null) as VTTCue | null;
      return cue?.line ?? null;
    });
  const goToFirstLine = () =>
    videoOf(page).evaluate((video: HTMLVideoElement) => {
      const [cue] = [...video.textTracks].find(({ mode }) => mode === "showing")?.cues ?? [];
      if (cue) video.currentTime = (cue.startTime + cue.endTime) / 2;
      return cue !== undefined;
    });
  await expect.poll(goToFirstLine, patient).toBe(true);
  await page.keyboard.press("c");
  await expect.poll(lineNow, patient).toBe(null);
  await page.keyboard.press("c");
  // A line of captions of the usual size is slightly higher than a twentieth of the film.
  const coveredLines = await page.evaluate(() => {
    const [controls, film] = [".player-controls", "video"].map((one) => document.querySelector(one));
    return ((controls as HTMLElement).offsetHeight / (film as HTMLElement).clientHeight) * 17;
  });
  await expect.poll(lineNow, patient).toBeLessThan(-coveredLines);
  expect(trouble).toEqual([]);
  await context.close();
});

test("the list entry under the film changes without interrupting the film", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  await playFromAlone(page, 20);
  const played = await source(page);
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
  await context.close();
});
