import type { BrowserContext, Page } from "playwright";
import { afterEach, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import {
  isAt,
  isPaused,
  isReady,
  pause,
  play,
  playOn,
  seek,
  showsEpisode,
  speed,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A member signs up, watches, and continues on a second device. Browsers without H.264 must pass too: they play WebM. */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ RATE_LIMIT_POINTS: "100000" }),
]);
const film = 900000001;
const account = { email: "watcher@example.org", password: "Abc123!x" };

let trouble: string[] = [];
afterEach(() => expect(trouble).toEqual([]));

const newDevice = () => browser.newContext({ viewport: { width: 1280, height: 800 } });

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return page;
}

async function signUp(page: Page) {
  await page.getByLabel("Name", { exact: true }).fill("Watcher");
  await page.getByLabel("E-mail address").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/signup/profile");
  await page.getByLabel("Name", { exact: true }).fill("Wanda");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/signup/tastes");
  // The checkboxes are hidden under their labels, so the test clicks the labels.
  await page.locator("label.pick").first().click();
  await page.locator("label.chip").filter({ hasText: "Slice of Life" }).click();
  await expect.poll(() => page.locator("input:checked").count()).toBe(2);
  await page.getByRole("button", { name: "Finish" }).click();
  await page.waitForURL(`${site.origin}/`);
  await page
    .getByText(/^Because you love /)
    .first()
    .waitFor();
}

async function signIn(page: Page) {
  await page.getByLabel("E-mail address").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${site.origin}/`);
}

const progress = async (context: BrowserContext) => {
  const answer = await context.request.get(`${site.origin}/api/user/watchList`);
  return (await answer.text()).match(/"progress":(\d+)/)?.[1];
};

async function tryKeys(page: Page) {
  await page.keyboard.press("5");
  await isAt(page, 63);
  for (const [key, second] of [
    ["ArrowRight", 68],
    ["j", 58],
    ["l", 68],
    ["ArrowLeft", 63],
    ["0", 0],
    ["s", 10],
  ] as const) {
    await page.keyboard.press(key);
    await isAt(page, second);
  }
  await page.keyboard.press(">");
  await expect.poll(() => speed(page)).toBe(1.25);
  await page.keyboard.press("<");
  await expect.poll(() => speed(page)).toBe(1);
  await page.keyboard.press("m");
  await expect
    .poll(() => page.getByRole("button", { name: "Mute" }).getAttribute("aria-pressed"))
    .toBe("true");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
}

async function turnCaptionsOn(page: Page) {
  const captions = page.getByRole("button", { name: "Captions", exact: true });
  await captions.click();
  const announced = (text: string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });
  await announced("Captions on, English");
  await page.keyboard.press("c");
  await announced("Captions off");
  await expect.poll(() => captions.getAttribute("aria-pressed")).toBe("false");
  await captions.click();
  await expect.poll(() => captions.getAttribute("aria-pressed")).toBe("true");
  const hasCues = () =>
    videoOf(page).evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].some(
        ({ mode, cues }) =>
          mode === "showing" &&
          (cues?.length ?? 0) > 0 &&
          // The paused player shows its controls, so the captions must be above them.
          [...(cues ?? [])].every((cue) => (cue as VTTCue).line !== "auto"),
      ),
    );
  await expect.poll(hasCues).toBe(true);
}

/** Pauses the film, waits until the server has stored the resume point, and returns it in seconds. */
async function pauseAndSave(page: Page): Promise<number> {
  const stored: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/api/user/progress") && response.ok())
      stored.push(response.request().postDataJSON()?.position ?? 0);
  });
  await seek(page, 45);
  await isAt(page, 45);
  await page.locator("h1").click();
  await play(page);
  await expect.poll(() => time(page)).toBeGreaterThan(47);
  await pause(page);
  const paused = await time(page);
  // The pause is not reported if a report while playing came less than a second before it.
  await expect.poll(() => stored.some((at) => Math.abs(at - paused) < 1)).toBe(true);
  return stored.findLast((at) => Math.abs(at - paused) < 1) ?? paused;
}

/** Runs in the page: on a busy machine, the countdown to the next episode could end before a press of the device. */
function pressPlayNow() {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(".player-next button")];
  const playNow = buttons.find(({ textContent }) => textContent === "Play now");
  playNow?.click();
  return playNow !== undefined;
}

test("a member signs up, watches, and continues at the same second on another device", async () => {
  const first = await newDevice();
  const page = await open(first, "/signup");
  await signUp(page);
  await page.goto(`${site.origin}/profile`);
  await page.getByRole("heading", { name: "Favorites" }).waitFor();

  await page.goto(`${site.origin}/anime/${film}/engawa`);
  await hydrated(page);
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await expect.poll(() => progress(first)).toBe("0");

  await page.goto(`${site.origin}/watch/${film}/1`);
  await hydrated(page);
  await isReady(page);
  await play(page);
  await pause(page);
  await tryKeys(page);
  await turnCaptionsOn(page);
  const resumePoint = await pauseAndSave(page);
  await first.close();

  const second = await newDevice();
  const other = await open(second, "/signin");
  await signIn(other);
  await other.getByRole("heading", { name: "Continue watching" }).waitFor();
  await other.locator(`main a[href^="/watch/${film}/1"]`).first().click();
  await other.waitForURL(`**/watch/${film}/1`);
  await isReady(other);
  await isAt(other, resumePoint);

  await other.locator("h1").click();
  await playOn(other);
  await other.keyboard.press("9");
  // A film that plays on could end before the server has counted the episode.
  await pause(other);
  await expect.poll(() => progress(second)).toBe("1");
  await playOn(other);
  await seek(other, 125);
  await other.waitForFunction(pressPlayNow);
  await other.waitForURL(`**/watch/${film}/2`);
  await showsEpisode(other, 2);
  await isReady(other);
  await expect.poll(() => time(other)).toBeGreaterThan(0.3);
  expect(await isPaused(other)).toBe(false);
});
