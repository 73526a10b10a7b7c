import { testFirstFrame } from "#tests/support/watching/first-frame.ts";

/** Before the first frame of a film, Firefox loads only what that frame needs. */

await testFirstFrame("firefox");
