import type { Page } from "playwright";
import { expect, test } from "vitest";
import { findingsOfBothThemes } from "#tests/support/browser/accessibility.ts";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addOperator, addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Wishes for films, in browsers with and without scripts, and in both themes. */

// This file has its own site: wishes need a folder of films, and the tests add and remove films and count wishes.
const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ MEDIA_DIR: temporaryFolder("wished-films"), RATE_LIMIT_POINTS: "5000" }),
]);
const [bebop, other] = ["/anime/1/cowboy-bebop", "/anime/5"];
const operator = { email: "wishes-operator@example.org", password: "Abcdef1!" };
addOperator(site, operator.email, operator.password);

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function asOperator() {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.request.post(`${site.origin}/api/auth/signin`, { data: operator });
  const page = await context.newPage();
  return { context, page };
}

test("without scripts, a member wishes for a film on its page, an operator reads it, and the film fulfills the wish", async () => {
  const { context, page } = await signedIn({ browser, site, script: false });
  const staff = await asOperator();
  await page.goto(site.origin + bebop);
  await button(page, "Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();
  await page.getByRole("link", { name: "My wishes" }).first().click();
  await button(page, "Take back Cowboy Bebop").click();
  await page.getByText("Your wish is taken back.").waitFor();
  await page.goto(site.origin + bebop);
  await button(page, "Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();

  await staff.page.goto(`${site.origin}/admin/wishes`);
  await staff.page.getByRole("link", { name: "Cowboy Bebop" }).click();
  await staff.page.waitForURL(site.origin + bebop);

  addSource(site, { title: 1, episode: 1, url: "/film/1/film.webm", type: "webm", label: "WebM" });
  const ended = async () => {
    const answer = await context.request.get(`${site.origin}/api/user/export`);
    return (await answer.json()).wishes[0]?.fulfilled_at;
  };
  await expect.poll(ended).toEqual(expect.any(String));
  const shows = (path: string, name: string) =>
    expect
      .poll(async () => {
        await page.goto(site.origin + path);
        return heading(page, name).count();
      })
      .toBe(1);
  await shows("/", "Here, as you wished");
  const [source] = JSON.parse(runTool(site, "sources", ["list", "1", "--json"])) as { id: string }[];
  runTool(site, "sources", ["remove", source?.id ?? ""]);
  await shows("/wishes", "Gone again");
  await staff.page.goto(`${site.origin}/admin/wishes`);
  await staff.page.getByText("There are no open wishes.").waitFor();
  await button(page, "Wish again Cowboy Bebop").click();
  await page.getByText("Your wish is made.").waitFor();
  await button(page, "Take back Cowboy Bebop").click();
  await heading(page, "Gone again").waitFor({ state: "detached" });
  for (const one of [context, staff.context]) await one.close();
});

test("axe finds nothing serious in any state of a wish, in both themes", async () => {
  const { context, page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  await context.request.post(`${site.origin}/api/auth/signin`, { data: { email, password: "Abcdef1!" } });
  await context.request.post(`${site.origin}/api/saveUserPreferences`, { data: { theme: "system" } });
  const check = async (path: string, shown: string) => {
    await page.goto(site.origin + path);
    await page.getByText(shown).first().waitFor();
    expect([path, await findingsOfBothThemes(page)]).toEqual([path, []]);
  };
  await check("/wishes", "You have no open wishes");
  await check("/admin/wishes", "There are no open wishes.");
  await check(other, "Wish for this title");
  await button(page, "Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();
  expect(await findingsOfBothThemes(page)).toEqual([]);
  // The episode's page shows the answer too, and does not reload it for the player's reports.
  await check("/watch/5/1", "You wished for this title.");
  await button(page, "Take the wish back").click();
  await button(page, "Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();
  await check("/wishes?notice=made", "Your wish is made.");
  await check("/admin/wishes", "Cowboy Bebop");
  await page.goto(`${site.origin}/wishes`);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByText("Your wish is taken back.").waitFor();
  await context.close();
});
