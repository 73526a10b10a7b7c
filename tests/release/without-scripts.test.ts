import { test } from "vitest";
import { discoveryJourneys } from "#tests/support/browser/discovery-journeys.ts";
import { addCountAndScore, addOnHomeAndUndo, removeAndUndo } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { createVisits } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/**
 * The journeys of discovery.test.ts and my-list.test.ts beside it, in a browser without scripts. In the gate,
 * tests/journeys/without-javascript.test.ts and the walks have no scripts.
 */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visit = createVisits(browser, site);
const member = { browser, site, script: false };

for (const { name, run } of discoveryJourneys)
  test(name, () => run({ visit, origin: site.origin, script: false }));

test("a member adds a title, counts an episode and scores it on the title page", () =>
  addCountAndScore(member));

test("Remove, then Undo on a title page restores every field and date of the entry", () =>
  removeAndUndo(member));

test("Add to list on home says what it saved and offers to undo it", () => addOnHomeAndUndo(member));
