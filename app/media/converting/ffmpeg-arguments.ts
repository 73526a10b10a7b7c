import type { PlannedSegment } from "../segments/segment-plan.ts";
import { type ConvertedTrack, encodedSamples } from "./converted-track.ts";

/** The arguments for ffmpeg. It reads a part of the film from its standard input, so that it opens no file and no address. */

/** Each thread keeps its own pictures in memory. */
const threadsOf = ({ isSmall }: Pick<Read, "isSmall">) => ["-threads", isSmall ? "2" : "4"];

const reading = ({ format, isSmall }: Read) => [
  ...["-v", "error", "-nostdin", "-protocol_whitelist", "pipe", "-max_alloc", String(512 * 1024 * 1024)],
  ...(isSmall ? ["-filter_threads", "1"] : []),
  ...threadsOf({ isSmall }),
  // Keeps the times of the film instead of counting from where the input begins.
  ...["-copyts", "-f", format, "-i", "pipe:0", "-map", "0:0", "-sn", "-dn"],
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
];

type Read = {
  format: "matroska" | "mp4";
  track: ConvertedTrack;
  /** Whether to use as little memory as possible. */
  isSmall: boolean;
};

/** `extra` are the operator's arguments, which override these. */
export const ffmpegArguments = (read: Read, first: number, extra: readonly string[]): string[] => {
  const { track, isSmall } = read;
  if (track.kind === "sound") return [...reading(read), ...soundArguments(track, first)];
  const picture = pictureArguments(track.segments.slice(first), isSmall);
  return [...reading(read), ...picture, ...extra, ...pictureOutput];
};

const mostPx = (isSmall: boolean) => (isSmall ? [1280, 720] : [1920, 1080]) as [number, number];

function scaling(isSmall: boolean): string {
  const [widthPx, heightPx] = mostPx(isSmall);
  return `scale=w='min(${widthPx},iw)':h='min(${heightPx},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
}

/** The size of the converted picture, as the `scale` filter computes it. */
export function fittedSize(widthPx: number, heightPx: number, isSmall: boolean) {
  const [maxWidthPx, maxHeightPx] = mostPx(isSmall);
  const share = Math.min(1, maxWidthPx / widthPx, maxHeightPx / heightPx);
  const even = (size: number) => Math.max(2, 2 * Math.floor((size * share) / 2));
  return { widthPx: even(widthPx), heightPx: even(heightPx) };
}

/** The codec of the converted picture in playlists: High profile, level 4.2. */
export const pictureCodec = "avc1.64002A";
export const soundCodec = "mp4a.40.2";

const pictureArguments = (segments: readonly PlannedSegment[], isSmall: boolean) => [
  ...["-an", "-fps_mode", "passthrough", "-enc_time_base", "1/1000"],
  ...["-vf", `${scaling(isSmall)},format=yuv420p`, ...threadsOf({ isSmall })],
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-maxrate", "8M", "-bufsize", "16M"],
  ...(isSmall ? ["-x264-params", "rc-lookahead=5:sync-lookahead=0"] : []),
  ...["-profile:v", "high", "-level:v", "4.2", "-g", "100000", "-sc_threshold", "0"],
  // One millisecond early, because the times of the film are rounded.
  ...["-force_key_frames", segments.map(({ from }) => Math.max(0, from - 0.001).toFixed(4)).join(",")],
];

const pictureOutput = ["-f", "matroska", "-cluster_time_limit", "500", "pipe:1"];

/** The layouts of 1 to 6 channels. */
const layouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"];
export const maxChannels = layouts.length;

export const soundBitrate = (channels: number) => (channels <= 2 ? 96_000 : 64_000) * channels;

/** Times in a film are rounded, so a smaller difference is neither a gap nor an overlap. */
export const maxDriftSeconds = 0.01;

function soundArguments(track: Extract<ConvertedTrack, { kind: "sound" }>, first: number) {
  const { from, to } = encodedSamples(track.segments, first);
  const filters = [
    // Fills gaps with silence. The limit is lower than ffmpeg's own, because small gaps add up, for example in joined
    // films.
    `aresample=48000:async=1:min_hard_comp=${maxDriftSeconds}:first_pts=${from}`,
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
