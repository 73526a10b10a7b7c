import { testFirstFrame } from "#tests/support/watching/first-frame.ts";

/** What Firefox loads before the first frame of a film. */

await testFirstFrame("firefox");
