import { createHash } from "node:crypto";
import { type ConvertedTrack, planConvertedSound } from "#app/media/converting/converted-track.ts";
import { maxChannels } from "#app/media/converting/ffmpeg-arguments.ts";
import type { Piece } from "#app/media/film/edition.ts";
import { type AudioTrack, type KeyFrame, numberInFile, type VideoTrack } from "#app/media/film/inspection.ts";
import type { FilmVersion } from "#app/media/film-work/film-job.ts";
import {
  clusterBefore,
  maxInterleaveSeconds,
  type PlannedSegment,
  planPicture,
} from "#app/media/segments/segment-plan.ts";
import { env } from "#app/platform/process/env.server.ts";
import { canMapTones, findFfmpeg } from "#app/platform/process/ffmpeg.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { conversionsWith, isOwnSound } from "../offers/convertible.ts";
import type { Conversion } from "./conversions.server.ts";

/** The conversions of films that this site can make. */

const hasFfmpeg = findFfmpeg() !== null;
export const conversions = conversionsWith({ hasFfmpeg, ...memoryPlan });

/** Raise this when the code converts the same file differently. */
const conversionFormat = 7;
let settings: string | undefined;
/** A hash of what decides the converted bytes. Made for the first film, because it asks ffmpeg for its filters. */
function settingsHash(): string {
  settings ??= createHash("sha256")
    .update(
      [
        conversionFormat,
        ...env.FFMPEG_ARGS,
        memoryPlan.hasSmallConverter ? "small" : "",
        hasFfmpeg && canMapTones() ? "" : "HDR as it is",
      ].join(" "),
    )
    .digest("hex")
    .slice(0, 12);
  return settings;
}

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 4);

/**
 * Version stamps that change when the converted bytes change. Sound converts to the same bytes with little memory and
 * with much.
 */
export const conversionVersions = () => ({
  sound: shortHash(`${conversionFormat} ${hasFfmpeg}`),
  picture: shortHash(settingsHash()),
});

export type ConvertedFilm = {
  /** Names the film and its version. */
  key: string;
  /** Whether the operator's file is still the one that was opened. */
  isSame(): Promise<boolean>;
  file: FilmVersion;
  format: "matroska" | "mp4";
  keyFrames: readonly KeyFrame[];
  durationSeconds: number;
  /** The pieces of the file in the order in which they are played; null: the file from its beginning to its end. */
  pieces: readonly Piece[] | null;
};

/** Interlaced pictures have at most 1080 lines, which encoders round up to 1088. */
const maxInterlacedPx = 1088;
/** Codecs of which no interlaced films are made. */
const progressiveCodecs = /^(?:hvc1|av01|vp0?[89])/;

export function convertPicture(film: ConvertedFilm, { number, heightPx, codec }: VideoTrack): Conversion {
  const segments = planPicture(film.keyFrames, film.durationSeconds, film.pieces);
  const canBeInterlaced = heightPx <= maxInterlacedPx && !progressiveCodecs.test(codec ?? "");
  return conversionOf(film, { kind: "picture", track: number, segments, canBeInterlaced }, false);
}

/** All sounds of a film have the same plan. A long film with hundreds of them would need much memory otherwise. */
const soundPlans = new WeakMap<ConvertedFilm, readonly PlannedSegment[]>();

export function convertFilmSound(film: ConvertedFilm, sound: AudioTrack): Conversion {
  const segments =
    soundPlans.get(film) ?? planConvertedSound(film.keyFrames, film.durationSeconds, film.pieces);
  soundPlans.set(film, segments);
  const channels = Math.min(sound.channels, maxChannels);
  const last = sound.span && {
    seconds: sound.span.last,
    at: clusterBefore(film.keyFrames, sound.span.last - maxInterleaveSeconds),
  };
  const track: ConvertedTrack = {
    kind: "sound",
    track: numberInFile(sound),
    segments,
    channels,
    ...(last && { last }),
  };
  return conversionOf(film, track, !hasFfmpeg && isOwnSound(sound));
}

const conversionOf = (
  { key, isSame, file, format }: ConvertedFilm,
  track: ConvertedTrack,
  isOwn: boolean,
): Conversion => ({
  key: `${key} ${track.kind} ${track.track} ${settingsHash()}`,
  source: { film: file, format, track, isOwn },
  isSame,
});
