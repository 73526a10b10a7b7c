import { expect, test } from "vitest";
import { findingsOfBothThemes } from "#tests/support/browser/accessibility.ts";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The pages of wishes in each state of a wish. tests/journeys/wishes.test.ts makes and fulfills wishes. */

const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ MEDIA_DIR: temporaryFolder("wished-films"), RATE_LIMIT_POINTS: "5000" }),
]);

test("axe finds nothing serious in any state of a wish, in both themes", async () => {
  const { context, page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  await context.request.post(`${site.origin}/api/auth/signin`, { data: { email, password: "Abcdef1!" } });
  await context.request.post(`${site.origin}/api/saveUserPreferences`, { data: { theme: "system" } });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const check = async (path: string, shown: string) => {
    await page.goto(site.origin + path);
    await page.getByText(shown).first().waitFor();
    expect([path, await findingsOfBothThemes(page)]).toEqual([path, []]);
  };
  await check("/wishes", "You have no open wishes");
  await check("/admin/wishes", "There are no open wishes.");
  await check("/anime/5", "Wish for this title");
  await button("Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();
  expect(await findingsOfBothThemes(page)).toEqual([]);
  // The episode's page shows the answer too, and does not reload it for the player's reports.
  await check("/watch/5/1", "You wished for this title.");
  await button("Take the wish back").click();
  await button("Wish for this title").click();
  await page.getByText("You wished for this title.").waitFor();
  await check("/wishes?notice=made", "Your wish is made.");
  await check("/admin/wishes", "Cowboy Bebop");
  await page.goto(`${site.origin}/wishes`);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByText("Your wish is taken back.").waitFor();
});
