import type { Page } from "playwright";
import { expect, test } from "vitest";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { actBeforeScripts, film, hydrated } from "#tests/support/browser/pages.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Somebody chooses before the scripts of a page have loaded, and nothing of it is lost. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visit = createVisits(browser, site);

/** Makes the choices on a page whose scripts have not loaded, as a visitor whose time zone is known. */
async function chooseEarly(path: string, choose: (page: Page) => Promise<unknown>) {
  const page = await visit("/about/data", { timezoneId: "Europe/Berlin" });
  await hydrated(page);
  await knowsTimeZone(page);
  await actBeforeScripts(page, site.origin + path, () => choose(page));
  return page;
}

async function visitorCookie(page: Page) {
  const cookies = await page.context().cookies();
  return new URLSearchParams(cookies.find(({ name }) => name === "visitor")?.value);
}

const search = (page: Page) => [...new URL(page.url()).searchParams].map((pair) => pair.join("="));

test("filters and the order of the titles", async () => {
  const page = await chooseEarly("/browse", async (early) => {
    await early.getByRole("checkbox", { name: "Movie", exact: true }).check();
    await early.getByLabel("Sort by").selectOption("score");
  });
  await expect.poll(() => search(page)).toEqual(expect.arrayContaining(["type=movie", "sort=score"]));
});

test("the season and its year", async () => {
  const page = await chooseEarly("/seasons/2024/winter", async (early) => {
    await early.locator("select[name=season]").selectOption("fall");
    await early.getByLabel("Year").selectOption("2023");
  });
  await expect.poll(() => new URL(page.url()).pathname).toBe("/seasons/2023/fall");
});

test("the time zone of the schedule", async () => {
  const page = await chooseEarly("/schedule", (early) =>
    early.getByLabel("Time zone").selectOption("Asia/Tokyo"),
  );
  await expect.poll(async () => (await visitorCookie(page)).get("tz")).toBe("Asia/Tokyo");
});

test("how an operator corrects the franchise of a title", async () => {
  const { page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  const choice = page.getByLabel("What is right");
  await actBeforeScripts(page, `${site.origin}/admin/title?id=${film}`, () => choice.selectOption("joined"));
  await hydrated(page);
  expect(await choice.inputValue()).toBe("joined");
});

test("both choices of the footer", async () => {
  const page = await chooseEarly("/about/data", async (early) => {
    await early.getByLabel("Titles in").selectOption("japanese");
    await early.getByLabel("Theme").selectOption("light");
  });
  const chosen = async () => {
    const cookie = await visitorCookie(page);
    return [cookie.get("titles"), cookie.get("theme")];
  };
  await expect.poll(chosen).toEqual(["japanese", "light"]);
});

test("a filter, and then a choice of the footer", async () => {
  const page = await chooseEarly("/browse", async (early) => {
    await early.getByRole("checkbox", { name: "Movie", exact: true }).check();
    await early.getByLabel("Theme").selectOption("light");
  });
  await expect.poll(async () => (await visitorCookie(page)).get("theme")).toBe("light");
  await expect.poll(() => search(page)).toEqual(["type=movie"]);
  expect(await page.getByRole("checkbox", { name: "Movie", exact: true }).isChecked()).toBe(true);
});

test("a theme chosen while the browser's time zone is being sent, which is then sent again", async () => {
  const page = await visit("/about/privacy");
  await knowsTimeZone(page);
  await page.context().clearCookies();
  let sent = 0;
  await page.route("**/visitor*", async (route) => {
    const isZone = route.request().postData()?.includes("browserTimeZone") === true;
    if (isZone) sent += 1;
    // The first one gets no answer.
    if (!isZone || sent > 1) await route.continue();
  });
  await page.goto(`${site.origin}/about/data`);
  await expect.poll(() => sent).toBe(1);
  await page.getByLabel("Theme").selectOption("light");
  await knowsTimeZone(page);
  expect((await visitorCookie(page)).get("theme")).toBe("light");
});
