import type { AudioTrack, VideoTrack } from "../inspection.ts";
import { maxChannels } from "./ffmpeg-arguments.ts";

/** Which tracks this site converts. */

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

/** What the small converter decodes within its memory: 1080 lines, which encoders round up. */
const mostOfSmallPx = 1920 * 1088;

export const conversionsWith = ({ hasFfmpeg, soundConverters, ...means }: Means): Conversions => ({
  ofPicture: ({ widthPx, heightPx }) =>
    hasFfmpeg &&
    means.pictureConverters > 0 &&
    widthPx > 0 &&
    heightPx > 0 &&
    (!means.hasSmallConverter || widthPx * heightPx <= mostOfSmallPx),
  ofSound: (track) =>
    soundConverters > 0 &&
    track.channels > 0 &&
    (hasFfmpeg || (isOwnSound(track) && track.channels <= maxChannels)),
});
