import { testFilmsWithoutFfmpeg } from "#tests/support/watching/packaged-films.ts";

/** Without a converter, films play in Chromium or are refused in words. */

await testFilmsWithoutFfmpeg("chromium");
