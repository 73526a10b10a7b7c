import { testFilmsWithoutFfmpeg } from "#tests/support/watching/packaged-films.ts";

await testFilmsWithoutFfmpeg("firefox");
