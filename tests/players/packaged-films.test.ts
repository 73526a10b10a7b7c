import { testPackagedFilms } from "#tests/support/watching/packaged-films.ts";

/**
 * Common kinds of films play in Chromium. Each release plays them in Firefox too; in the gate, Firefox plays only the
 * demonstration.
 */

await testPackagedFilms("chromium");
