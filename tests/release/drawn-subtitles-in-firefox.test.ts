import { testDrawnSubtitles } from "#tests/support/watching/drawn-subtitles.ts";

await testDrawnSubtitles("firefox");
