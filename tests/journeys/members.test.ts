import type { BrowserContext, Page } from "playwright";
import { expect, test } from "vitest";
import { overflow, seriousFindings } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, importExtremeTitles, longTitle, watchForTrouble } from "#tests/support/browser/pages.ts";
import { failureNote, isReady } from "#tests/support/browser/player.ts";
import { maxMemberScriptBytes, scriptBytes } from "#tests/support/checks/script-bytes.ts";
import { addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The pages of members and operators: axe, script bytes, narrow windows, phones, and the keyboard only. */

const [browser, site] = await Promise.all([openBrowser(), startSite({ RATE_LIMIT_POINTS: "5000" })]);
importExtremeTitles(site);
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
  "/watch/30/1",
  "/list",
  "/list?view=grid",
  "/list?tab=collection",
  "/history",
  "/profile",
  "/profile/edit",
  "/settings",
  "/settings/import",
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

test("axe finds nothing serious on the pages of members and operators, and the pages report no errors", async () => {
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

test("axe finds nothing serious with the player's settings, key help, captions or failure note open", async () => {
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

test("no page except those with the player loads more than 146 kB of script for a member", async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  const tooHeavy: { path: string; bytes: number }[] = [];
  const weigh = async (paths: string[]) => {
    for (const path of paths) {
      const bytes = await scriptBytes(page, `${site.origin}${path}`);
      if (bytes > maxMemberScriptBytes) tooHeavy.push({ path, bytes });
    }
  };
  await weigh(pages.filter((path) => path.startsWith("/admin")));
  // A title page loads one more small script for operators alone, so members' pages are weighed for a member.
  runTool(site, "user", ["operator", member.email, "--remove"]);
  await weigh(pages.filter((path) => !path.startsWith("/admin") && !path.startsWith("/watch/")));
  runTool(site, "user", ["operator", member.email]);
  expect(tooHeavy).toEqual([]);
  await page.context().close();
});

test("a form of the settings shows its answer beside it and keeps what is typed in other forms", async () => {
  const page = await signedIn();
  await open(page, "/settings");
  await page.getByLabel("Current password", { exact: true }).fill("half typed");
  await page.getByLabel("Name", { exact: true }).fill("Script");
  await page.getByRole("button", { name: "Create token" }).click();
  await page
    .locator("#tokens ~ .stack")
    .getByText(/engawa_[\w-]{43}/)
    .waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
  await page.getByText("Revoke: Script").click();
  await page.getByRole("button", { name: "Revoke Script" }).click();
  await page.locator("#tokens ~ .stack").getByText("The token is revoked.").waitFor();
  expect(await page.getByLabel("Current password", { exact: true }).inputValue()).toBe("half typed");
  await page.context().close();
});

test("a member who opens an operator's page reads that it is for operators, and stays signed in", async () => {
  const context = await browser.newContext();
  const account = { username: "Plain", email: "plain@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: account });
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await open(page, "/admin");
  await page.getByRole("heading", { name: "For operators only" }).waitFor();
  await page.getByRole("button", { name: "Plain, menu" }).waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test("pages fit without horizontal scrolling in 320 px, with and without scripts, and in 1280 px at 400 % zoom", async () => {
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

test("a phone shows the controls of a list row in one line, each at least 44 px high", async () => {
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

test("a phone in landscape shows the Watch link and the full-screen button without scrolling", async () => {
  const page = await signedIn({ ...phone, viewport: { width: 844, height: 390 } });
  for (const [path, name] of [
    ["/", /^(Watch|Continue)/],
    [watchPage, "Full screen"],
  ] as const) {
    await open(page, path);
    const role = path === "/" ? "link" : "button";
    const part = page.locator("main").getByRole(role, { name, exact: true }).first();
    const box = await part.boundingBox();
    expect({ path, isInSight: box !== null && box.y + box.height <= 390 }).toEqual({ path, isInSight: true });
  }
  await page.context().close();
});

test("on a phone, an operator reaches what changes an account without scrolling its table sideways", async () => {
  runTool(site, "user", ["create", "somebody@example.org", "--name", "Somebody"]);
  const page = await signedIn({ ...phone, viewport: { width: 360, height: 800 } });
  await open(page, "/admin/users");
  const row = page.getByRole("region", { name: "Users" }).locator("tr", { hasText: "somebody@example.org" });
  const right = await row
    .locator("button, summary")
    .evaluateAll((controls) => Math.max(...controls.map((control) => control.getBoundingClientRect().right)));
  expect(right).toBeGreaterThan(0);
  expect(right).toBeLessThanOrEqual(360);
  await page.context().close();
});

test("in forced colors, buttons keep their borders and the pressed one looks different", async () => {
  const page = await signedIn({ forcedColors: "active" });
  await open(page, "/anime/1/cowboy-bebop");
  const styles = await page.locator(".list-types button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(button);
      return { isPressed: button.ariaPressed === "true", backgroundColor, borderTopWidth };
    }),
  );
  expect(styles.filter(({ borderTopWidth }) => borderTopWidth === "0px")).toEqual([]);
  const backgrounds = (isPressed: boolean) =>
    new Set(styles.filter((style) => style.isPressed === isPressed).map((style) => style.backgroundColor));
  expect(backgrounds(true).size).toBe(1);
  expect([...backgrounds(false)]).not.toContain([...backgrounds(true)][0]);
  await page.context().close();
});

/** More than any of these pages has: a page with so many tab stops traps the focus. */
const maxStops = 400;

test("every tab stop of a page has a name and is visible, and Tab leaves the page at its end", async () => {
  // With motion, rows would still scroll to the focused card while the test looks at them.
  const page = await signedIn({ reducedMotion: "reduce" });
  for (const path of pages) {
    await open(page, path);
    const problems: string[] = [];
    let stops = 0;
    for (; stops < maxStops; stops++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(focusedNow);
      if (stop === null) break;
      if (stop !== "") problems.push(stop);
    }
    expect({ path, problems }).toEqual({ path, problems: [] });
    expect(stops).toBeGreaterThan(10);
    expect(stops).toBeLessThan(maxStops);
  }
  await page.context().close();
});

/** Runs in the page. Returns null after the focus has left it, a problem of the focused element, or an empty text. */
function focusedNow(): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const label = element.closest("label") ?? (element as HTMLInputElement).labels?.[0] ?? null;
  const name =
    element.getAttribute("aria-label") ??
    (element.getAttribute("aria-labelledby") || label?.textContent || element.textContent || element.title);
  const description = `${element.tagName} ${name?.trim().slice(0, 40)}`;
  if (!name?.trim()) return `${element.outerHTML.slice(0, 120)} has no name`;
  // A visually hidden element shows its focus on its label.
  const shown = element.classList.contains("visually-hidden") && label ? label : element;
  const { left, top, width, height } = shown.getBoundingClientRect();
  if (width === 0 || height === 0) return `${description} is not visible`;
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 12)];
  if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return `${description} lies outside at ${x}, ${y}`;
  const hit = document.elementFromPoint(x, y);
  return hit && (shown.contains(hit) || hit.contains(shown))
    ? ""
    : `${description} lies under ${hit?.className}`;
}
