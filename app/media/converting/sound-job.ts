import type { FilmVersion } from "../film-work/film-job.ts";

/** The job of the child process that converts AC-3 and E-AC-3. */
export type SoundJob = {
  film: FilmVersion;
  track: number;
  /** The position of a cluster at or before the first sample. */
  at: number;
  channels: number;
  /** The samples to encode, counted from the start of the film. */
  from: number;
  to: number;
};
