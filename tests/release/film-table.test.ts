import { describe } from "vitest";
import { watchFilms } from "#tests/support/watching/watch-films.ts";

/** Every film of the table. tests/players plays some of them at each change. */

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  watchFilms(browser, () => true);
});
