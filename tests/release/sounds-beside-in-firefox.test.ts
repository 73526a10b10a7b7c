import { testSoundsBeside } from "#tests/support/watching/sounds-beside.ts";

await testSoundsBeside("firefox");
