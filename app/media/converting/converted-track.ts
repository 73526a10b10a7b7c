import type { KeyFrame } from "../film/inspection.ts";
import { type Frame, matroskaReader } from "../matroska/matroska-stream.ts";
import { type Sample, writeFragment } from "../mp4/fragment.ts";
import { pictureInit, pictureTimescale, soundRate } from "../mp4/init-segment.ts";
import { clusterBefore, minLastSeconds, type PlannedSegment } from "../segments/segment-plan.ts";
import { adtsReader } from "./adts.ts";

/**
 * Turns a converter's output into segments. A converter can begin at any segment, and its segments fit those of another
 * run.
 */

export type ConvertedTrack = { track: number; segments: readonly PlannedSegment[] } & (
  | { kind: "picture"; canBeInterlaced: boolean }
  | { kind: "sound"; channels: number }
);

/** `onInit` is called for pictures only: the init segment of sound does not depend on the converter's output. */
type Made = { onInit(bytes: Buffer): void; onSegment(sequence: number, bytes: Buffer): void };
/** `end` is called when the converter has written everything. */
type Assembler = { push(chunk: Buffer): void; end(): void };

/** Tolerance in seconds for equal times, because the clocks of films count in milliseconds. */
const sameTime = 0.002;

export const assemble = (track: ConvertedTrack, first: number, made: Made): Assembler =>
  track.kind === "picture" ? assemblePicture(track, first, made) : assembleSound(track, first, made);

/** The converter writes a key frame where each segment begins. Frames before the first of these are left out. */
function assemblePicture(
  { segments }: Extract<ConvertedTrack, { kind: "picture" }>,
  first: number,
  { onInit, onSegment }: Made,
): Assembler {
  let sequence = first - 1;
  let frames: Frame[] = [];
  const finish = () => {
    const end = segments[sequence]?.end;
    if (frames.length === 0 || end === undefined) return;
    const last = frames.reduce((latest, { seconds }) => Math.max(latest, seconds), 0);
    const duration = Math.max(0.001, end - last);
    const samples = frames.map((frame): Sample => ({ ...frame, duration }));
    onSegment(sequence, writeFragment({ sequence, timescale: pictureTimescale, samples, isReordered: true }));
    frames = [];
  };
  const push = matroskaReader({
    onPicture: (picture) => onInit(pictureInit(picture)),
    onFrame(frame) {
      const next = segments[sequence + 1];
      if (frame.isKey && next && frame.seconds >= next.from - sameTime) {
        finish();
        sequence++;
      }
      if (sequence >= first) frames.push(frame);
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
/** How much later than the picture of the same time sound can be in the file. */
const maxInterleaveSeconds = 1;

const framesOf = (seconds: number) => Math.ceil((seconds * soundRate) / frameSamples - sameTime);

/** Plans the segments of converted sound. It lasts as long as the film, in whole frames counted from 0. */
export function planConvertedSound(
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
): PlannedSegment[] {
  const total = Math.max(1, framesOf(durationSeconds));
  const count = Math.max(1, Math.ceil((total - framesOf(minLastSeconds)) / framesPerSegment));
  return Array.from({ length: count }, (_, index) => {
    const start = secondsOf(index * framesPerSegment);
    const end = secondsOf(index === count - 1 ? total : (index + 1) * framesPerSegment);
    const begin = Math.max(0, start - secondsOf(runUpFrames) - maxInterleaveSeconds);
    return { start, end, from: start, to: end, at: clusterBefore(keyFrames, begin) };
  });
}

/** The samples that the encoder gets for a run from the segment `first` on, counted from the start of the film. */
export function encodedSamples(segments: readonly PlannedSegment[], first: number) {
  const from = Math.max(0, first * framesPerSegment - runUpFrames);
  const to = framesOf(segments.at(-1)?.end ?? 0);
  return { from: from * frameSamples, to: to * frameSamples };
}

function assembleSound(
  { segments }: Extract<ConvertedTrack, { kind: "sound" }>,
  first: number,
  { onSegment }: Made,
): Assembler {
  // The first frame of an encoder only prepares the decoder.
  let frame = encodedSamples(segments, first).from / frameSamples - 2;
  let sequence = first;
  let samples: Sample[] = [];
  const push = adtsReader((data) => {
    frame++;
    const segment = segments[sequence];
    if (frame < first * framesPerSegment || !segment) return;
    samples.push({ data, seconds: secondsOf(frame), duration: secondsOf(1), isKey: true });
    if (secondsOf(frame + 1) < segment.end - sameTime) return;
    onSegment(sequence, writeFragment({ sequence, timescale: soundRate, samples, isReordered: false }));
    sequence++;
    samples = [];
  });
  return { push, end: () => {} };
}
