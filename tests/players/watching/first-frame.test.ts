import { testFirstFrame } from "#tests/support/watching/first-frame.ts";

/** Before the first frame of a film, Chromium loads only what that frame needs. tests/release has more. */

await testFirstFrame("chromium", { isWhole: false });
