import { testFilmsWithoutFfmpeg } from "#tests/support/watching/packaged-films.ts";

/** Without a converter, films play in Chromium or are refused with a message. */

await testFilmsWithoutFfmpeg("chromium");
