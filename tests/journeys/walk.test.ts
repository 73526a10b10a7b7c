import type { BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  faultsOfPage,
  faultsOfTabStops,
  faultsWithoutScripts,
  type Theme,
} from "#tests/support/browser/page-faults.ts";
import { hydrated, operatorPages, visitorPages, watchForTrouble } from "#tests/support/browser/pages.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Opens every page as a visitor and as an operator, in both themes and without scripts, and checks what must be right everywhere. */

const [browser, site] = [await openBrowser(), sharedSite()];
const operator = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
runTool(site, "user", ["operator", operator.email]);
// The page of users that the walk opens begins after "x", so accounts of other files do not make it longer.
runTool(site, "user", ["create", "yuzu@example.org", "--name", "Yuzu"]);

const roles = { visitor: visitorPages, operator: operatorPages };
type Role = keyof typeof roles;

async function openAs(role: Role, theme: Theme, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // With motion, axe would measure colors, and the test positions, on their way to where they end.
    reducedMotion: "reduce",
    ...options,
  });
  if (role === "operator") {
    const signedIn = await context.request.post(`${site.origin}/api/auth/signin`, { data: operator });
    expect(signedIn.status()).toBe(200);
    const data = { theme };
    const saved = await context.request.post(`${site.origin}/api/saveUserPreferences`, { data });
    expect(saved.status()).toBe(200);
  } else if (theme === "light")
    await context.addCookies([{ name: "visitor", value: `theme=${theme}`, url: site.origin }]);
  return context.newPage();
}

describe.each(
  (["visitor", "operator"] as const).flatMap((role) =>
    (["dark", "light"] as const).map((theme) => ({ role, theme })),
  ),
)("for a $role in the $theme theme", ({ role, theme }) => {
  let page: Page;
  let trouble: string[];
  beforeAll(async () => {
    page = await openAs(role, theme);
    trouble = watchForTrouble(page, site.origin);
    return () => page.context().close();
  });

  test.each(roles[role])("%s is accessible, fits every window and reports no error", async (path) => {
    await page.goto(site.origin + path);
    await hydrated(page);
    const faults = await faultsOfPage(page, theme);
    // The stops are the same in both themes.
    if (role === "operator" && theme === "dark") faults.push(...(await faultsOfTabStops(page)));
    expect([...faults, ...trouble.splice(0)]).toEqual([]);
  });
});

describe.each(["visitor", "operator"] as const)("for a %s without scripts", (role) => {
  let page: Page;
  beforeAll(async () => {
    page = await openAs(role, "dark", { javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
    return () => page.context().close();
  });

  test.each(roles[role])("%s has its heading and fits", async (path) => {
    await page.goto(site.origin + path);
    expect(await faultsWithoutScripts(page)).toEqual([]);
  });
});
