import { testDemonstration } from "#tests/support/watching/demonstration.ts";

/** The Matroska film that comes with the site plays in Chromium. tests/release has Firefox. */

await testDemonstration("chromium");
