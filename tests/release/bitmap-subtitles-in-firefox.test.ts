import { testBitmapSubtitles } from "#tests/support/watching/bitmap-subtitles.ts";

await testBitmapSubtitles("firefox");
