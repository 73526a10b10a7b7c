import { endOf, type Piece } from "../film/edition.ts";
import type { KeyFrame } from "../film/inspection.ts";
import { type Frame, matroskaReader } from "../matroska/matroska-stream.ts";
import { type Sample, writeFragment } from "../mp4/fragment.ts";
import { pictureInit, pictureTimescale, soundRate } from "../mp4/init-segment.ts";
import { shownFromZero } from "../segments/late-picture.ts";
import { heldOverGap } from "../segments/picture-gap.ts";
import {
  clusterBefore,
  maxInterleaveSeconds,
  maxSegments,
  minLastSeconds,
  type PlannedSegment,
  segmentsOfRun,
  startInFile,
} from "../segments/segment-plan.ts";
import { adtsReader } from "./adts.ts";

/**
 * Turns a converter's output into segments. A converter can begin at any segment, and its segments fit those of another
 * run.
 */

export type ConvertedTrack = { track: number; segments: readonly PlannedSegment[] } & (
  | { kind: "picture"; canBeInterlaced: boolean }
  | {
      kind: "sound";
      channels: number;
      /**
       * When the last packet begins, and the position of a cluster before it. A converter that gets no packet cannot even
       * write silence, so a run after the end of the sound reads from here on. Left out: that is not known.
       */
      last?: { seconds: number; at: number };
    }
);

/** `onInit` is called for pictures only: the init segment of sound does not depend on the converter's output. */
type SegmentEvents = { onInit(bytes: Buffer): void; onSegment(sequence: number, bytes: Buffer): void };
/** `end` is called when the converter has written everything. */
type Assembler = { push(chunk: Buffer): void; end(): void };

/** Tolerance in seconds for equal times, because the clocks of films count in milliseconds. */
const sameTime = 0.002;

export const assemble = (track: ConvertedTrack, first: number, made: SegmentEvents): Assembler =>
  track.kind === "picture" ? assemblePicture(track, first, made) : assembleSound(track, first, made);

/**
 * The converter writes a key frame where each segment begins, and where a piece of an edition ends. Frames before the
 * first of these are left out, and those after the piece.
 */
function assemblePicture(
  { segments }: Extract<ConvertedTrack, { kind: "picture" }>,
  first: number,
  { onInit, onSegment }: SegmentEvents,
): Assembler {
  const run = segmentsOfRun(segments, first);
  const { shift = 0 } = run[0]?.piece ?? {};
  const pieceEnd = run.at(-1)?.piece ? (run.at(-1)?.end ?? 0) - shift : null;
  let sequence = first - 1;
  let frames: Frame[] = [];
  const finish = () => {
    const segment = segments[sequence];
    if (frames.length === 0 || !segment) return;
    const last = frames.reduce((latest, { seconds }) => Math.max(latest, seconds), 0) + shift;
    const duration = Math.max(0.001, segment.end - last);
    const earliest = frames.reduce(
      (least, { seconds }) => Math.min(least, seconds),
      Number.POSITIVE_INFINITY,
    );
    const samples = frames.map((frame): Sample => {
      // The picture that is shown when a piece begins has begun before it.
      const isMoved = segment.piece?.isFirst && frame.seconds === earliest;
      return { ...frame, seconds: isMoved ? segment.start : frame.seconds + shift, duration };
    });
    const shown = heldOverGap(segment.end, sequence === 0 ? shownFromZero(samples) : samples, 0);
    onSegment(
      sequence,
      writeFragment({ sequence, timescale: pictureTimescale, samples: shown, isReordered: true }),
    );
    frames = [];
  };
  const push = matroskaReader({
    onPicture: (picture) => onInit(pictureInit(picture)),
    onFrame(frame) {
      if (sequence >= first + run.length) return;
      const next = run[sequence + 1 - first];
      const nextAt = next ? startInFile(next) : pieceEnd;
      if (frame.isKey && nextAt !== null && frame.seconds >= nextAt - sameTime) {
        finish();
        sequence++;
      }
      if (sequence >= first && sequence < first + run.length) frames.push(frame);
    },
  });
  return { push, end: finish };
}

/** Samples in a frame of AAC. */
const frameSamples = 1024;
const framesPerSegment = 282;
/** Frames that the encoder writes before the first one that is used, so that segments are the same wherever it began. */
const runUpFrames = 10;
const secondsOf = (frames: number) => (frames * frameSamples) / soundRate;
/** A time that exceeds the end of a frame by less than this part of a frame, through rounding, begins no other frame. */
const frameTolerance = 0.002;

const framesOf = (seconds: number) => Math.ceil((seconds * soundRate) / frameSamples - frameTolerance);

/** Plans the segments of converted sound. It lasts as long as the film, in whole frames counted from 0. */
export function planConvertedSound(
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
  pieces: readonly Piece[] | null = null,
): PlannedSegment[] {
  if (pieces)
    return pieces.flatMap((piece, index) => {
      const shift = piece.start - piece.from;
      const frames = { first: framesOf(piece.start), end: framesOf(endOf(piece)) };
      const segments = planFrames(keyFrames, frames, shift);
      return segments.map((segment, at) => ({
        ...segment,
        piece: { index, shift, isFirst: at === 0, isLast: at === segments.length - 1 },
      }));
    });
  return planFrames(keyFrames, { first: 0, end: Math.max(1, framesOf(durationSeconds)) }, 0);
}

/** Plans segments for the frames from `first` up to `end`, which are played `shift` seconds later than in the file. */
function planFrames(
  keyFrames: readonly KeyFrame[],
  frames: { first: number; end: number },
  shift: number,
): PlannedSegment[] {
  const total = Math.min(frames.end - frames.first, maxSegments * framesPerSegment);
  const count = Math.max(1, Math.ceil((total - framesOf(minLastSeconds)) / framesPerSegment));
  return Array.from({ length: count }, (_, index) => {
    const start = secondsOf(frames.first + index * framesPerSegment);
    const end = secondsOf(frames.first + (index === count - 1 ? total : (index + 1) * framesPerSegment));
    const from = start - shift;
    const begin = Math.max(0, from - secondsOf(runUpFrames) - maxInterleaveSeconds);
    return { start, end, from, to: end - shift, at: clusterBefore(keyFrames, begin) };
  });
}

const firstFrameOf = ({ start }: PlannedSegment) => Math.round((start * soundRate) / frameSamples);

/** The frames that the encoder makes for a run from the segment `first` on, and how much later than in the file they are played. */
function encodedFrames(segments: readonly PlannedSegment[], first: number) {
  const run = segmentsOfRun(segments, first);
  const begin = run[0];
  const last = run.at(-1);
  const shiftSamples = Math.round((begin?.piece?.shift ?? 0) * soundRate);
  const wanted = begin ? firstFrameOf(begin) : 0;
  const before = Math.floor((wanted * frameSamples - shiftSamples) / frameSamples);
  return {
    first: wanted - Math.max(0, Math.min(runUpFrames, before)),
    end: framesOf(last?.end ?? 0),
    shiftSamples,
  };
}

/** The samples that the encoder gets for a run from the segment `first` on, counted from the start of the film. */
export function encodedSamples(segments: readonly PlannedSegment[], first: number) {
  const frames = encodedFrames(segments, first);
  const samplesTo = (frame: number) => frame * frameSamples - frames.shiftSamples;
  return { from: samplesTo(frames.first), to: samplesTo(frames.end) };
}

function assembleSound(
  { segments }: Extract<ConvertedTrack, { kind: "sound" }>,
  first: number,
  { onSegment }: SegmentEvents,
): Assembler {
  const { length } = segmentsOfRun(segments, first);
  const begin = segments[first];
  // The first frame of an encoder only prepares the decoder.
  let frame = encodedFrames(segments, first).first - 2;
  let sequence = first;
  let samples: Sample[] = [];
  const push = adtsReader((data) => {
    frame++;
    const segment = sequence < first + length ? segments[sequence] : undefined;
    if (!begin || !segment || frame < firstFrameOf(begin)) return;
    samples.push({ data, seconds: secondsOf(frame), duration: secondsOf(1), isKey: true });
    if (secondsOf(frame + 1) < segment.end - sameTime) return;
    onSegment(sequence, writeFragment({ sequence, timescale: soundRate, samples, isReordered: false }));
    sequence++;
    samples = [];
  });
  return { push, end: () => {} };
}
