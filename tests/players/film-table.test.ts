import { describe } from "vitest";
import { watchFilms } from "#tests/support/watching/watch-films.ts";

/** Twelve films of the table in Chromium and one in Firefox. tests/release plays all of them in both. */

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  watchFilms(browser, ({ isInGate }) => isInGate === browser);
});
