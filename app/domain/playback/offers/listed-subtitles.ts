import type { Inspection, SubtitleTrack } from "#app/media/film/inspection.ts";
import { roleOfLabel, type SubtitleTraits, subtitleLabel } from "#app/media/subtitles/subtitle-names.ts";
import type { SubtitleForm } from "#app/media/subtitles/subtitle-text.ts";
import { distinctNames } from "./distinct-names.ts";

/** Lists the subtitles inside a film, with the labels that viewers choose from. */

export const subtitleName = (number: number) => `s${number}`;
/** `sup`: pictures. */
export type FilmSubtitleForm = SubtitleForm | "sup";
const filmSubtitleForms: readonly FilmSubtitleForm[] = ["vtt", "ass", "sup"];
export const isFilmSubtitleForm = (extension: string | undefined): extension is FilmSubtitleForm =>
  filmSubtitleForms.some((form) => form === extension);
export const subtitleFileName = (number: number, form: FilmSubtitleForm) => `${subtitleName(number)}.${form}`;

export type ListedSubtitle = SubtitleTraits & {
  number: number;
  language: string | null;
  label: string;
  /** Null: the subtitles are pictures, or text that the site does not read. */
  script: SubtitleTrack["script"];
  bitmaps: SubtitleTrack["bitmaps"];
  codecLabel: string;
};

/** Tracks that the film marks as default come first. */
export function listSubtitlesOf({ subtitles }: Pick<Inspection, "subtitles">): ListedSubtitle[] {
  const ordered = [...subtitles].sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const listed = ordered.map((track): ListedSubtitle => {
    const { number, language, script, bitmaps, codecLabel } = track;
    const traits = { role: roleOf(track, subtitles), isForDeaf: isForDeaf(track) };
    return {
      number,
      language,
      ...traits,
      label: subtitleLabel({ language, ...traits }),
      script,
      bitmaps,
      codecLabel,
    };
  });
  const labels = listed.map(({ label, number }, index) => {
    const isAlone = listed.every((other, at) => at === index || other.label !== label);
    return isAlone ? label : `${label}: ${ordered[index]?.title ?? `track ${number}`}`;
  });
  const names = distinctNames(labels);
  return listed.map((one, index) => ({ ...one, label: names[index] ?? one.label }));
}

const isForDeaf = ({ isForHearingImpaired, title }: SubtitleTrack) =>
  isForHearingImpaired || roleOfLabel(title).isForDeaf;

/** A track with less than this share of the dialogue's lines counts as signs. Dialogue tracks mostly translate signs too. */
const maxSignsShare = 0.5;

/** The track's flags and title take precedence over its number of lines. */
function roleOf(track: SubtitleTrack, all: readonly SubtitleTrack[]): SubtitleTraits["role"] {
  const { role } = roleOfLabel(track.title);
  if (track.isForVisualImpaired) return "descriptions";
  if (track.isCommentary || role === "commentary") return "commentary";
  if (track.isForced) return "signs";
  if (role !== null) return role;
  const beside = all.filter((one) => one.language === track.language && one !== track && !one.isForced);
  const most = Math.max(0, ...beside.map(({ lines }) => lines ?? 0));
  return track.lines !== null && track.lines < maxSignsShare * most ? "signs" : "dialogue";
}
