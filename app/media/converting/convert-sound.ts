import { registerAacEncoder } from "@mediabunny/aac-encoder";
import { registerAc3Decoder } from "@mediabunny/ac3";
import {
  AdtsOutputFormat,
  AudioSample,
  AudioSampleSink,
  AudioSampleSource,
  EncodedPacketSink,
  type InputAudioTrack,
  Output,
  StreamTarget,
} from "mediabunny";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import type { FilmVersion } from "../film-work/film-job.ts";
import { soundRate } from "../mp4/init-segment.ts";
import { type FilmTrack, withRestoredTrack } from "../segments/film-track.ts";
import { maxDriftSeconds, soundBitrate } from "./ffmpeg-arguments.ts";

/** Converts AC-3 and E-AC-3 to AAC, with one encoder from the first sample to the last. */

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

const maxDifference = maxDriftSeconds * soundRate;
/** Samples that the encoder gets at once. */
const blockSamples = 8192;

type Write = (bytes: Uint8Array) => Promise<void>;
type Samples = { at: number; count: number; channels: Float32Array[] };

export const convertSound = (film: FilmBytes, job: SoundJob, write: Write): Promise<void> =>
  withRestoredTrack(film, job, (track) => convertTrack(track, job, write));

async function convertTrack(track: FilmTrack, job: SoundJob, write: Write): Promise<void> {
  registerAc3Decoder();
  registerAacEncoder();
  const source = new AudioSampleSource({ codec: "aac", bitrate: soundBitrate(job.channels) });
  const target = new StreamTarget(new WritableStream({ write: ({ data }) => write(data) }));
  const output = new Output({ format: new AdtsOutputFormat(), target });
  output.addAudioTrack(source);
  await output.start();
  for await (const block of blocksOf(withoutGaps(decoded(track, job), job), job.channels)) {
    const sample = new AudioSample({
      data: block.data,
      format: "f32-planar",
      numberOfChannels: job.channels,
      sampleRate: soundRate,
      timestamp: (block.at - job.from) / soundRate,
    });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
}

/** Decoding starts this much earlier, because a frame before the first sample prepares the decoder. */
const runUpSeconds = 0.1;

async function* decoded({ track, isIndexed }: FilmTrack, { from, to }: SoundJob): AsyncGenerator<Samples> {
  if (!track.isAudioTrack()) throw new DamagedFilm("the film has no such sound");
  const begin = isIndexed ? [Math.max(0, from / soundRate - runUpSeconds)] : [];
  const timeOf = await timesOfPackets(track, ...begin);
  for await (const sample of new AudioSampleSink(track).samples(...begin)) {
    if (sample.sampleRate !== soundRate) throw new DamagedFilm(`${sample.sampleRate} Hz`);
    const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      return plane;
    });
    const at = Math.round((await timeOf(sample)) * soundRate);
    yield { at, count: sample.numberOfFrames, channels };
    sample.close();
    if (at > to) return;
  }
}

/**
 * Gives decoded samples the times of their packets, if the difference is less than a packet. The returned function
 * takes samples in order and returns their times in the film.
 */
async function timesOfPackets(track: InputAudioTrack, begin?: number) {
  const sink = new EncodedPacketSink(track);
  const options = { metadataOnly: true };
  const first = begin === undefined ? null : await sink.getPacket(begin, options);
  const packets = sink.packets(first ?? undefined, undefined, options);
  let next = await packets.next();
  return async ({ timestamp, duration }: AudioSample): Promise<number> => {
    while (!next.done && next.value.timestamp <= timestamp - duration) next = await packets.next();
    if (next.done || next.value.timestamp >= timestamp + duration) return timestamp;
    const packetStart = next.value.timestamp;
    next = await packets.next();
    return packetStart;
  };
}

/** Yields exactly the samples of the job: gaps are filled with silence, and overlapping samples are left out. */
async function* withoutGaps(
  all: AsyncIterable<Samples>,
  { from, to }: Pick<SoundJob, "from" | "to">,
): AsyncGenerator<Samples> {
  let next = from;
  let expected: number | null = null;
  for await (const samples of all) {
    const begin: number =
      expected !== null && Math.abs(samples.at - expected) < maxDifference ? expected : samples.at;
    expected = begin + samples.count;
    const start = Math.max(begin, next);
    const end = Math.min(begin + samples.count, to);
    if (start >= end) continue;
    if (start > next) yield silence(next, start - next);
    const channels = samples.channels.map((one) => one.subarray(start - begin, end - begin));
    yield { at: start, count: end - start, channels };
    next = end;
  }
  if (next < to) yield silence(next, to - next);
}

const silence = (at: number, count: number): Samples => ({ at, count, channels: [] });

/** Splits samples into blocks of planar data. Missing channels are silent. */
async function* blocksOf(all: AsyncIterable<Samples>, channels: number) {
  for await (const { at, count, channels: given } of all)
    for (let start = 0; start < count; start += blockSamples) {
      const length = Math.min(blockSamples, count - start);
      const data = new Float32Array(length * channels);
      for (let channel = 0; channel < channels; channel++) {
        const samples = given[channel]?.subarray(start, start + length);
        if (samples) data.set(samples, channel * length);
      }
      yield { at: at + start, data };
    }
}
