import { describe, expect, test } from "vitest";
import { readSubtitleName, subtitleLabel, traitsOf } from "#app/media/subtitles/subtitle-names.ts";

describe("readSubtitleName", () => {
  test.each<[string, string, string | null, string]>([
    ["Show - 01.ass", "Show - 01", null, "dialogue"],
    ["Show - 01.en.ass", "Show - 01", "en", "dialogue"],
    ["Show - 01.eng.srt", "Show - 01", "en", "dialogue"],
    ["Show - 01.ger.srt", "Show - 01", "de", "dialogue"],
    ["Show - 01.English.srt", "Show - 01", "en", "dialogue"],
    ["Show - 01.pt-BR.vtt", "Show - 01", "pt-BR", "dialogue"],
    ["Show - 01.pt_br.vtt", "Show - 01", "pt-BR", "dialogue"],
    ["Show - 01.en.forced.ass", "Show - 01", "en", "signs"],
    ["Show - 01.forced.en.ass", "Show - 01", "en", "signs"],
    ["Show - 01.en.Signs & Songs.ass", "Show - 01", "en", "signs"],
    ["Show - 01.en.sdh.srt", "Show - 01", "en", "dialogue for the deaf"],
    ["Show - 01.en.cc.srt", "Show - 01", "en", "dialogue for the deaf"],
    ["Show - 01.hi.srt", "Show - 01", "hi", "dialogue"],
    ["Show - 01.en.hi.srt", "Show - 01", "en", "dialogue for the deaf"],
    ["Show - 01.hi.en.srt", "Show - 01", "en", "dialogue for the deaf"],
    ["Show - 01.Hindi.en.srt", "Show - 01.Hindi", "en", "dialogue"],
    ["Show - 01.en.hin.srt", "Show - 01.en", "hi", "dialogue"],
    ["Show - 01.de.en.srt", "Show - 01.de", "en", "dialogue"],
    ["Show - 01.chs.ass", "Show - 01", "zh-Hans", "dialogue"],
    ["Show - 01.sc.ass", "Show - 01", "zh-Hans", "dialogue"],
    ["Show - 01.JPTC.ass", "Show - 01", "zh-Hant", "dialogue"],
    ["Show - 01.scJP.ass", "Show - 01", "zh-Hans", "dialogue"],
    ["Show - 01.jpTC.ass", "Show - 01", "zh-Hant", "dialogue"],
    ["Show - 01.jp.srt", "Show - 01", "ja", "dialogue"],
    ["Show - 01.es-LA.ass", "Show - 01", "es-419", "dialogue"],
    ["Show - 01.ptBR.ass", "Show - 01", "pt-BR", "dialogue"],
    ["Show.01.en.ass", "Show.01", "en", "dialogue"],
    ["Show.S01E01.1080p.x264.en.ass", "Show.S01E01.1080p.x264", "en", "dialogue"],
    ["Subs/2_English.srt", "", "en", "dialogue"],
    ["Subs/3_English_SDH.srt", "", "en", "dialogue for the deaf"],
    ["Subs/English [Forced].ass", "", "en", "signs"],
    ["K.ON.ssa", "K.ON", null, "dialogue"],
    ["en.ass", "", "en", "dialogue"],
  ])("%s belongs to the film %j, language %s, %s", (path, stem, language, traits) => {
    const read = readSubtitleName(path);
    expect([read.stem, read.language]).toEqual([stem, language]);
    expect(`${read.role}${read.isForDeaf ? " for the deaf" : ""}`).toBe(traits);
  });

  test("the label names the language and what the subtitles are for", () => {
    expect(subtitleLabel(readSubtitleName("Show - 01.ja.cc.srt"))).toBe(
      "Japanese (for the deaf and hard of hearing)",
    );
    expect(subtitleLabel(readSubtitleName("Show - 01.ass"))).toBe("Unknown language");
  });

  test.each([
    ["https://a.example/x", "Signs & Songs", "signs", false],
    ["https://a.example/x", "English (forced)", "signs", false],
    ["media:Show/01.en.forced.ass", null, "signs", false],
    ["/film/1/en.vtt", "English SDH", "dialogue", true],
    ["/film/1/en.vtt", "English", "dialogue", false],
  ])("subtitles at %s with the label %s are %s, for the deaf: %s", (url, label, role, isForDeaf) =>
    expect(traitsOf({ url, label })).toEqual({ role, isForDeaf }),
  );
});
