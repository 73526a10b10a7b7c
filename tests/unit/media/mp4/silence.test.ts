import { expect, test } from "vitest";
import { silenceOf } from "#app/media/mp4/silence.ts";

const hexOf = (sound: Partial<AudioDecoderConfig>) => {
  const silence = silenceOf({ codec: "mp4a.40.2", numberOfChannels: 2, sampleRate: 48_000, ...sound });
  return silence && Buffer.from(silence.data).toString("hex");
};
/** STREAMINFO of blocks of 4096 samples of 48,000 Hz, behind its mark and its head. */
const streamInfo = (channels: number, bits: number) => {
  const bytes = Buffer.alloc(42);
  bytes.write("fLaC");
  bytes.writeUInt16BE(4096, 8);
  bytes.writeUInt16BE(4096, 10);
  bytes.writeUInt32BE((48_000 << 12) | ((channels - 1) << 9) | ((bits - 1) << 4), 18);
  return bytes;
};
/** The version, the number of channels, and how many streams contain how many channels. */
const opusHead = (channels: number, streams: number, pairs: number) =>
  Buffer.concat([
    Buffer.from("OpusHead"),
    Buffer.from([1, channels, 0, 0, 0, 0, 0, 0, 0, 0, 1, streams, pairs, ...Array(channels).keys()]),
  ]);

/** ffmpeg decodes each of these to samples of zero, without a warning. */
test.each<[string, Partial<AudioDecoderConfig>, string]>([
  ["mono AAC", { numberOfChannels: 1 }, "00000007"],
  ["stereo AAC", {}, "2000000000000e"],
  ["stereo Opus", { codec: "opus" }, "fcfffe"],
  ["mono Opus", { codec: "opus", numberOfChannels: 1 }, "f8fffe"],
  [
    "Opus of 5.1",
    { codec: "opus", numberOfChannels: 6, description: opusHead(6, 4, 2) },
    "fc02fffefc02fffef802fffef8fffe",
  ],
  ["FLAC", { codec: "flac", description: streamInfo(2, 16) }, "fff87010000fff"],
])("%s", (_, sound, hex) => expect(hexOf(sound)).toContain(hex));

test.each<[Partial<AudioDecoderConfig>, number]>([
  [{ sampleRate: 44_100 }, 1024 / 44_100],
  [{ codec: "opus", sampleRate: 44_100 }, 0.02],
  [{ codec: "flac", description: streamInfo(6, 24) }, 4096 / 48_000],
])("lasts as long as a packet of its codec", (sound, seconds) =>
  expect(
    silenceOf({ codec: "mp4a.40.2", numberOfChannels: 2, sampleRate: 48_000, ...sound })?.seconds,
  ).toBeCloseTo(seconds, 6),
);

test.each<[string, Partial<AudioDecoderConfig>]>([
  ["HE-AAC", { codec: "mp4a.40.5" }],
  ["AAC of seven channels", { numberOfChannels: 7 }],
  ["AC-3", { codec: "ac-3" }],
  ["Opus of 5.1 that does not say its streams", { codec: "opus", numberOfChannels: 6 }],
  ["FLAC without its description", { codec: "flac" }],
])("there is none of %s", (_, sound) => expect(hexOf(sound)).toBeNull());
