import type { AudioTrack, VideoTrack } from "../inspection.ts";
import { maxChannels } from "./ffmpeg-arguments.ts";

/** Which tracks this site converts. */

export type Conversions = {
  ofPicture(track: VideoTrack): boolean;
  ofSound(track: AudioTrack): boolean;
};

/** The codecs that the site decodes without ffmpeg. */
export const isOwnSound = ({ codec }: Pick<AudioTrack, "codec">) => codec === "ac-3" || codec === "ec-3";

type Means = { hasFfmpeg: boolean; pictureConverters: number; soundConverters: number };

export const conversionsWith = ({ hasFfmpeg, pictureConverters, soundConverters }: Means): Conversions => ({
  ofPicture: ({ widthPx, heightPx }) => hasFfmpeg && pictureConverters > 0 && widthPx > 0 && heightPx > 0,
  ofSound: (track) =>
    soundConverters > 0 &&
    track.channels > 0 &&
    (hasFfmpeg || (isOwnSound(track) && track.channels <= maxChannels)),
});
