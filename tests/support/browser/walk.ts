import type { BrowserContext, BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { signIn } from "#tests/support/browser/accounts.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { faultsOfPage, faultsOfTabStops, faultsWithoutScripts } from "#tests/support/browser/page-faults.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { maxMemberScriptBytes, noteScripts } from "#tests/support/checks/script-bytes.ts";
import { operatorPages, type PageState, visitorPages } from "#tests/support/page-states.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

type Walk = {
  pages: readonly PageState[];
  /** Signs the walking user in to the context and sets the theme "system", which follows the device. */
  enter(context: BrowserContext): Promise<unknown>;
  /** If true, each visit presses Tab until the focus leaves the page. */
  hasTabStops: boolean;
  /** The limit for the scripts of each page except those with the player. */
  maxScriptBytes?: number;
  /** If false, only the first state of each page is opened, and in fewer windows. */
  isWhole: boolean;
};

/** Opens each page once for both themes and once without scripts, and checks what must be right everywhere. */
async function walk({ pages: states, enter, hasTabStops, maxScriptBytes, isWhole }: Walk) {
  const [browser, site] = [await openBrowser({ isOwnClient: true }), sharedSite()];
  const pages = isWhole
    ? states
    : states.filter(({ page }, at) => states.findIndex((state) => state.page === page) === at);

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // During an animation, axe would measure intermediate colors, and the test intermediate positions.
      reducedMotion: "reduce",
      colorScheme: "dark",
      ...options,
    });
    await enter(context);
    return context.newPage();
  }

  describe("with scripts", () => {
    let page: Page;
    let trouble: string[];
    let scripts: ReturnType<typeof noteScripts>;
    beforeAll(async () => {
      page = await open();
      trouble = watchForTrouble(page, site.origin);
      scripts = noteScripts(page);
      return () => page.context().close();
    });

    test.each(pages)(
      "$path is accessible in both themes, fits every window and reports no error",
      async ({ path, status = 200 }) => {
        scripts.clear();
        const answer = await page.goto(site.origin + path);
        expect(answer?.status()).toBe(status);
        await hydrated(page);
        const faults = await faultsOfPage(page, { isWhole });
        if (maxScriptBytes !== undefined && !path.startsWith("/watch/")) {
          const bytes = await scripts.bytes();
          if (bytes > maxScriptBytes) faults.push(`it loads ${bytes} bytes of script`);
        }
        if (hasTabStops) faults.push(...(await faultsOfTabStops(page)));
        expect([...faults, ...trouble.splice(0)]).toEqual([]);
      },
    );
  });

  describe("without scripts", () => {
    let page: Page;
    beforeAll(async () => {
      page = await open({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
      return () => page.context().close();
    });

    test.each(pages)("$path has its heading and fits", async ({ path }) => {
      await page.goto(site.origin + path);
      expect(await faultsWithoutScripts(page)).toEqual([]);
    });
  });
}

/** A visitor opens every page. */
export const walkAsVisitor = ({ isWhole }: Pick<Walk, "isWhole">) =>
  walk({
    pages: visitorPages,
    isWhole,
    hasTabStops: false,
    // Without the cookie, pages come from memory.
    enter: async (context) => {
      await context.addCookies([{ name: "visitor", value: "theme=system", url: sharedSite().origin }]);
    },
  });

/** An operator opens every page of members and operators. */
export async function walkAsOperator({ isWhole }: Pick<Walk, "isWhole">) {
  const site = sharedSite();
  const operator = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
  runTool(site, "user", ["operator", operator.email]);
  // The page of users that the walk opens begins after "x", so accounts of other files do not make it longer.
  runTool(site, "user", ["create", "yuzu@example.org", "--name", "Yuzu"]);

  await walk({
    pages: operatorPages,
    isWhole,
    hasTabStops: true,
    maxScriptBytes: maxMemberScriptBytes,
    enter: async (context) => {
      await signIn(context, site, operator);
      const saved = await context.request.post(`${site.origin}/api/saveUserPreferences`, {
        data: { theme: "system" },
      });
      expect(saved.status()).toBe(200);
    },
  });
}
