import {
  firstShownSeconds,
  type PlannedSegment,
  segmentsOfRun,
  startInFile,
} from "../segments/segment-plan.ts";
import { type ConvertedTrack, encodedSamples } from "./converted-track.ts";
import type { PictureLook } from "./picture-look.ts";

/** The arguments for ffmpeg. It reads a part of the film from its standard input, so that it opens no file and no address. */

/** Each thread keeps its own pictures in memory. */
export const threadsOf = (isFrugal: boolean) => ["-threads", isFrugal ? "2" : "4"];

type InputOptions = { isFrugal: boolean; verbosity?: "error" | "info" };

const reading = ({ format }: FilmInput, { isFrugal, verbosity = "error" }: InputOptions) => [
  ...["-v", verbosity, "-nostdin", "-protocol_whitelist", "pipe", "-max_alloc", String(512 * 1024 * 1024)],
  ...(isFrugal ? ["-filter_threads", "1"] : []),
  ...threadsOf(isFrugal),
  // Keeps the times of the film instead of counting from where the input begins.
  ...["-copyts", "-f", format, "-i", "pipe:0", "-map", "0:0", "-sn", "-dn"],
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
];

type FilmInput = {
  format: "matroska" | "mp4";
  track: ConvertedTrack;
  /** Whether to use as little memory as possible. */
  isSmall: boolean;
};

type PictureTrack = Extract<ConvertedTrack, { kind: "picture" }>;

/**
 * The arguments with which ffmpeg describes the first frames of a picture in its error output, for `readPictureLook`. It
 * writes no frame. A picture that cannot be interlaced needs one frame.
 */
export function lookArguments(read: FilmInput & { track: PictureTrack }): string[] {
  const frames = read.track.canBeInterlaced ? ["-vf", "idet", "-frames:v", "48"] : ["-frames:v", "1"];
  return [...reading(read, { isFrugal: true, verbosity: "info" }), "-an", ...frames, "-f", "null", "-"];
}

/** `extra` are the operator's arguments, which override these. */
export const ffmpegArguments = (
  read: FilmInput,
  first: number,
  look: PictureLook,
  extra: readonly string[],
): string[] => {
  const { track, isSmall } = read;
  if (track.kind === "sound")
    return [...reading(read, { isFrugal: isSmall }), ...soundArguments(track, first)];
  // Tone mapping needs the memory of a few pictures of 12 bytes per pixel.
  const isFrugal = isSmall || look.hdr !== null;
  const beginsEarly = (track.segments[first]?.from ?? 0) < 0;
  const run = segmentsOfRun(track.segments, first);
  const picture = pictureArguments(run, { look, isSmall, isFrugal, beginsEarly });
  return [...reading(read, { isFrugal }), ...picture, ...extra, ...pictureOutput];
};

export function scaling(isSmall: boolean): string {
  const [widthPx, heightPx] = isSmall ? [1280, 720] : [1920, 1080];
  return `scale=w='min(${widthPx},iw)':h='min(${heightPx},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
}

/** The codec of the converted picture in playlists: High profile, level 4.2. */
export const pictureCodec = "avc1.64002A";
export const soundCodec = "mp4a.40.2";

/** One frame for each two fields, because more frames would double the work. */
export const deinterlacing = {
  marked: "bwdif=mode=send_frame:deint=interlaced",
  tff: "bwdif=mode=send_frame:parity=tff",
  bff: "bwdif=mode=send_frame:parity=bff",
};

/**
 * Brings HDR into the colours and the brightness of ordinary screens. 100 nits are the white of ordinary screens; the
 * curve keeps what is darker as it is and compresses what is brighter.
 */
const toneMapping = (transfer: NonNullable<PictureLook["hdr"]>) =>
  [
    `zscale=tin=${transfer}:pin=bt2020:min=bt2020nc:rin=tv:t=linear:npl=100`,
    "format=gbrpf32le",
    "zscale=p=bt709",
    "tonemap=mobius:desat=0",
    "zscale=t=bt709:m=bt709:r=tv",
  ].join(",");

function pictureFilters({ look: { hdr, interlaced }, isSmall, beginsEarly }: Picture): string {
  const filters = [
    // Leaves out the pictures that `cutPiece` puts into the first instants.
    beginsEarly && `trim=start=${firstShownSeconds}`,
    interlaced && deinterlacing[interlaced],
    // Tone mapping is slow, so the picture is made small before.
    scaling(isSmall),
    hdr && toneMapping(hdr),
    "format=yuv420p",
  ];
  return filters.filter(Boolean).join(",");
}

/** Players must not take the mapped picture for HDR. */
const ordinaryColors = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"];

/** The encoder of converted pictures, as `pictureCodec` says. */
export const pictureEncoding = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-maxrate", "8M", "-bufsize", "16M"],
  ...["-profile:v", "high", "-level:v", "4.2", "-sc_threshold", "0"],
];
export const frugalEncoding = ["-x264-params", "rc-lookahead=5:sync-lookahead=0"];

type Picture = {
  look: PictureLook;
  isSmall: boolean;
  isFrugal: boolean;
  /** The film was cut without encoding it again, and begins with pictures that are not shown. */
  beginsEarly: boolean;
};

const pictureArguments = (segments: readonly PlannedSegment[], picture: Picture) => [
  ...["-an", "-fps_mode", "passthrough", "-enc_time_base", "1/1000"],
  ...["-vf", pictureFilters(picture), ...threadsOf(picture.isFrugal)],
  ...(picture.look.hdr ? ordinaryColors : []),
  ...pictureEncoding,
  ...(picture.isFrugal ? frugalEncoding : []),
  ...["-g", "100000"],
  ...["-force_key_frames", keyFrameTimes(segments).map(justBefore).join(",")],
];

/** One millisecond early, because the times of the film are rounded. */
const justBefore = (seconds: number) => Math.max(0, seconds - 0.001).toFixed(4);

/** Where the segments begin, and where their piece ends: no picture before that may need one after it. */
function keyFrameTimes(segments: readonly PlannedSegment[]): number[] {
  const last = segments.at(-1);
  return [...segments.map(startInFile), ...(last?.piece ? [last.end - last.piece.shift] : [])];
}

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
    // films. It counts `first_pts` at the rate of its input, which is therefore changed before.
    "aresample=48000",
    `aresample=async=1:min_hard_comp=${maxDriftSeconds}:first_pts=${from}`,
    `aformat=channel_layouts=${layouts[track.channels - 1]}`,
    "apad",
    `atrim=end_pts=${to}`,
  ];
  return [
    ...["-vn", "-af", filters.join(",")],
    ...["-c:a", "aac", "-aac_coder", "fast", "-b:a", String(soundBitrate(track.channels))],
    ...["-f", "adts", "pipe:1"],
  ];
}
