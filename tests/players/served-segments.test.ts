import { testServedSegments } from "#tests/support/watching/served-segments.ts";

/** Segments of the films that are served in different ways. tests/release has more films. */

await testServedSegments({ isWhole: false });
