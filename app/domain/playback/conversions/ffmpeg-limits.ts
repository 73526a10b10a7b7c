import { hours, minutes, seconds } from "#app/platform/units.ts";

/** The limits of every ffmpeg that converts a film. */
export const ffmpegLimits = {
  maxRunMs: hours(6),
  /** An ffmpeg that makes no progress for longer is killed. */
  maxSilenceMs: minutes(1),
  /** How often its memory and its time are checked. */
  checkIntervalMs: seconds(0.5),
  /** Characters of its error output that are logged. ffmpeg explains a failure in its first lines. */
  maxExplanation: 500,
};
