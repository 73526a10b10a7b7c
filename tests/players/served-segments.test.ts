import { testServedSegments } from "#tests/support/watching/served-segments.ts";

/** Segments of four films that are served in different ways. tests/release has all films. */

await testServedSegments({ isWhole: false });
