import { testPackagedFilms } from "#tests/support/watching/packaged-films.ts";

await testPackagedFilms("firefox");
