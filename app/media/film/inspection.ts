/** What a film holds, as it was read from the file. */

type Track = {
  /** Its number in the file. */
  number: number;
  /** RFC 6381, for the codecs that have such a name in MP4. */
  codec: string | null;
  /** What people call it: "H.264", "AC-3". */
  codecLabel: string;
  /** BCP 47. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  isForced: boolean;
  isForHearingImpaired: boolean;
  isForVisualImpaired: boolean;
  isCommentary: boolean;
  isOriginal: boolean;
};

export type VideoTrack = Track & {
  widthPx: number;
  heightPx: number;
  bitDepth: number | null;
  /** Chromium then shows nothing after a seek: it waits for an IDR picture, while others also begin at a recovery point. */
  hasOpenGroups: boolean;
};
export type AudioTrack = Track & {
  channels: number;
  /** Null: not looked up. */
  span: Span | null;
  /** It is not in the film but in one of its `soundFiles`, where it has this number. */
  beside?: { file: number; track: number };
};
/** When the first and the last packet of a track begin, in seconds. */
export type Span = { first: number; last: number };
export type SubtitleTrack = Track & {
  /** The format that its text is written in; null: pictures, or text that cannot be read. */
  script: SubtitleScript | null;
  /** How many lines the index names; null: none. */
  lines: number | null;
};
/** `ass` also names SSA, whose scripts differ only in their styles. */
export type SubtitleScript = "ass" | "srt" | "vtt";

/** In seconds. */
export type Chapter = { title: string | null; start: number; end: number };
/** A file inside the film. `at` and `size` are in bytes. */
export type AttachedFont = { name: string; type: string; at: number; size: number };

/** A file of sound beside the film. */
export type SoundFile = {
  /** Relative to MEDIA_DIR. */
  path: string;
  size: number;
  modifiedMs: number;
  format: "matroska" | "mp4";
  durationSeconds: number;
  keyFrames: KeyFrame[];
};

export type Inspection = {
  format: typeof inspectionFormat;
  container: "matroska" | "webm" | "mp4" | "mpegts" | "other";
  durationSeconds: number | null;
  video: VideoTrack[];
  audio: AudioTrack[];
  subtitles: SubtitleTrack[];
  chapters: Chapter[];
  fonts: AttachedFont[];
  soundFiles: SoundFile[];
  /** Why the film cannot be packaged although its codecs can. */
  obstacle: "compressed" | "encrypted" | "ordered" | "no-index" | null;
};

/** Films that were read before a change of this number are read again. */
export const inspectionFormat = 5;

/**
 * Where decoding can begin: the time in seconds, and where the cluster of that frame begins in the file (0 in MP4, whose
 * index has the place).
 */
export type KeyFrame = { seconds: number; at: number };

export const numberInFile = ({ number, beside }: AudioTrack): number => beside?.track ?? number;
