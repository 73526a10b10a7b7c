import { testFirstFrame } from "#tests/support/watching/first-frame.ts";

/** What Chromium loads before the first frame of a film. */

await testFirstFrame("chromium");
