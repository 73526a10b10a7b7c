import { testBitmapSubtitles } from "#tests/support/watching/bitmap-subtitles.ts";

/** Subtitles that are pictures are drawn in Chromium. */

await testBitmapSubtitles("chromium");
