import { describe, expect, test } from "vitest";
import type { TrackChoice } from "#app/domain/library/library.ts";
import {
  chooseTracks,
  nameOfSubtitles,
  type OfferedSubtitles,
  type SoundTrack,
} from "#app/routes/watch/player/tracks/track-choice.ts";

const sound = (key: string, more: Partial<SoundTrack> = {}): SoundTrack => ({
  key,
  language: key,
  label: key,
  role: "main",
  isDefault: false,
  ...more,
});
const subtitle = (key: string, more: Partial<OfferedSubtitles> = {}): OfferedSubtitles => {
  const language = key.split(" ")[0] ?? "";
  const [role, isForDeaf] = [key.includes("signs") ? "signs" : "dialogue", key.includes("deaf")] as const;
  return { key, language, label: key, role, isForDeaf, ...more };
};

const dual = [sound("en", { isDefault: true }), sound("ja")];
const japanese = [sound("ja")];
const usual = ["en", "en signs", "en deaf", "de", "de signs"].map((key) => subtitle(key));
const original = { soundLanguage: "original", subtitleLanguages: ["en"] };
const english = { soundLanguage: "en", subtitleLanguages: ["en"] };

type Row = {
  what: string;
  sounds?: SoundTrack[];
  subtitles?: OfferedSubtitles[];
  settings?: { soundLanguage: string; subtitleLanguages: string[] };
  earlier?: Partial<TrackChoice>;
  gets: [string | null, string | null];
};

const tables: Record<string, Row[]> = {
  "without an earlier choice": [
    { what: "the original sound brings the dialogue", gets: ["ja", "en"] },
    {
      what: "a commentary is not taken for dialogue",
      subtitles: [subtitle("en", { role: "commentary" })],
      gets: ["ja", null],
    },
    { what: "a dub brings the signs", settings: english, gets: ["en", "en signs"] },
    {
      what: "a dub without signs brings nothing",
      settings: english,
      subtitles: [subtitle("en"), subtitle("de")],
      gets: ["en", null],
    },
    {
      what: "a dub that the member does not understand brings the dialogue",
      settings: { soundLanguage: "en", subtitleLanguages: ["de"] },
      gets: ["en", "de"],
    },
    {
      what: "a wanted dub that is missing gives the original",
      settings: english,
      sounds: japanese,
      gets: ["ja", "en"],
    },
    {
      what: "one sound without a language brings the dialogue",
      sounds: [sound("0", { language: null })],
      gets: ["0", "en"],
    },
    { what: "no sound tracks are known", sounds: [], gets: [null, "en"] },
    {
      what: "the second language counts where the first is missing",
      settings: { ...original, subtitleLanguages: ["fr", "de", "en"] },
      gets: ["ja", "de"],
    },
    {
      what: "no language, no subtitles",
      settings: { ...original, subtitleLanguages: [] },
      gets: ["ja", null],
    },
    { what: "only signs are no dialogue", subtitles: [subtitle("en signs")], gets: ["ja", null] },
    { what: "subtitles for the deaf are never chosen", subtitles: [subtitle("en deaf")], gets: ["ja", null] },
    {
      what: "commentary and audio description are never chosen",
      sounds: [
        sound("ja", { role: "commentary" }),
        sound("x", { language: "ja", role: "description" }),
        sound("en"),
      ],
      gets: ["en", "en signs"],
    },
    {
      what: "another form of the language counts",
      subtitles: [subtitle("pt-BR"), subtitle("en-GB")],
      gets: ["ja", "en-GB"],
    },
    {
      what: "the exact form is better",
      settings: { ...original, subtitleLanguages: ["pt-BR"] },
      subtitles: [subtitle("pt"), subtitle("pt-BR")],
      gets: ["ja", "pt-BR"],
    },
    { what: "a donghua is Chinese", sounds: [sound("en"), sound("zh")], gets: ["zh", "en"] },
  ],
  "with an earlier choice": [
    { what: "the sound stays and brings its signs", earlier: { sound: "en" }, gets: ["en", "en signs"] },
    { what: "off stays off", earlier: { subtitles: "off" }, gets: ["ja", null] },
    { what: "a language stays", earlier: { subtitles: "de" }, gets: ["ja", "de"] },
    { what: "signs stay", earlier: { subtitles: "de signs" }, gets: ["ja", "de signs"] },
    { what: "subtitles for the deaf stay", earlier: { subtitles: "en deaf" }, gets: ["ja", "en deaf"] },
    {
      what: "a language that this episode lacks gives the settings",
      earlier: { subtitles: "fr" },
      gets: ["ja", "en"],
    },
    {
      what: "a sound that this episode lacks gives the settings",
      earlier: { sound: "fr" },
      gets: ["ja", "en"],
    },
    {
      what: "a commentary stays",
      sounds: [sound("ja"), sound("en", { role: "commentary" })],
      earlier: { sound: "en", subtitles: "off" },
      gets: ["en", null],
    },
  ],
};

describe.each(Object.entries(tables))("%s", (_, rows) => {
  test.each(rows)("$what", ({ sounds = dual, subtitles = usual, settings = original, earlier, gets }) => {
    const choice = { sound: null, subtitles: null, ...earlier };
    const chosen = chooseTracks({ sounds, subtitles }, settings, choice);
    expect([chosen.sound, chosen.subtitles]).toEqual(gets);
  });
});

test("every track is found again by its stored name", () => {
  for (const track of usual) {
    const earlier = { sound: null, subtitles: nameOfSubtitles(track) };
    expect(chooseTracks({ sounds: dual, subtitles: usual }, original, earlier).subtitles).toBe(track.key);
  }
});
