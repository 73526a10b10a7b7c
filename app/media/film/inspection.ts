import type { OtherContainer, RemuxedContainer } from "./other-containers.ts";

/** The contents of a film, as read from its file. */

type Track = {
  /** The track's number in the file. */
  number: number;
  /** The codec's name after RFC 6381; null for codecs that have no such name in MP4. */
  codec: string | null;
  /** The codec's name for people: "H.264", "AC-3". */
  codecLabel: string;
  /** A BCP 47 tag. */
  language: string | null;
  title: string | null;
  isDefault: boolean;
  isForced: boolean;
  isForHearingImpaired: boolean;
  isForVisualImpaired: boolean;
  isCommentary: boolean;
};

export type VideoTrack = Track & {
  widthPx: number;
  heightPx: number;
  /** How wide the picture is shown at its height. Only set if its pixels are not square. */
  shownWidthPx?: number;
  bitDepth: number | null;
  /**
   * With open groups of pictures, Chromium shows nothing after a seek: it waits for an IDR picture, while other
   * browsers also begin at a recovery point.
   */
  hasOpenGroups: boolean;
};
export type AudioTrack = Track & {
  channels: number;
  /** Null: the span was not looked up. */
  span: Span | null;
  /**
   * Set if the track is in one of the film's `soundFiles` instead of the film: the file's index, and the track's number
   * in it.
   */
  beside?: { file: number; track: number };
};
/** When the first and the last packet of a track begin, in seconds. */
export type Span = { first: number; last: number };
export type SubtitleTrack = Track & {
  /** The format of the text; null: the subtitles are pictures, or text that cannot be read. */
  script: SubtitleScript | null;
  /** The format of the pictures; null: the subtitles are text, or pictures that cannot be read. */
  bitmaps: BitmapFormat | null;
  /** The number of lines in the index; null: the index lists none. */
  lines: number | null;
};
/** `ass` also names SSA, whose scripts differ only in their styles. */
export type SubtitleScript = "ass" | "srt" | "vtt";
/** The pictures of Blu-ray discs and of DVDs. */
export type BitmapFormat = "pgs" | "vobsub";

/** The times of a chapter are in seconds. */
export type Chapter = { title: string | null; start: number; end: number };
/**
 * A chapter of an ordered edition: a part of the film, which is played in the order of the list. Its times are those of
 * the file that holds it.
 */
export type EditionPart = {
  title: string | null;
  start: number;
  /** Null: up to the end of the film. */
  end: number | null;
  /** Played, but not listed. */
  isHidden: boolean;
  /** The id of the other file that holds the part; null: this file. */
  otherFile: string | null;
};
/** The file in which the film begins or goes on, according to this file. */
export type LinkedFile = { place: "before" | "after"; segmentId: string; fileName: string | null };
/** A font file inside the film. `at` and `size` are in bytes. */
export type AttachedFont = { name: string; type: string; at: number; size: number };

/** A sound file beside the film. */
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
  container: "matroska" | "webm" | "mp4" | OtherContainer | "other";
  /**
   * The container of the film's file, if these are the contents of its stand-in: the Matroska file into which ffmpeg put
   * the film.
   */
  standsInFor: RemuxedContainer | null;
  /** When the last picture or sound ends. If that was not found, the length that the head of the file gives. */
  durationSeconds: number | null;
  video: VideoTrack[];
  audio: AudioTrack[];
  subtitles: SubtitleTrack[];
  chapters: Chapter[];
  /** Null: the film is played from its beginning to its end, and begins at zero. */
  edition: EditionPart[] | null;
  /** The id of a Matroska file, in hexadecimal digits, by which other files refer to it. */
  segmentId: string | null;
  linkedFiles: LinkedFile[];
  fonts: AttachedFont[];
  soundFiles: SoundFile[];
  /** Why the film cannot be packaged although its codecs can. `cut-off`: an MP4 that ends before its index or its last samples. */
  obstacle: "compressed" | "encrypted" | "no-index" | "cut-off" | null;
};

/** Raise this number when the inspection changes. Films that were read with another number are read again. */
export const inspectionFormat = 21;

/**
 * A frame at which decoding can begin: its time in seconds, and the position of its cluster in the file (0 in MP4,
 * whose own index has the position).
 */
export type KeyFrame = { seconds: number; at: number };

/** A film's facts and its key frames. Null: it has no index of key frames. */
export type Inspected = { inspection: Inspection; keyFrames: KeyFrame[] | null };

export const numberInFile = ({ number, beside }: AudioTrack): number => beside?.track ?? number;
