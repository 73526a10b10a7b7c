import type { Inspection, SubtitleTrack } from "#app/media/film/inspection.ts";
import { roleOfLabel, type SubtitleTraits, subtitleLabel } from "#app/media/subtitles/subtitle-names.ts";
import type { SubtitleForm } from "#app/media/subtitles/subtitle-text.ts";

/** The subtitles inside a film, as viewers choose among them. */

export const subtitleName = (number: number) => `s${number}`;
export const subtitleFileName = (number: number, form: SubtitleForm) => `${subtitleName(number)}.${form}`;

export type ListedSubtitle = SubtitleTraits & {
  number: number;
  language: string | null;
  label: string;
  /** Null: pictures, or text that cannot be read. */
  script: SubtitleTrack["script"];
  codecLabel: string;
};

/** The film's own choice comes first among those of a language. */
export function listSubtitlesOf({ subtitles }: Pick<Inspection, "subtitles">): ListedSubtitle[] {
  const ordered = [...subtitles].sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const listed = ordered.map((track): ListedSubtitle => {
    const { number, language, script, codecLabel } = track;
    const traits = { role: roleOf(track, subtitles), isForDeaf: isForDeaf(track) };
    return { number, language, ...traits, label: subtitleLabel({ language, ...traits }), script, codecLabel };
  });
  return listed.map((one, index) => {
    const isAlone = listed.every((other) => other === one || other.label !== one.label);
    const title = ordered[index]?.title ?? `track ${one.number}`;
    return isAlone ? one : { ...one, label: `${one.label}: ${title}` };
  });
}

const isForDeaf = ({ isForHearingImpaired, title }: SubtitleTrack) =>
  isForHearingImpaired || roleOfLabel(title).isForDeaf;

/** A track of signs has at most this share of the lines of the dialogue, in which signs are mostly translated too. */
const maxSignsShare = 0.5;

/** The flags and the title count more than the number of lines. */
function roleOf(track: SubtitleTrack, all: readonly SubtitleTrack[]): SubtitleTraits["role"] {
  const { role } = roleOfLabel(track.title);
  if (track.isCommentary || role === "commentary") return "commentary";
  if (track.isForced) return "signs";
  if (role !== null) return role;
  const beside = all.filter((one) => one.language === track.language && one !== track && !one.isForced);
  const most = Math.max(0, ...beside.map(({ lines }) => lines ?? 0));
  return track.lines !== null && track.lines < maxSignsShare * most ? "signs" : "dialogue";
}
