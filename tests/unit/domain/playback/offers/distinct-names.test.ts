import { expect, test } from "vitest";
import { withDistinctLabels } from "#app/domain/playback/offers/distinct-names.ts";

test("subtitles with the same label get different ones, whether they are texts or pictures", () => {
  const traits = { language: "en", role: "dialogue" as const, isForDeaf: false };
  const text = (label: string | null) => ({ ...traits, url: "/captions/1.vtt", label, drawn: null });
  const picture = { ...traits, url: "/captions/2.sup", label: "English" };
  const { subtitles, bitmaps } = withDistinctLabels({
    subtitles: [text("English"), text("English"), text(null)],
    bitmaps: [picture],
  });
  expect([...subtitles, ...bitmaps].map(({ label }) => label)).toEqual([
    "English",
    "English (2)",
    "en",
    "English (4)",
  ]);
});
