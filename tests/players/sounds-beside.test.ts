import { testSoundsBeside } from "#tests/support/watching/sounds-beside.ts";

/** Sound in files beside a film is heard in Chromium. */

await testSoundsBeside("chromium");
