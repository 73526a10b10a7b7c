/** Reads from ffmpeg's description of a picture how the picture must be converted. */

export type PictureLook = {
  /** The transfer function of HDR10 or HLG. Null: the picture has ordinary colours, or ffmpeg cannot map them. */
  hdr: "smpte2084" | "arib-std-b67" | null;
  /**
   * `tff` and `bff`: the frames show fields of two times, the top or the bottom field first, whether they are marked or
   * not. `marked`: no such frames were seen, but the film says that it has some, so those that it marks are
   * deinterlaced.
   */
  interlaced: "tff" | "bff" | "marked" | null;
};

export const ordinaryLook: PictureLook = { hdr: null, interlaced: null };

type Abilities = { canMapTones: boolean };

/** `text` is the error output of ffmpeg with `lookArguments`. */
export function readPictureLook(text: string, { canMapTones }: Abilities): PictureLook {
  // The film's own texts are on other lines.
  const [stream = ""] = /^ {1,4}Stream #0:0\b.*: Video: .*$/m.exec(text) ?? [];
  const [, transfer] = /\/(smpte2084|arib-std-b67)\b/.exec(stream) ?? [];
  return {
    hdr: canMapTones && transfer ? (transfer as NonNullable<PictureLook["hdr"]>) : null,
    interlaced: firstField(text) ?? (isMarked(stream) ? "marked" : null),
  };
}

const isMarked = (stream: string) => /[(,] ?(?:top|bottom) (?:first|coded first)/.test(stream);

/** Fewer frames than these show nothing. */
const minFrames = 10;

/** The filter `idet` counts the frames whose lines belong to two different times. */
function firstField(text: string): "tff" | "bff" | null {
  const counts = [
    ...text.matchAll(
      /Multi frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+) Undetermined: *(\d+)/g,
    ),
  ].at(-1);
  if (!counts) return null;
  const [top = 0, bottom = 0, progressive = 0] = counts.slice(1).map(Number);
  const interlaced = Math.max(top, bottom);
  if (interlaced < minFrames || interlaced < 2 * progressive) return null;
  return top > bottom ? "tff" : "bff";
}
