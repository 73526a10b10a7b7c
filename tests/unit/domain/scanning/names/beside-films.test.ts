import { expect, test } from "vitest";
import { filmsBySubtitles } from "#app/domain/scanning/names/beside-films.ts";

test.each<[string, string[], string | undefined]>([
  ["Show/Show - 01.en.ass", ["Show/Show - 01.mkv", "Show/Show - 02.mkv"], "Show/Show - 01.mkv"],
  ["Show/Subs/Show - 01.en.ass", ["Show/Show - 01.mkv"], "Show/Show - 01.mkv"],
  ["Show/Subs/Show - 01/2_English.srt", ["Show/Show - 01.mkv", "Show/Show - 02.mkv"], "Show/Show - 01.mkv"],
  ["Film/Subs/2_English.srt", ["Film/Film.mkv"], "Film/Film.mkv"],
  ["Show/Subs/2_English.srt", ["Show/Show - 01.mkv", "Show/Show - 02.mkv"], undefined],
  ["Show - 010.ass", ["Show - 01.mkv"], undefined],
  ["Other/Show - 01.ass", ["Show/Show - 01.mkv"], undefined],
  ["Show.01.ITA.srt", ["Show.01.ITA.mkv"], "Show.01.ITA.mkv"],
  ["Show.01.ITA.forced.srt", ["Show.01.ITA.mkv"], "Show.01.ITA.mkv"],
  ["Show.01.en.srt", ["Show.01.en.mkv", "Show.01.mkv"], "Show.01.mkv"],
  ["Show/Subs/English/Show - 01.srt", ["Show/Show - 01.mkv", "Show/Show - 02.mkv"], "Show/Show - 01.mkv"],
])("the subtitles %s beside %j belong to %s", (subtitles, films, film) => {
  expect(filmsBySubtitles([subtitles], films).get(subtitles)).toBe(film);
});
