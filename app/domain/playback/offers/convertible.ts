import { maxChannels } from "#app/media/converting/ffmpeg-arguments.ts";
import type { AudioTrack, VideoTrack } from "#app/media/film/inspection.ts";

/** Decides which tracks this site converts. */

export type Conversions = {
  ofPicture(track: VideoTrack): boolean;
  ofSound(track: AudioTrack): boolean;
};

/** The codecs that the site decodes without ffmpeg. */
export const isOwnSound = ({ codec }: Pick<AudioTrack, "codec">) => codec === "ac-3" || codec === "ec-3";

type Means = {
  hasFfmpeg: boolean;
  pictureConverters: number;
  soundConverters: number;
  hasSmallConverter: boolean;
};

/** Pixels that the small converter can decode within its memory: 1080 lines, which encoders round up to 1088. */
const mostOfSmallPx = 1920 * 1088;

type Size = Pick<VideoTrack, "widthPx" | "heightPx">;

export function conversionsWith({ hasFfmpeg, pictureConverters, soundConverters, hasSmallConverter }: Means) {
  const isOverSmall = ({ widthPx, heightPx }: Size) =>
    hasSmallConverter && widthPx * heightPx > mostOfSmallPx;
  const isPicture = ({ widthPx, heightPx }: Size) =>
    hasFfmpeg && pictureConverters > 0 && widthPx > 0 && heightPx > 0;
  const conversions: Conversions = {
    ofPicture: (track) => isPicture(track) && !isOverSmall(track),
    ofSound: (track) =>
      soundConverters > 0 &&
      track.channels > 0 &&
      (hasFfmpeg || (isOwnSound(track) && track.channels <= maxChannels)),
  };
  /** Whether the site lacks only the memory to convert this picture. */
  return { ...conversions, isTooLarge: (track: Size) => isPicture(track) && isOverSmall(track) };
}
