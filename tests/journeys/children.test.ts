import { test } from "vitest";
import { childAndGrownUp } from "#tests/support/browser/children.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A household with a child, on a phone. tests/release/children-on-a-television.test.ts has the wide screen. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

test("a child watches on a phone, and a grown-up takes over using only keys", () =>
  childAndGrownUp({ browser, site, screen: "phone" }));
