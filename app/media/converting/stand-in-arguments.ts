import { ffmpegReaders, type RemuxedContainer } from "../film/other-containers.ts";
import { deinterlacing, frugalEncoding, pictureEncoding, scaling, threadsOf } from "./ffmpeg-arguments.ts";

/**
 * The arguments with which ffmpeg puts a film of another container into a Matroska file, its stand-in. Tracks are
 * copied wherever Matroska can hold them.
 *
 * ffmpeg gets both files as open descriptors. It may use no protocol but that of files, and no reader but the one for
 * the container that the site has recognized.
 */

const inputDescriptor = 3;
const outputDescriptor = 4;

const reading = (container: RemuxedContainer, verbosity: "error" | "info") => {
  const format = ffmpegReaders[container];
  return [
    ...["-v", verbosity, "-nostdin", "-max_alloc", String(512 * 1024 * 1024)],
    ...["-protocol_whitelist", "file", "-format_whitelist", format],
    // Sound and subtitles of a disc can begin long after the picture.
    ...["-probesize", String(20 * 1024 * 1024), "-analyzeduration", "30000000"],
    // AVI has no times of display, and films that were joined or cut off have wrong ones.
    ...["-fflags", "+genpts+discardcorrupt", "-f", format, "-i", `file:/dev/fd/${inputDescriptor}`],
  ];
};

/** With these arguments, ffmpeg describes the film in its error output, for `readStreams`, and ends with an error. */
export const describingArguments = (container: RemuxedContainer): string[] => reading(container, "info");

type Stream = {
  index: number;
  kind: "Video" | "Audio" | "Subtitle";
  codec: string;
  /** The number of pixels; 0 for streams that are no pictures. */
  pixels: number;
  /** The programs of a broadcast to which the stream belongs. */
  programs: number[];
};
export type FoundStreams = { durationSeconds: number | null; streams: Stream[] };

const maxStreams = 100;

/** Reads ffmpeg's description of a film. Streams of which ffmpeg found nothing but their number are left out. */
export function readStreams(text: string): FoundStreams {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d{2,4}):(\d\d):(\d\d(?:\.\d+)?)/m.exec(text) ?? [];
  const streams = new Map<number, Stream>();
  let programs: number[] = [];
  const lines = text.matchAll(
    /^ {2}(?:No )?Program(?: (\d{1,5}))? *$|^ {1,4}Stream #0:(\d{1,4})(?:\[0x[\da-f]+\])?(?:\([^)\n]{0,20}\))?: (Video|Audio|Subtitle): (\w+)(.*)$/gm,
  );
  for (const [, program, index, kind, codec = "", rest = ""] of lines) {
    if (index === undefined) {
      programs = program === undefined ? [] : [Number(program)];
      continue;
    }
    if (codec === "none" || /, 0 channels|\(attached pic\)/.test(rest) || streams.size >= maxStreams)
      continue;
    const [, width, height] = /, (\d{1,5})x(\d{1,5})/.exec(rest) ?? [];
    if (kind === "Video" && width === undefined) continue;
    const known = streams.get(Number(index));
    // A stream that several programs share is listed in each of them.
    if (known) known.programs.push(...programs);
    else
      streams.set(Number(index), {
        index: Number(index),
        kind: kind as Stream["kind"],
        codec,
        pixels: Number(width ?? 0) * Number(height ?? 0),
        programs: [...programs],
      });
  }
  return {
    durationSeconds:
      seconds === undefined ? null : 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds),
    streams: [...streams.values()],
  };
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** The codecs that Matroska can hold, by ffmpeg's names. */
const copied = {
  Video: setOf(
    "mpeg1video mpeg2video mpeg4 msmpeg4v1 msmpeg4v2 msmpeg4v3 wmv1 wmv2 wmv3 vc1 h264 hevc theora vp8 vp9 av1 mjpeg",
  ),
  Audio: setOf(
    "aac ac3 eac3 dts truehd mp2 mp3 vorbis opus flac pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le wmav1 wmav2 wmapro wmalossless adpcm_ms adpcm_ima_wav",
  ),
  Subtitle: setOf("hdmv_pgs_subtitle dvd_subtitle dvb_subtitle subrip ass webvtt"),
};

/** AVI and ASF do not say in which order such pictures are shown, and only a decoder can tell. */
const withoutOrder: ReadonlySet<RemuxedContainer> = new Set(["avi", "asf"]);
const reordered = setOf("h264 hevc");

export type StandInPlan = {
  picture: Stream;
  isPictureConverted: boolean;
  sounds: Stream[];
  subtitles: Stream[];
};

const maxSounds = 16;
const maxSubtitles = 32;

/** Null: the film has no picture. */
export function planStandIn(container: RemuxedContainer, { streams }: FoundStreams): StandInPlan | null {
  // Broadcasts have other programs, and a second, small picture for phones.
  const picture = streams
    .filter(({ kind }) => kind === "Video")
    .reduce<Stream | null>((largest, one) => (largest && largest.pixels >= one.pixels ? largest : one), null);
  if (!picture) return null;
  const isOfPicture = ({ programs }: Stream) =>
    programs.length === 0 ||
    picture.programs.length === 0 ||
    programs.some((one) => picture.programs.includes(one));
  const of = (kind: Stream["kind"]) => streams.filter((one) => one.kind === kind && isOfPicture(one));
  const isPictureConverted =
    !copied.Video.has(picture.codec) || (withoutOrder.has(container) && reordered.has(picture.codec));
  return {
    picture,
    isPictureConverted,
    sounds: of("Audio").slice(0, maxSounds),
    subtitles: of("Subtitle")
      .filter(({ codec }) => copied.Subtitle.has(codec))
      .slice(0, maxSubtitles),
  };
}

type Options = {
  /** Whether to use as little memory as possible. */
  isSmall: boolean;
  /** ffmpeg stops when the file has this size. */
  maxBytes: number;
  /** The operator's arguments for a converted picture, which override those of the site. */
  extra: readonly string[];
};

export function standInArguments(
  container: RemuxedContainer,
  plan: StandInPlan,
  { isSmall, maxBytes, extra }: Options,
): string[] {
  const { picture, isPictureConverted, sounds, subtitles } = plan;
  const mapped = [picture, ...sounds, ...subtitles];
  return [
    ...["-y", "-progress", "pipe:1", "-stats_period", "0.5", ...threadsOf(isSmall)],
    ...reading(container, "error"),
    ...mapped.flatMap(({ index }) => ["-map", `0:${index}`]),
    ...["-map_metadata:g", "-1", "-c", "copy"],
    ...(isPictureConverted ? convertedPicture(isSmall, extra) : copiedPicture(container, picture)),
    ...sounds.flatMap(({ codec }, at) => soundCoding(codec, at)),
    // Without a version and a random number in it, the file is the same each time it is made.
    ...["-fflags", "+bitexact", "-max_muxing_queue_size", "4096", "-fs", String(maxBytes)],
    ...["-f", "matroska", "-cluster_time_limit", "5000", `file:/dev/fd/${outputDescriptor}`],
  ];
}

/** Old AVI files put two pictures into one packet, which no other container does. */
const copiedPicture = (container: RemuxedContainer, { codec }: Stream) =>
  container === "avi" && codec === "mpeg4" ? ["-bsf:v", "mpeg4_unpack_bframes"] : [];

/** The codec is that of all converted pictures, so that browsers need no second conversion. */
const convertedPicture = (isSmall: boolean, extra: readonly string[]) => [
  ...["-vf", `${deinterlacing.marked},${scaling(isSmall)},format=yuv420p`],
  ...[...threadsOf(isSmall), ...pictureEncoding],
  ...(isSmall ? frugalEncoding : []),
  ...["-g", "120", ...extra],
];

function soundCoding(codec: string, at: number): string[] {
  if (copied.Audio.has(codec)) return [];
  return codec.startsWith("pcm_") ? [`-c:a:${at}`, "flac"] : [`-c:a:${at}`, "aac", `-ac:a:${at}`, "2"];
}

/** Reads how far ffmpeg is from the text that it writes with `-progress`. Null: the text does not say it. */
export function readProgress(text: string): { seconds: number; bytes: number } | null {
  const lastOf = (name: string) => [...text.matchAll(new RegExp(`^${name}=(\\d{1,15})$`, "gm"))].at(-1)?.[1];
  const time = lastOf("out_time_us");
  const size = lastOf("total_size");
  return size === undefined ? null : { seconds: Number(time ?? 0) / 1_000_000, bytes: Number(size) };
}
