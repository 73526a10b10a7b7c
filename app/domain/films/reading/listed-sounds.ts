import { endOf, piecesOf } from "#app/media/film/edition.ts";
import type { AudioTrack, Inspection, KeyFrame, SoundFile } from "#app/media/film/inspection.ts";
import { isNamedAfter, readSubtitleName } from "#app/media/subtitles/subtitle-names.ts";
import { extensionOf } from "#app/platform/media-types.ts";

/** Finds sound in files beside the film: `Show - 01.ja.mka` is a sound track of `Show - 01.mkv`. */

const maxFiles = 8;

/** Selects a film's sound files from the names of those in its folder. */
export function soundNamesOf(film: string, names: readonly string[]): string[] {
  const stem = film.slice(0, -extensionOf(film).length - 1);
  return names.filter((name) => isNamedAfter(name, stem)).slice(0, maxFiles);
}

export type ReadSoundFile = Pick<SoundFile, "path" | "size" | "modifiedMs"> & {
  /** Null: the file cannot be read. */
  inspection: Inspection | null;
  keyFrames: readonly KeyFrame[];
};

/** Numbers reserved for the tracks of each sound file. Tracks inside a film have smaller numbers. */
const numbersOfFile = 1_000_000;
/** One index entry for each five seconds suffices, and keeps the stored index small. */
const minEntrySeconds = 5;
/** Enough for a day. A hostile file has many more, and each page of the episode would read all of them. */
const maxEntries = 20_000;

/** Adds the tracks of these files to those of the film. */
export function withSoundFiles(inspection: Inspection, files: readonly ReadSoundFile[]): Inspection {
  const lastPiece = piecesOf(inspection)?.at(-1);
  const durationSeconds = lastPiece ? endOf(lastPiece) : inspection.durationSeconds;
  const sounds = files.flatMap(({ path, inspection: held }, file) => {
    const { language } = readSubtitleName(path);
    const tracks = held && isPackageable(held) ? held.audio : [];
    return tracks
      .filter(({ number }) => number < numbersOfFile)
      .map((track): AudioTrack => {
        const number = numbersOfFile * (file + 1) + track.number;
        const beside = { file, track: track.number };
        const span = spanWithin(track.span, durationSeconds);
        return { ...track, language: language ?? track.language, isDefault: false, number, span, beside };
      });
  });
  const soundFiles = files.map(({ inspection: held, keyFrames, ...file }): SoundFile => {
    const format = held?.container === "mp4" ? "mp4" : "matroska";
    return { ...file, format, durationSeconds: held?.durationSeconds ?? 0, keyFrames: thinned(keyFrames) };
  });
  return { ...inspection, audio: [...inspection.audio, ...sounds], soundFiles };
}

const isPackageable = ({ container, obstacle }: Inspection) =>
  obstacle === null && (container === "matroska" || container === "mp4");

/** Ends the span with the film, because the sound can be longer. */
const spanWithin = (span: AudioTrack["span"], durationSeconds: number | null): AudioTrack["span"] =>
  span && { ...span, last: Math.min(span.last, durationSeconds ?? span.last) };

function thinned(keyFrames: readonly KeyFrame[]): KeyFrame[] {
  const kept: KeyFrame[] = [];
  for (const frame of keyFrames) {
    if (kept.length >= maxEntries) break;
    if (frame.seconds >= (kept.at(-1)?.seconds ?? Number.NEGATIVE_INFINITY) + minEntrySeconds)
      kept.push(frame);
  }
  return kept;
}
