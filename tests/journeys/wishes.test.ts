import type { Page } from "playwright";
import { expect, test } from "vitest";
import { signIn } from "#tests/support/browser/accounts.ts";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addOperator, addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A wish for a film, without scripts. tests/release/wishes.test.ts has axe look at its states. */

// This file has its own site: wishes need a folder of films, and the tests add and remove films and count wishes.
const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ MEDIA_DIR: temporaryFolder("wished-films"), RATE_LIMIT_POINTS: "5000" }),
]);
const bebop = "/anime/1/cowboy-bebop";
const operator = { email: "wishes-operator@example.org", password: "Abcdef1!" };
addOperator(site, operator.email, operator.password);

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function asOperator() {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signIn(context, site, operator);
  return context.newPage();
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

  await staff.goto(`${site.origin}/admin/wishes`);
  await staff.getByRole("link", { name: "Cowboy Bebop" }).click();
  await staff.waitForURL(site.origin + bebop);

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
  await staff.goto(`${site.origin}/admin/wishes`);
  await staff.getByText("There are no open wishes.").waitFor();
  await button(page, "Wish again Cowboy Bebop").click();
  await page.getByText("Your wish is made.").waitFor();
  await button(page, "Take back Cowboy Bebop").click();
  await heading(page, "Gone again").waitFor({ state: "detached" });
});
