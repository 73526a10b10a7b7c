import type { PlannedSegment } from "../packaging/segment-plan.ts";
import { type ConvertedTrack, encodedSamples } from "./converted-track.ts";

/** How ffmpeg is called. It reads a window of the film from its standard input, so that it opens no file and no address. */

const reading = (format: "matroska" | "mp4") => [
  ...["-v", "error", "-nostdin", "-protocol_whitelist", "pipe", "-max_alloc", String(512 * 1024 * 1024)],
  ...["-threads", "4"],
  // The clock of the film, instead of one that begins with what is read.
  ...["-copyts", "-f", format, "-i", "pipe:0", "-map", "0:0", "-sn", "-dn"],
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
];

type Read = { format: "matroska" | "mp4"; track: ConvertedTrack };

/** `extra` are the operator's arguments, which count more than these. */
export const ffmpegArguments = (
  { format, track }: Read,
  first: number,
  extra: readonly string[],
): string[] =>
  track.kind === "picture"
    ? [...reading(format), ...pictureArguments(track.segments.slice(first)), ...extra, ...pictureOutput]
    : [...reading(format), ...soundArguments(track, first)];

const [maxWidthPx, maxHeightPx] = [1920, 1080];
const scaling = `scale=w='min(${maxWidthPx},iw)':h='min(${maxHeightPx},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;

/** The size of the converted picture, as the filter computes it. */
export function fittedSize(widthPx: number, heightPx: number) {
  const share = Math.min(1, maxWidthPx / widthPx, maxHeightPx / heightPx);
  const even = (size: number) => Math.max(2, 2 * Math.floor((size * share) / 2));
  return { widthPx: even(widthPx), heightPx: even(heightPx) };
}

/** What playlists say of the converted picture: High profile, level 4.2. */
export const pictureCodec = "avc1.64002A";
export const soundCodec = "mp4a.40.2";

const pictureArguments = (segments: readonly PlannedSegment[]) => [
  ...["-an", "-fps_mode", "passthrough", "-enc_time_base", "1/1000", "-vf", `${scaling},format=yuv420p`],
  // Each thread has pictures of its own in memory.
  ...[
    "-threads",
    "4",
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-crf",
    "22",
    "-maxrate",
    "8M",
    "-bufsize",
    "16M",
  ],
  ...["-profile:v", "high", "-level:v", "4.2", "-g", "100000", "-sc_threshold", "0"],
  // A little early, since the clock of the film is rounded.
  ...["-force_key_frames", segments.map(({ from }) => Math.max(0, from - 0.001).toFixed(4)).join(",")],
];

const pictureOutput = ["-f", "matroska", "-cluster_time_limit", "500", "pipe:1"];

/** The layouts of 1 to 6 channels. */
const layouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"];
export const maxChannels = layouts.length;

export const soundBitrate = (channels: number) => (channels <= 2 ? 96_000 : 64_000) * channels;

function soundArguments(track: Extract<ConvertedTrack, { kind: "sound" }>, first: number) {
  const { from, to } = encodedSamples(track.segments, first);
  const filters = [
    // Silence where the track has none.
    `aresample=48000:async=1:first_pts=${from}`,
    `aformat=channel_layouts=${layouts[track.channels - 1]}`,
    "apad",
    `atrim=end_pts=${to}`,
  ];
  const bitrate = ["-b:a", String(soundBitrate(track.channels))];
  return [
    "-vn",
    "-af",
    filters.join(","),
    "-c:a",
    "aac",
    "-aac_coder",
    "fast",
    ...bitrate,
    "-f",
    "adts",
    "pipe:1",
  ];
}
