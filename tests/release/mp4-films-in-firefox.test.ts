import { testMp4Films } from "#tests/support/watching/mp4-films.ts";

await testMp4Films("firefox");
