import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { chooseSciFiOf1998, findBySuggestion } from "#tests/support/browser/discovery.ts";
import { discoveryJourneys } from "#tests/support/browser/discovery-journeys.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { createVisits } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A visitor finds titles by name, filter and schedule, also on another machine. */

// This site can be reached by other machines and indexed by search engines.
const [browser, open] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ HOST: "0.0.0.0", INDEXING: "1" }),
]);
const site = sharedSite();
const visit = createVisits(browser, site);

for (const { name, run } of discoveryJourneys)
  test(name, () => run({ visit, origin: site.origin, script: true }));

const networkAddresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const lanIp = networkAddresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.runIf(lanIp !== undefined)(
  "suggestions and filters work at another IP address of this machine, over plain HTTP",
  async () => {
    const origin = `http://${lanIp}:${new URL(open.origin).port}`;
    const page = await createVisits(browser, { origin })("/");
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await findBySuggestion(page);
    await page.goto(`${origin}/browse`);
    await hydrated(page);
    await chooseSciFiOf1998(page, true);
  },
);

test("with INDEXING=1, robots.txt, the sitemap and the pages allow indexing", async () => {
  const robots = await (await fetch(`${open.origin}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${open.origin}/sitemap.xml`);
  expect(robots).not.toMatch(/^Disallow: \/$/m);
  expect(robots).toMatch(/^Disallow: \/v4\/$/m);
  const sitemap = await (await fetch(`${open.origin}/sitemap.xml`)).text();
  expect(sitemap).toContain(`<loc>${open.origin}/anime/1/cowboy-bebop</loc>`);
  expect(sitemap).toContain(`<loc>${open.origin}/seasons/1998/spring</loc>`);
  expect(await (await fetch(open.origin)).text()).not.toContain('content="noindex"');
});
