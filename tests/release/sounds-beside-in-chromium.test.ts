import { testSoundsBeside } from "#tests/support/watching/sounds-beside.ts";

/** Sound files beside a film are played in Chromium. */

await testSoundsBeside("chromium");
