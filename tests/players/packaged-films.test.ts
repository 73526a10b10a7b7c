import { testPackagedFilms } from "#tests/support/watching/packaged-films.ts";

/** Films as people have them play in Chromium. Each release plays them in Firefox too; in the gate, only the demonstration plays there. */

await testPackagedFilms("chromium");
