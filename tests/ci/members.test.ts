import type { BrowserContext, Page } from "playwright";
import { expect, test } from "vitest";
import { overflow, seriousFindings } from "#tests/support/axe.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { failureNote, isReady } from "#tests/support/player.ts";
import { mostScriptBytes, scriptBytes } from "#tests/support/script-bytes.ts";
import { startSite } from "#tests/support/site.ts";
import { addSource, runTool } from "#tests/support/tools.ts";
import { hydrated, importOddTitles, longTitle, watchForTrouble } from "#tests/support/visit.ts";

/** A member's and an operator's pages, for axe, for a keyboard alone, and as narrow as they get. */

const [browser, site] = await Promise.all([openBrowser(), startSite({ RATE_LIMIT_POINTS: "5000" })]);
importOddTitles(site);
addSource(site, { title: 1, episode: 1, url: "/film/none.webm", type: "webm", label: "Nowhere" });
addSource(site, { title: 1, episode: 1, url: "/film/1/film.webm", type: "webm", label: "Close by" });
const member = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
runTool(site, "user", ["operator", member.email]);

const watchPage = "/watch/900000001/1";
const pages = [
  "/",
  "/anime/900000001/engawa",
  longTitle,
  watchPage,
  "/watch/1/1",
  "/watch/1/2",
  "/list",
  "/list?view=grid",
  "/list?tab=collection",
  "/history",
  "/profile",
  "/profile/edit",
  "/settings",
  "/signup/profile",
  "/signup/tastes",
  "/admin",
  "/admin/users",
  "/admin/episode?id=900000001&episode=1",
  "/admin/films",
];

const states = new Map<boolean, Awaited<ReturnType<BrowserContext["storageState"]>>>();

async function signedIn(options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> {
  const known = states.get(true);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
    ...(known && { storageState: known }),
  });
  if (!known) {
    const answer = await context.request.post(`${site.origin}/api/auth/signin`, { data: member });
    expect(answer.status()).toBe(200);
    states.set(true, await context.storageState());
  }
  return context.newPage();
}

async function open(page: Page, path: string) {
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
}

test("axe finds nothing serious, and nothing complains", async () => {
  const page = await signedIn();
  const trouble = watchForTrouble(page, site.origin);
  for (const path of pages) {
    await open(page, path);
    expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
    expect({ path, headings: await page.locator("h1").count() }).toEqual({ path, headings: 1 });
  }
  expect(trouble).toEqual([]);
  await page.context().close();
});

test("nor with what lies over the film: settings, keys, captions, a failure", async () => {
  const page = await signedIn();
  await open(page, watchPage);
  await isReady(page);
  await page.getByRole("button", { name: "Captions", exact: true }).click();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Speed").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await open(page, "/watch/1/1");
  await failureNote(page).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.context().close();
});

test("before the player no page loads more than 120 kB of script", async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  const heavy: { path: string; bytes: number }[] = [];
  for (const path of pages.filter((one) => !one.startsWith("/watch/"))) {
    const bytes = await scriptBytes(page, `${site.origin}${path}`);
    if (bytes > mostScriptBytes) heavy.push({ path, bytes });
  }
  expect(heavy).toEqual([]);
  await page.context().close();
});

test("an operator's page tells a member so inside the member's own page", async () => {
  const context = await browser.newContext();
  const account = { username: "Plain", email: "plain@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: account });
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await open(page, "/admin");
  await page.getByRole("heading", { name: "For operators" }).waitFor();
  await page.getByRole("link", { name: "Plain, profile" }).waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test("320 px, and 400 % of 1280 px, need no sideways scrolling, with scripts or without", async () => {
  const small = { viewport: { width: 320, height: 568 } };
  const views = [
    await signedIn(small),
    await signedIn({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 }),
    await signedIn({ ...small, javaScriptEnabled: false }),
  ];
  for (const path of pages)
    for (const page of views) {
      await page.goto(`${site.origin}${path}`);
      expect({ path, overflow: await overflow(page) }).toEqual({ path, overflow: 0 });
    }
  for (const page of views) await page.context().close();
});

const phone = { hasTouch: true, isMobile: true };

test("a phone edits an entry of the list in one line, each part as large as a finger", async () => {
  for (const width of [360, 390]) {
    const page = await signedIn({ ...phone, viewport: { width, height: 800 } });
    await open(page, "/list");
    const parts = await page
      .locator(".list-row-form")
      .first()
      .locator("select, input:not([type=hidden]), .list-row-progress button")
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON()));
    expect(parts).toHaveLength(5);
    expect(new Set(parts.map(({ top }) => Math.round(top))).size).toBe(1);
    for (const { height } of parts) expect(height).toBeGreaterThanOrEqual(44);
    await page.context().close();
  }
});

test("a phone on its side shows what plays, and what starts it, without scrolling", async () => {
  const page = await signedIn({ ...phone, viewport: { width: 844, height: 390 } });
  for (const [path, words] of [
    ["/", "Watch"],
    [watchPage, "Full screen"],
  ] as const) {
    await open(page, path);
    const part = page
      .locator("main")
      .getByRole(path === "/" ? "link" : "button", { name: words, exact: true });
    const box = await part.boundingBox();
    expect({ path, isInSight: box !== null && box.y + box.height <= 390 }).toEqual({ path, isInSight: true });
  }
  await page.context().close();
});

test("where the browser takes the colours away, what is chosen and what can be pressed still shows", async () => {
  const page = await signedIn({ forcedColors: "active" });
  await open(page, "/anime/1/cowboy-bebop");
  const looks = await page.locator(".list-types button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(button);
      return { isPressed: button.ariaPressed === "true", backgroundColor, borderTopWidth };
    }),
  );
  expect(looks.filter(({ borderTopWidth }) => borderTopWidth === "0px")).toEqual([]);
  const backgrounds = (isPressed: boolean) =>
    new Set(looks.filter((look) => look.isPressed === isPressed).map((look) => look.backgroundColor));
  expect(backgrounds(true).size).toBe(1);
  expect([...backgrounds(false)]).not.toContain([...backgrounds(true)][0]);
  await page.context().close();
});

/** Far more than any of these pages has. */
const mostStops = 400;

test("a keyboard gets to everything, sees where it is, and out again", async () => {
  // Rows glide to the focused card otherwise, and are looked at on their way.
  const page = await signedIn({ reducedMotion: "reduce" });
  for (const path of pages) {
    await open(page, path);
    const lost: string[] = [];
    let stops = 0;
    for (; stops < mostStops; stops++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(focusedNow);
      if (stop === null) break;
      if (stop !== "") lost.push(stop);
    }
    expect({ path, lost }).toEqual({ path, lost: [] });
    expect(stops).toBeGreaterThan(10);
    expect(stops).toBeLessThan(mostStops);
  }
  await page.context().close();
});

/** In the page: null once the focus has left it; what is wrong with the element that has it, else nothing. */
function focusedNow(): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const label = element.closest("label") ?? (element as HTMLInputElement).labels?.[0] ?? null;
  const name =
    element.getAttribute("aria-label") ??
    (element.getAttribute("aria-labelledby") || label?.textContent || element.textContent || element.title);
  const words = `${element.tagName} ${name?.trim().slice(0, 40)}`;
  if (!name?.trim()) return `${element.outerHTML.slice(0, 120)} has no name`;
  // What is hidden for the eye shows its focus on its label.
  const shown = element.classList.contains("visually-hidden") && label ? label : element;
  const { left, top, width, height } = shown.getBoundingClientRect();
  if (width === 0 || height === 0) return `${words} is not to be seen`;
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 12)];
  if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return `${words} lies outside at ${x}, ${y}`;
  const hit = document.elementFromPoint(x, y);
  return hit && (shown.contains(hit) || hit.contains(shown)) ? "" : `${words} lies under ${hit?.className}`;
}
