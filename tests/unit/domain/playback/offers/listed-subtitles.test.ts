import { describe, expect, test } from "vitest";
import { listSubtitlesOf } from "#app/domain/playback/offers/listed-subtitles.ts";
import type { SubtitleTrack } from "#app/media/film/inspection.ts";
import { noFlags } from "#tests/support/data/inspected-films.ts";

let number = 0;
const track = (more: Partial<SubtitleTrack>): SubtitleTrack => ({
  number: ++number,
  codec: null,
  codecLabel: "ASS",
  language: "en",
  title: null,
  ...noFlags,
  script: "ass",
  bitmaps: null,
  lines: null,
  ...more,
});
const rolesOf = (...tracks: Partial<SubtitleTrack>[]) =>
  listSubtitlesOf({ subtitles: tracks.map(track) }).map(({ role }) => role);

describe("signs are distinguished from dialogue", () => {
  test("by the forced flag", () => {
    expect(rolesOf({ isForced: true, title: "Full" }, {})).toEqual(["signs", "dialogue"]);
  });

  test("by the title, whatever the number of lines", () => {
    expect(rolesOf({ title: "Signs & Songs", lines: 900 }, { title: "Full", lines: 300 })).toEqual([
      "signs",
      "dialogue",
    ]);
    expect(rolesOf({ title: "Dialogue", lines: 10 }, { title: "Honorifics", lines: 400 })).toEqual([
      "dialogue",
      "dialogue",
    ]);
  });

  test("by the number of lines, among those of one language", () => {
    expect(rolesOf({ lines: 40 }, { lines: 380 }, { language: "de", lines: 60 })).toEqual([
      "signs",
      "dialogue",
      "dialogue",
    ]);
    expect(rolesOf({ lines: 300 }, { lines: 380 })).toEqual(["dialogue", "dialogue"]);
  });
});

test("commentary is never mistaken for dialogue", () => {
  expect(rolesOf({ title: "Director's Commentary" }, { isCommentary: true })).toEqual([
    "commentary",
    "commentary",
  ]);
});

test("the film's default track comes first", () => {
  const listed = listSubtitlesOf({
    subtitles: [track({ title: "Group A" }), track({ title: "Group B", isDefault: true })],
  });
  expect(listed.map(({ label }) => label)).toEqual(["English: Group B", "English: Group A"]);
});

test("two tracks of the same language and title have different labels", () => {
  const twins = [track({ title: "Full" }), track({ title: "Full" }), track({ title: "Other" })];
  expect(listSubtitlesOf({ subtitles: twins }).map(({ label }) => label)).toEqual([
    "English: Full",
    "English: Full (2)",
    "English: Other",
  ]);
});

test("a title that mentions the deaf counts like the flag", () => {
  const [listed] = listSubtitlesOf({ subtitles: [track({ title: "English [SDH]" })] });
  expect(listed).toMatchObject({ isForDeaf: true, label: "English (for the deaf and hard of hearing)" });
});
