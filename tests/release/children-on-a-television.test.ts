import { test } from "vitest";
import { childAndGrownUp } from "#tests/support/browser/children.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The household of tests/journeys/children.test.ts on a wide screen. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

test("a child watches on a television, and a grown-up takes over using only keys", () =>
  childAndGrownUp({ browser, site, screen: "television" }));
