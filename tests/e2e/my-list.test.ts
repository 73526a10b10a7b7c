import type { BrowserContext, Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser.ts";
import { startSite } from "#tests/support/site.ts";
import { hydrated } from "#tests/support/visit.ts";

/** A title's page and home, for somebody who is signed in. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

let members = 0;

async function signedIn(javaScriptEnabled: boolean): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } });
  members++;
  const answer = await context.request.post(`${site.origin}/api/auth/signup`, {
    data: { username: "Haruka", email: `haruka${members}@example.org`, password: "Abcdef1!" },
  });
  expect(answer.status()).toBe(201);
  return { context, page: await context.newPage() };
}

const pressed = (page: Page, type: string) =>
  expect.poll(() => page.getByRole("button", { name: type, exact: true }).getAttribute("aria-pressed"));
const progress = (page: Page) => expect.poll(() => page.locator(".list-progress output").textContent());

test.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a title is listed, counted up and scored in place, %s", async (_, script) => {
  const { context, page } = await signedIn(script);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await pressed(page, "Watching").toBe("true");
  await page.getByRole("button", { name: "One episode more" }).click();
  await progress(page).toBe("1 / 26");
  await page.getByLabel("My score").selectOption("9");
  if (script) await page.waitForLoadState("networkidle");
  else {
    const saved = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved;
    await page.waitForLoadState("load");
  }
  await page.reload();
  await pressed(page, "Watching").toBe("true");
  await progress(page).toBe("1 / 26");
  expect(await page.getByLabel("My score").inputValue()).toBe("9");

  await page.goto(`${site.origin}/browse?year=1998&genre=sci-fi`);
  const card = page.getByRole("link", { name: /^Cowboy Bebop/ });
  expect(await card.textContent()).toContain("Watching");
  await page.goto(`${site.origin}/browse?year=1998&mine=0`);
  expect(await page.getByRole("link", { name: /^Cowboy Bebop/ }).count()).toBe(0);

  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("button", { name: "Remove from list" }).click();
  await pressed(page, "Watching").toBe("false");
  await context.close();
});

test("a change can be taken back", async () => {
  const { context, page } = await signedIn(true);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page, ".list-types");
  await page.getByRole("button", { name: "Completed", exact: true }).click();
  await page.getByText("In your list as Completed").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await pressed(page, "Completed").toBe("false");
  await page.reload();
  expect(await page.getByRole("heading", { name: "Add to my list" }).count()).toBe(1);
  await context.close();
});

test("home goes on where one left off, and says why it recommends", async () => {
  const { context, page } = await signedIn(true);
  const report = { mal_id: 900000001, ep: 1, position: 60, duration: 126, at: new Date().toISOString() };
  expect((await context.request.put(`${site.origin}/api/user/progress`, { data: report })).status()).toBe(
    200,
  );
  await page.goto(site.origin);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("link", { name: "In my list" }).waitFor();
  const liked = { animeId: 1, type: "Completed" };
  expect((await context.request.post(`${site.origin}/api/user/watchList`, { data: liked })).status()).toBe(
    200,
  );
  const answer = await page.goto(site.origin);
  expect(answer?.headers()["cache-control"]).toContain("private");
  await page.getByRole("heading", { name: "Continue watching" }).waitFor();
  expect(await page.getByText("Ep 1 · 1 min left").count()).toBe(1);
  expect(await page.getByText("Because you liked Cowboy Bebop").count()).toBe(1);
  await context.close();
});

test("nobody signed in is sent to sign in, and nothing is kept", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("link", { name: "Add to list" }).click();
  await page.waitForURL(`**/signin?redirectTo=${encodeURIComponent("/anime/1/cowboy-bebop")}`);
  const posted = await page.request.post(`${site.origin}/anime/1/cowboy-bebop`, {
    form: { type: "Watching" },
    maxRedirects: 0,
  });
  expect(posted.status()).toBe(302);
  expect(posted.headers().location).toMatch(/^\/signin\?/);
  await page.close();
});

test("a member's searches are kept by the account, not by the browser", async () => {
  const { context, page } = await signedIn(true);
  await page.goto(`${site.origin}/search?q=naruto`);
  await hydrated(page);
  await page.goto(`${site.origin}/schedule`);
  await hydrated(page);
  await page.getByRole("banner").getByRole("combobox", { name: "Search titles" }).focus();
  const recent = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { name: "naruto" });
  await recent.waitFor();
  expect(await page.evaluate(() => localStorage.getItem("recentSearches"))).toBeNull();
  await context.close();
});
