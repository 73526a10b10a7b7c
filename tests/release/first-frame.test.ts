import { describe } from "vitest";
import { testFirstFrame } from "#tests/support/watching/first-frame.ts";

/** Before the first frame of a film, browsers load only what that frame needs. */

describe.each(["chromium", "firefox"] as const)("in %s", (browser) =>
  testFirstFrame(browser, { isWhole: true }),
);
