import { testDrawnSubtitles } from "#tests/support/watching/drawn-subtitles.ts";

/** Styled subtitles are drawn in Chromium. */

await testDrawnSubtitles("chromium");
