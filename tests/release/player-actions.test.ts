import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { isAt, isReady, seek, showsEpisode, time, videoOf } from "#tests/support/browser/player.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { demonstration } from "#tests/support/watching/films-and-viewers.ts";
import {
  addEnding,
  nextCard,
  playFromAlone,
  watchAsMember,
  withShortCountdown,
} from "#tests/support/watching/watching-member.ts";

/** The player's automatic actions and messages, and late subtitles. tests/players has others at each change. */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ RATE_LIMIT_POINTS: "100000" }),
]);
const bebop = 1;
for (const episode of [1, 2, 3, 4, 5, 6])
  addSource(site, { title: bebop, episode, url: "/film/1/film.webm", type: "webm", label: "WebM" });

addEnding(site);

test("after five episodes without input, the player asks before it continues", {
  timeout: 600_000,
}, async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${bebop}/1`);
  await page.keyboard.press("m");
  await page.evaluate(withShortCountdown);
  for (const episode of [2, 3, 4, 5]) {
    await playFromAlone(page, 124.5);
    await page.waitForURL(`**/watch/${bebop}/${episode}`);
    await showsEpisode(page, episode);
    await isReady(page);
  }
  await playFromAlone(page, 124.5);
  await nextCard(page).getByText("Are you still watching?").waitFor();
  expect(
    await nextCard(page)
      .getByText(/^Starts in/)
      .count(),
  ).toBe(0);
  await nextCard(page).getByRole("button", { name: "Go on" }).click();
  await page.waitForURL(`**/watch/${bebop}/6`);
  expect(trouble).toEqual([]);
});

test("under the film, an undo answered after a later edit reverts only its own edit", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const bar = page.getByRole("region", { name: "My list" });
  const unseen = bar.getByRole("button", { name: "Mark as seen", pressed: false });
  await bar.getByRole("button", { name: "Add to list" }).click();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  await unseen.click();
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
  await unseen.waitFor();
  expect(await bar.getByLabel("My score").inputValue()).toBe("9");
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await bar.getByText(/Watching · 0 \/ 3/).waitFor();
  expect(await bar.getByLabel("My score").inputValue()).toBe("9");
  expect(trouble).toEqual([]);
});

test("while history is paused, playing reports nothing to the site", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
    forgetsWatched: true,
  });
  const reports: string[] = [];
  page.on("request", (request) => {
    if (/progress|trackChoice/i.test(request.url())) reports.push(request.url());
  });
  await playFromAlone(page, 100);
  await expect.poll(() => time(page)).toBeGreaterThan(112);
  await page.keyboard.press("c");
  await page.getByText("What you watch is not remembered.").waitFor();
  await page.getByRole("link", { name: "Change this" }).click();
  await page.waitForURL("**/settings#privacy");
  expect(reports).toEqual([]);
  expect(trouble).toEqual([]);
});

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
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
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
});

test("the ending offers the next episode in a corner, which starts nothing by itself and can be hidden", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
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
});

test("subtitles can be shown later, and the choice holds for the next episode", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const firstStart = () =>
    videoOf(page).evaluate((video: HTMLVideoElement) => {
      const track = [...video.textTracks].find(({ mode }) => mode === "showing");
      return track?.cues?.[0]?.startTime;
    });
  await page.keyboard.press("c");
  await expect.poll(firstStart).toBeTypeOf("number");
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
});

test("subtitles turned on in the middle of a line appear above the controls", async () => {
  const { page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
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
  await expect.poll(goToFirstLine).toBe(true);
  await page.keyboard.press("c");
  await expect.poll(lineNow).toBe(null);
  await page.keyboard.press("c");
  // A line of captions of the usual size is slightly higher than a twentieth of the film.
  const coveredLines = await page.evaluate(() => {
    const [controls, film] = [".player-controls", "video"].map((one) => document.querySelector(one));
    return ((controls as HTMLElement).offsetHeight / (film as HTMLElement).clientHeight) * 17;
  });
  await expect.poll(lineNow).toBeLessThan(-coveredLines);
  expect(trouble).toEqual([]);
});
