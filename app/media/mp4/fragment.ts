import { box, u32, u64 } from "./boxes.ts";

/** Writes the media segment of one track (ISO/IEC 14496-12, 8.8; CMAF). */

export type Sample = {
  data: Uint8Array;
  /** When the sample is shown or heard, and for how long, in seconds. */
  seconds: number;
  duration: number;
  isKey: boolean;
};

type Fragment = {
  sequence: number;
  /** Units per second, as the init segment states it. */
  timescale: number;
  /** In decoding order. */
  samples: readonly Sample[];
  /** Whether pictures can be shown in another order than they are decoded. */
  isReordered: boolean;
};

/**
 * Pictures are decoded this many seconds before they are shown. Without this lead, some pictures would be shown before
 * they are decoded, and ffmpeg would move the whole picture against the sound.
 */
const decodeLead = 0.25;

export const writeFragment = (fragment: Fragment): Buffer => Buffer.concat(fragmentParts(fragment));

/** Returns the fragment in parts, so that the bytes of its samples are not copied. */
export function fragmentParts({ sequence, timescale, samples, isReordered }: Fragment): Uint8Array[] {
  const shown = samples.map(({ seconds }) => Math.round(seconds * timescale));
  const times = isReordered ? decodeTimes(shown, decodeLead * timescale) : shown;
  const rows = samples.map((sample, index) => {
    const at = times[index] ?? 0;
    const next = times[index + 1] ?? at + Math.max(1, Math.round(sample.duration * timescale));
    return { ...sample, length: next - at, offset: (shown[index] ?? 0) - at };
  });
  const moof = (dataOffset: number) =>
    box(
      "moof",
      box("mfhd", u32(0), u32(sequence)),
      box(
        "traf",
        // The data offset counts from the moof box.
        box("tfhd", u32(0x020000), u32(1)),
        box("tfdt", u32(0x01000000), u64(times[0] ?? 0)),
        run(rows, dataOffset),
      ),
    );
  const head = moof(moof(0).length + 8);
  return [
    box("styp", Buffer.from("msdh\0\0\0\0msdhmsix", "latin1")),
    head,
    u32(8 + samples.reduce((sum, { data }) => sum + data.length, 0)),
    Buffer.from("mdat"),
    ...samples.map(({ data }) => data),
  ];
}

/**
 * If pictures are far apart, reordering needs a longer lead than usual. But the previous segment's decode times end at
 * the usual lead, and no time may be below zero. The first pictures are therefore decoded closer together, at equal
 * distances, because ffmpeg takes a sudden step for a damaged file.
 */
function decodeTimes(shown: readonly number[], usualLead: number): number[] {
  const sorted = [...shown].sort((one, other) => one - other);
  const lead = sorted.reduce((most, time, index) => Math.max(most, time - (shown[index] ?? 0)), usualLead);
  const times = sorted.map((time) => Math.round(time - lead));
  const first = sorted[0] ?? 0;
  const floor = Math.max(0, Math.round(first - usualLead));
  if ((times[0] ?? 0) >= floor) return times;
  const early = times.filter((time) => time <= floor).length;
  const step = Math.max(1, ((times[early] ?? floor) - floor) / early);
  const even = times.map((time, index) => (index < early ? floor + Math.floor(index * step) : time));
  return noneAfter(even, shown);
}

/** Makes decode times earlier, so that no picture is decoded after it, or a later picture, is shown. */
function noneAfter(times: readonly number[], shown: readonly number[]): number[] {
  let earliest = Number.POSITIVE_INFINITY;
  return times.reduceRight<number[]>((limited, time, index) => {
    earliest = Math.min(earliest, shown[index] ?? 0);
    limited[index] = Math.min(time, earliest);
    return limited;
  }, []);
}

const notKeySample = 0x01010000;
const keySample = 0x02000000;

function run(
  rows: readonly { length: number; data: Uint8Array; isKey: boolean; offset: number }[],
  at: number,
) {
  const bytes = Buffer.alloc(16 * rows.length);
  for (const [index, { length, data, isKey, offset }] of rows.entries()) {
    bytes.writeUInt32BE(length, 16 * index);
    bytes.writeUInt32BE(data.length, 16 * index + 4);
    bytes.writeUInt32BE(isKey ? keySample : notKeySample, 16 * index + 8);
    bytes.writeInt32BE(offset, 16 * index + 12);
  }
  // Version 1; with a data offset, and for each sample its duration, size, flags and composition offset.
  return box("trun", u32(0x01000f01), u32(rows.length), u32(at), bytes);
}
