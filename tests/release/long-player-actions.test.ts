import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { isReady, patient, showsEpisode, time } from "#tests/support/browser/player.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { demonstration } from "#tests/support/watching/films-and-viewers.ts";
import { nextCard, playFromAlone, watchAsMember } from "#tests/support/watching/watching-member.ts";

/** The player's automatic actions that take longest. tests/players has others at each change. */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ RATE_LIMIT_POINTS: "100000" }),
]);
const bebop = 1;
for (const episode of [1, 2, 3, 4, 5, 6])
  addSource(site, { title: bebop, episode, url: "/film/1/film.webm", type: "webm", label: "WebM" });

/** Runs in the page. Each of the eight seconds before the next episode lasts only a moment. */
function withShortCountdown() {
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms?: number) =>
    usual(work, ms === 1000 ? 10 : ms)) as typeof globalThis.setTimeout;
}

test("after five episodes without input, the player asks before it continues", {
  timeout: 600_000,
}, async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${bebop}/1`);
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
  await context.close();
});

test("under the film, an undo answered after a later edit reverts only its own edit", async () => {
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`);
  const bar = page.getByRole("region", { name: "My list" });
  const seen = (pressed: boolean) => bar.getByRole("button", { name: "Mark as seen", pressed });
  await bar.getByRole("button", { name: "Add to list" }).click();
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
  const { context, page, trouble } = await watchAsMember(browser, site, `/watch/${demonstration}/1`, {
    forgetsWatched: true,
  });
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
