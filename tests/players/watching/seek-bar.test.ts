import { afterAll, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { isAt, isReady, patient, pause, play, seek, time } from "#tests/support/browser/player.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Where a visitor's film begins, and what the seek bar says under the pointer. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);
afterAll(() => browser.close());
const film = 900000001;
const movie = "/watch/2759/1";
addSource(site, { title: 2759, episode: 1, url: "/film/1/film.webm", type: "webm", label: "WebM" });

async function openPage(path: string) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patient.timeout);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return page;
}

test("a film that was finished, or that became shorter, begins anew for a visitor", {
  timeout: 120_000,
}, async () => {
  const page = await openPage(`/watch/${film}/1`);
  const key = `place:${film}:1`;
  await isReady(page);
  await play(page);
  await seek(page, 124);
  await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key), patient).toBe("0");
  // From a version before, and of a longer film.
  for (const stored of ["126", "99999"]) {
    await page.goto(`${site.origin}/browse`);
    await page.evaluate(([name = "", seconds = ""]) => localStorage.setItem(name, seconds), [key, stored]);
    await page.goto(`${site.origin}/watch/${film}/1`);
    await hydrated(page);
    await isReady(page);
    await isAt(page, 0);
    await play(page);
    await expect.poll(() => time(page), patient).toBeGreaterThan(0.5);
    await pause(page);
  }
  await page.close();
});

test("a film without chapters shows the time under the pointer above its seek bar", async () => {
  const page = await openPage(movie);
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
  await page.close();
});
