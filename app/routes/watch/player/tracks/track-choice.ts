import type { TrackChoice } from "#app/domain/library/library.ts";
import type { SubtitleRole } from "#app/domain/playback/playback.ts";

/**
 * Decides which sound and which subtitles an episode starts with. The viewer's earlier choice for the title comes
 * first, then their settings.
 */

export type SoundTrack = {
  key: string;
  /** BCP 47; null if the film does not say it. */
  language: string | null;
  label: string;
  role: "main" | "commentary" | "description";
  /** Whether the film marks the track as its default. */
  isDefault: boolean;
};
export type OfferedSubtitles = {
  key: string;
  language: string;
  label: string;
  /** `signs` translate text in the picture, for viewers who understand the sound. */
  role: SubtitleRole;
  isForDeaf: boolean;
};

export type TrackSettings = {
  /** `original` or a language. */
  soundLanguage: string;
  /** In order of preference; empty for no subtitles. */
  subtitleLanguages: readonly string[];
};
/**
 * A viewer's choice for a title; null before the first choice. Subtitles are `off`, `en`, `en signs`, `en commentary`
 * or `en deaf`.
 */

export const noChoice: TrackChoice = { sound: null, subtitles: null };
export const subtitlesOff = "off";

/** The sound languages that count as "original": those of films from Japan, China and Korea. */
const originalLanguages = ["ja", "zh", "ko"];

const primaryOf = (language: string) => language.toLowerCase().split("-")[0];

/** The track in exactly the wanted language, else one in another form of it (`pt` for `pt-BR`). */
const inLanguage = <Track extends { language: string | null }>(tracks: readonly Track[], wanted: string) =>
  tracks.find(({ language }) => language?.toLowerCase() === wanted.toLowerCase()) ??
  tracks.find(({ language }) => language !== null && primaryOf(language) === primaryOf(wanted));

function chooseSound(all: readonly SoundTrack[], wanted: string): SoundTrack | undefined {
  const main = all.filter(({ role }) => role === "main");
  const original =
    originalLanguages.map((language) => inLanguage(main, language)).find(Boolean) ??
    main.find(({ isDefault }) => isDefault) ??
    main[0];
  return wanted === "original" ? original : (inLanguage(main, wanted) ?? original);
}

const isDub = (sound: SoundTrack | undefined) =>
  sound?.language != null && !originalLanguages.includes(primaryOf(sound.language) ?? "");

export const nameOfSubtitles = ({ language, role, isForDeaf }: OfferedSubtitles) =>
  [language, role !== "dialogue" && role, isForDeaf && "deaf"].filter(Boolean).join(" ");

const isRole = (trait: string) => trait !== "deaf";

function findNamed(all: readonly OfferedSubtitles[], name: string): OfferedSubtitles | undefined {
  const [wanted = "", ...traits] = name.split(" ");
  const alike = all.filter(
    ({ role, isForDeaf }) =>
      (role === "dialogue" ? !traits.some(isRole) : traits.includes(role)) &&
      isForDeaf === traits.includes("deaf"),
  );
  return inLanguage(alike, wanted);
}

function findSubtitles(all: readonly OfferedSubtitles[], languages: readonly string[], sound?: SoundTrack) {
  // Subtitles for the deaf also describe sounds, so only viewers who chose them get them.
  const usual = all.filter(({ isForDeaf }) => !isForDeaf);
  const soundLanguage = sound?.language;
  const understands =
    soundLanguage != null && languages.some((wanted) => primaryOf(wanted) === primaryOf(soundLanguage));
  const signs = usual.filter(({ role }) => role === "signs");
  if (isDub(sound) && understands) return inLanguage(signs, soundLanguage);
  const dialogue = usual.filter(({ role }) => role === "dialogue");
  return languages.map((language) => inLanguage(dialogue, language)).find(Boolean);
}

/** The keys of the chosen tracks. A null sound is the film's default; null subtitles are none. */
export function chooseTracks(
  { sounds, subtitles }: { sounds: readonly SoundTrack[]; subtitles: readonly OfferedSubtitles[] },
  settings: TrackSettings,
  earlier: TrackChoice = noChoice,
): { sound: string | null; subtitles: string | null } {
  const chosen = earlier.sound === null ? undefined : inLanguage(sounds, earlier.sound);
  const sound = chosen ?? chooseSound(sounds, settings.soundLanguage);
  const earlierSubtitles = earlier.subtitles === null ? undefined : findNamed(subtitles, earlier.subtitles);
  const isOff = earlier.subtitles === subtitlesOff;
  const chosenSubtitles = isOff
    ? undefined
    : (earlierSubtitles ?? findSubtitles(subtitles, settings.subtitleLanguages, sound));
  return { sound: sound?.key ?? null, subtitles: chosenSubtitles?.key ?? null };
}
