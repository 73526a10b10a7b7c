import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { testHousehold } from "#tests/support/watching/arrow-keys.ts";

/** A household on a phone with arrow keys. tests/players has one on a television at each change. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

testHousehold({ browser, site, screen: "phone" });
