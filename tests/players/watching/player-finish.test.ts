import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
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
import { addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The player's automatic actions and messages: skips, the next episode, keys, late subtitles and the list entry. */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ RATE_LIMIT_POINTS: "100000" }),
]);
const film = 900000001;
const bebop = 1;
for (const episode of [1, 2, 3, 4, 5, 6])
  addSource(site, { title: bebop, episode, url: "/film/1/film.webm", type: "webm", label: "WebM" });
const segments = join(temporaryFolder("segments"), "segments.ndjson");
writeFileSync(
  segments,
  `${JSON.stringify({ kind: "skip", mal_id: film, number: 1, segment: "outro", start: 100, end: 120 })}\n`,
);
runTool(site, "catalog-import", [segments]);

async function watching(path: string, preferences?: object) {
  const { context, page } = await signedIn({ browser, site, script: true });
  context.setDefaultTimeout(patient.timeout);
  if (preferences)
    await context.request.post(`${site.origin}/api/saveUserPreferences`, { data: preferences });
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  await isReady(page);
  return { context, page, trouble };
}

/** Seeks and plays without a key or a click, which would count as a sign of the viewer. */
const playFromAlone = (page: Page, seconds: number) =>
  videoOf(page).evaluate(async (video: HTMLVideoElement, at) => {
    video.currentTime = at;
    await video.play();
  }, seconds);

const next = (page: Page) => page.getByRole("region", { name: "Next episode" });

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
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
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
  const { context, page, trouble } = await watching(`/watch/${film}/1`, { skipsSegments: true });
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
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
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
  await page.waitForURL(`**/watch/${film}/2`);
  expect(trouble).toEqual([]);
  await context.close();
});

/** Runs in the page. Each of the eight seconds before the next episode lasts only a moment. */
function withShortCountdown() {
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms?: number) =>
    usual(work, ms === 1000 ? 10 : ms)) as typeof globalThis.setTimeout;
}

test("after five episodes without input, the player asks before it continues", {
  timeout: 600_000,
}, async () => {
  const { context, page, trouble } = await watching(`/watch/${bebop}/1`);
  await page.keyboard.press("m");
  await page.evaluate(withShortCountdown);
  for (const episode of [2, 3, 4, 5]) {
    await playFromAlone(page, 124.5);
    await page.waitForURL(`**/watch/${bebop}/${episode}`);
    await showsEpisode(page, episode);
    await isReady(page);
  }
  await playFromAlone(page, 124.5);
  await next(page).getByText("Are you still watching?").waitFor();
  expect(
    await next(page)
      .getByText(/^Starts in/)
      .count(),
  ).toBe(0);
  await next(page).getByRole("button", { name: "Go on" }).click();
  await page.waitForURL(`**/watch/${bebop}/6`);
  expect(trouble).toEqual([]);
  await context.close();
});

test("without the preference, the next episode waits for the viewer", async () => {
  const { context, page, trouble } = await watching(`/watch/${film}/1`, { playsNext: false });
  await playFromAlone(page, 125);
  await next(page).getByRole("button", { name: "Play now" }).waitFor();
  expect(
    await next(page)
      .getByText(/^Starts in/)
      .count(),
  ).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test("subtitles can be shown later, and the choice holds for the next episode", async () => {
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
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
  await page.waitForURL(`**/watch/${film}/2`);
  await showsEpisode(page, 2);
  await isReady(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect.poll(() => page.getByLabel("Caption delay in seconds").inputValue()).toBe("2.5");
  expect(trouble).toEqual([]);
  await context.close();
});

test("subtitles turned on in the middle of a line appear above the controls", async () => {
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
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
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
  await playFromAlone(page, 20);
  const played = await source(page);
  const bar = page.getByRole("region", { name: "My list" });
  await bar.getByRole("button", { name: "Add to my list" }).click();
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

test("under the film, an undo answered after a later edit reverts only its own edit", async () => {
  const { context, page, trouble } = await watching(`/watch/${film}/1`);
  const bar = page.getByRole("region", { name: "My list" });
  const seen = (pressed: boolean) => bar.getByRole("button", { name: "Mark as seen", pressed });
  await bar.getByRole("button", { name: "Add to my list" }).click();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  await seen(false).click();
  await bar.getByText(/Watching · 1 \/ 3/).waitFor();
  let answerUndo = () => {};
  await page.route("**/anime/**", async (route) => {
    if (route.request().postData()?.includes("intent=restore"))
      await new Promise<void>((resolve) => {
        answerUndo = resolve;
      });
    await route.continue();
  });
  const asked = page.waitForRequest((request) => !!request.postData()?.includes("intent=restore"));
  await bar.getByRole("button", { name: "Undo" }).click();
  await asked;
  await bar.getByLabel("My score").selectOption("9");
  await bar.getByText(/score 9$/).waitFor();
  answerUndo();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  await seen(false).waitFor();
  expect(await bar.getByLabel("My score").inputValue()).toBe("9");
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  expect(await bar.getByLabel("My score").inputValue()).toBe("9");
  expect(trouble).toEqual([]);
  await context.close();
});

test("while history is paused, playing reports nothing to the site", async () => {
  const { context, page, trouble } = await watching(`/watch/${film}/1`, { forgetsWatched: true });
  const reports: string[] = [];
  page.on("request", (request) => {
    if (/progress|trackChoice/i.test(request.url())) reports.push(request.url());
  });
  await playFromAlone(page, 100);
  await expect.poll(() => time(page), patient).toBeGreaterThan(112);
  await page.keyboard.press("c");
  await page.getByText("What you watch is not remembered.").waitFor();
  await page.getByRole("link", { name: "Change this" }).click();
  await page.waitForURL("**/settings#privacy");
  expect(reports).toEqual([]);
  expect(trouble).toEqual([]);
  await context.close();
});
