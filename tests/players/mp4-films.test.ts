import { testMp4Films } from "#tests/support/watching/mp4-films.ts";

/** MP4 films play in Chromium. */

await testMp4Films("chromium");
