import { expect, test } from "vitest";
import { expectList, playFrom } from "#tests/support/browser/end-of-a-film.ts";
import { hasFocus } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import {
  failureNote,
  isAt,
  isReady,
  pause,
  play,
  seek,
  source,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import {
  demonstration,
  movie,
  newMember,
  newVisitor,
  sequel,
  startWithFilms,
} from "#tests/support/watching/films-and-viewers.ts";

/** The rarest sources, ends and beginnings of films. tests/players has others at each change. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startWithFilms()]);
addSource(site, { title: 6, episode: 1, url: "/film/1/film.webm", type: "webm", label: "WebM" });

test("where the next episode is not here, the end card says so and leads to its page", async () => {
  const { page, trouble } = await newVisitor(browser, site);
  await playFrom(page, `${site.origin}/watch/6/1`, 122);
  const card = page.getByRole("region", { name: "End of the episode" });
  await card.getByText("Episode 2 is not here yet").waitFor();
  expect(await page.getByText(/^Starts in/).count()).toBe(0);
  await card.getByRole("link", { name: "About episode 2" }).click();
  await page.waitForURL("**/watch/6/2");
  expect(trouble).toEqual([]);
});

test("an end card whose script does not load leads to the sequel and to the title, and loads when asked again", async () => {
  const { page } = await newVisitor(browser, site, { width: 390, height: 844 });
  await page.route("**/assets/list-prompts-*.js", (route) => route.abort());
  await playFrom(page, `${site.origin}${movie}`, 122);
  const note = page.getByRole("alert");
  await note.getByText("This part of the page could not be loaded").waitFor();
  const links = note.getByRole("link");
  const paths = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  expect(paths).toEqual([expect.stringMatching(/^\/anime\/2759\//), sequel]);
  await page.unrouteAll();
  await note.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("region", { name: "End of the episode" }).waitFor();
});

test("Never do this takes the title off the list and keeps later ones off it; the end card can still list them", async () => {
  const { context, page } = await newMember(browser, site);
  await playFrom(page, `${site.origin}${movie}`, 110);
  const never = page.getByRole("button", { name: "Never do this" });
  await never.waitFor();
  // On a slow machine the film would end before the last step.
  await pause(page);
  await never.press("Enter");
  await page.getByText(/^Watching no longer changes your list/).waitFor();
  await expectList(context, site.origin).toEqual([]);
  const close = page.getByRole("button", { name: "Close this message" });
  await expect.poll(() => hasFocus(close)).toBe(true);
  await page.keyboard.press("Enter");
  const playButton = page.locator(".player").getByRole("button", { name: /^(Play|Pause)$/ });
  await expect.poll(() => hasFocus(playButton)).toBe(true);
  await seek(page, 122);
  await play(page);
  const card = page.getByRole("region", { name: "End of the episode" });
  await card.getByLabel("My score").selectOption("9");
  await expectList(context, site.origin).toEqual([["Completed", 9]]);
  await page.goto(`${site.origin}/settings#playback`);
  expect(await page.getByLabel("Add what I watch to my list").isChecked()).toBe(false);
});

test("Undo takes a listed title off the list again, and a completed one can be watched again from its first episode", async () => {
  const { context, page } = await newMember(browser, site);
  await playFrom(page, `${site.origin}/watch/${demonstration}/1`, 110);
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await page.setViewportSize({ width: 800, height: 900 });
  const order = await page.evaluate(() => {
    const [notice, film] = [".watch-main > [role=status]", ".player"].map((one) =>
      document.querySelector(one),
    );
    return {
      isFirst: notice?.parentElement?.firstElementChild === notice,
      below: (notice?.getBoundingClientRect().top ?? 0) - (film?.getBoundingClientRect().bottom ?? 0),
    };
  });
  expect(order).toEqual({ isFirst: true, below: expect.any(Number) });
  expect(order.below).toBeGreaterThan(0);
  await undo.click();
  await page.getByText(/^Removed /).waitFor();
  await expectList(context, site.origin).toEqual([]);
  const bar = page.getByRole("region", { name: "My list" });
  await bar.getByRole("button", { name: "Add to list" }).waitFor();
  const data = { animeId: demonstration, type: "Completed", progress: 3, score: 7 };
  await context.request.post(`${site.origin}/api/user/watchList`, { data });
  await playFrom(page, `${site.origin}/watch/${demonstration}/1`, 112);
  await page.getByRole("button", { name: "Watch again from here" }).click();
  await expectList(context, site.origin).toEqual([["rewatching", 7]]);
  await bar.getByText(/^Rewatching · 1/).waitFor();
  // The bar now counts the rewatch: the ticks of the first time stay.
  expect(await bar.getByRole("button", { name: "Mark as seen" }).getAttribute("name")).toBe(
    "rewatch_progress",
  );
});

test("a source that answers 403 is reported, and the next source plays", async () => {
  const upstream = await startUpstream((_, response) => response.writeHead(403).end("no"));
  const episode = { title: 1, episode: 1, type: "webm" };
  addSource(site, { ...episode, url: `${upstream.origin}/film.webm`, label: "Far away" });
  addSource(site, { ...episode, url: "/film/1/film.webm", label: "Close by" });
  const { page, trouble } = await newVisitor(browser, site);
  await page.goto(`${site.origin}/watch/1/1`);
  await hydrated(page);
  const note = failureNote(page);
  await note
    .filter({ hasText: "The link to this source has expired, or its server does not allow access." })
    .waitFor();
  await note.getByRole("button", { name: "Try Close by" }).click();
  await note.waitFor({ state: "hidden" });
  await isReady(page);
  expect(await source(page)).toMatch(/film\.webm$/);
  await page.locator("h1").click();
  await play(page);
  expect(trouble).toEqual([]);
});

test("a film that was finished, or that became shorter, restarts for a visitor", async () => {
  const { page } = await newVisitor(browser, site);
  const watchPage = `${site.origin}/watch/${demonstration}/1`;
  await page.goto(watchPage);
  await hydrated(page);
  const key = `place:${demonstration}:1`;
  await isReady(page);
  await play(page);
  await seek(page, 124);
  await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).toBe("0");
  // A resume point as an earlier version stored it, and one from a longer film.
  for (const stored of ["126", "99999"]) {
    await page.goto(`${site.origin}/browse`);
    await page.evaluate(([name = "", seconds = ""]) => localStorage.setItem(name, seconds), [key, stored]);
    await page.goto(watchPage);
    await hydrated(page);
    await isReady(page);
    await isAt(page, 0);
    await play(page);
    await expect.poll(() => time(page)).toBeGreaterThan(0.5);
    await pause(page);
  }
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
});

test("a film without chapters shows the time under the pointer above its seek bar", async () => {
  const { page } = await newVisitor(browser, site);
  await page.goto(site.origin + movie);
  await hydrated(page);
  await isReady(page);
  await page.getByRole("slider", { name: "Position" }).hover();
  await expect.poll(() => page.locator(".player-pointed").textContent()).toMatch(/^1:0\d$/);
  const middleOf = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, width } = element.getBoundingClientRect();
      return left + width / 2;
    });
  expect(Math.abs((await middleOf(".player-pointed text")) - (await middleOf(".player-seek")))).toBeLessThan(
    3,
  );
});
