import { expect, test } from "vitest";
import { soundNamesOf, withSoundFiles } from "#app/domain/films/reading/listed-sounds.ts";
import type { AudioTrack, Inspection } from "#app/media/film/inspection.ts";
import { inspectionOf, noFlags } from "#tests/support/data/inspected-films.ts";

const sound = (number: number, language: string | null): AudioTrack => ({
  number,
  codec: "opus",
  codecLabel: "Opus",
  language,
  title: null,
  ...noFlags,
  isDefault: true,
  channels: 2,
  span: { first: 0, last: 65 },
});
const holding = (...audio: AudioTrack[]) => inspectionOf({ video: [], audio });
const file = (path: string, inspection: Inspection | null) => ({
  path,
  size: 10,
  modifiedMs: 20,
  inspection,
  keyFrames: [0, 2, 4, 5, 9, 11].map((seconds) => ({ seconds, at: 100 * seconds })),
});

test("a sound file belongs to the film whose name it begins with, followed by a language", () => {
  const names = ["01.mka", "01.ja.mka", "01.eng.m4a", "010.mka", "02.mka", "01b.mka"];
  expect(soundNamesOf("01.mkv", names)).toEqual(["01.mka", "01.ja.mka", "01.eng.m4a"]);
  expect(soundNamesOf("[A] Show - 01v2 (1080p).mkv", ["[A] Show - 01v2 (1080p).de.mka"])).toHaveLength(1);
  expect(soundNamesOf("Show.01.ITA.mkv", ["Show.01.ITA.mka", "Show.01.mka"])).toEqual(["Show.01.ITA.mka"]);
});

test("a film has at most eight sound files", () => {
  const names = Array.from({ length: 20 }, (_, index) => `01.ja.${index % 2 ? "full." : ""}mka`);
  expect(soundNamesOf("01.mkv", names)).toHaveLength(8);
});

test("the tracks of sound files follow those of the film, with their own numbers and never as the default", () => {
  const film = withSoundFiles(holding(sound(2, "ja")), [
    file("Show/01.de.mka", holding(sound(1, "en"))),
    file("Show/01.mka", null),
    file("Show/01.more.mka", holding(sound(1, "fr"), sound(2, null))),
  ]);
  expect(film.audio.map(({ number, language, isDefault }) => [number, language, isDefault])).toEqual([
    [2, "ja", true],
    [1_000_001, "de", false],
    [3_000_001, "fr", false],
    [3_000_002, null, false],
  ]);
  expect(film.audio.at(-1)?.beside).toEqual({ file: 2, track: 2 });
  expect(film.soundFiles.map(({ path }) => path)).toEqual([
    "Show/01.de.mka",
    "Show/01.mka",
    "Show/01.more.mka",
  ]);
});

test("sound ends no later than the film, and its index keeps one entry per five seconds", () => {
  const film = withSoundFiles(holding(), [file("01.mka", holding(sound(1, "en")))]);
  expect(film.audio[0]?.span).toEqual({ first: 0, last: 60 });
  expect(film.soundFiles[0]?.keyFrames.map(({ seconds }) => seconds)).toEqual([0, 5, 11]);
});

test("a sound file that cannot be packaged has no tracks", () => {
  const encrypted: Inspection = { ...holding(sound(1, "en")), obstacle: "encrypted" };
  expect(withSoundFiles(holding(), [file("01.mka", encrypted)]).audio).toEqual([]);
});
