import { testServedSegments } from "#tests/support/watching/served-segments.ts";

/** Segments of every film in Matroska. tests/players has four of them at each change. */

await testServedSegments({ isWhole: true });
