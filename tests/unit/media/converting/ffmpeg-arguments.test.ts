import { expect, test } from "vitest";
import { ffmpegArguments, lookArguments } from "#app/media/converting/ffmpeg-arguments.ts";
import { ordinaryLook, readPictureLook } from "#app/media/converting/picture-look.ts";

const segments = [0, 6.006, 12.012].map((from) => ({
  start: from,
  end: from + 6.006,
  from,
  to: null,
  at: 0,
}));
const picture = { kind: "picture" as const, track: 1, segments, canBeInterlaced: true };

test("ffmpeg reads only its standard input, and puts a key frame at the start of each later segment", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: false }, 1, ordinaryLook, []);
  const after = (name: string) => args[args.indexOf(name) + 1];
  expect(after("-protocol_whitelist")).toBe("pipe");
  expect(after("-i")).toBe("pipe:0");
  expect(after("-force_key_frames")).toBe("6.0050,12.0110");
});

test("the operator's arguments follow those of the site and precede the output", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: false }, 0, ordinaryLook, [
    "-c:v",
    "h264_vaapi",
  ]);
  expect(args.lastIndexOf("-c:v")).toBe(args.indexOf("h264_vaapi") - 1);
  expect(args.indexOf("h264_vaapi")).toBeLessThan(args.indexOf("pipe:1"));
});

test("with little memory, ffmpeg uses fewer threads, looks ahead less and makes 720 lines", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: true }, 0, ordinaryLook, []);
  const threads = args.flatMap((one, index) => (/threads$/.test(one) ? [args[index + 1]] : []));
  expect(threads).toEqual(["1", "2", "2"]);
  expect(args[args.indexOf("-x264-params") + 1]).toContain("rc-lookahead=5");
  expect(args[args.indexOf("-vf") + 1]).toContain("min(720,ih)");
});

const filtersFor = (look: Parameters<typeof ffmpegArguments>[2]) => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: false }, 0, look, []);
  return args[args.indexOf("-vf") + 1] ?? "";
};

test("a picture is deinterlaced before it is scaled, and its tones are mapped after that", () => {
  expect(filtersFor({ hdr: "smpte2084", interlaced: "marked" })).toMatch(
    /^bwdif=[^,]*deint=interlaced,scale=.*,zscale=tin=smpte2084.*,tonemap=.*,format=yuv420p$/,
  );
  expect(filtersFor({ hdr: null, interlaced: "bff" })).toMatch(/^bwdif=[^,]*parity=bff,scale=/);
  expect(filtersFor(ordinaryLook)).not.toMatch(/bwdif|zscale/);
});

test("pictures before the start of a film are left out", () => {
  const early = {
    ...picture,
    segments: [{ ...segments[0], from: -0.3 }, ...segments.slice(1)] as typeof segments,
  };
  const filtersFrom = (first: number) =>
    ffmpegArguments({ format: "mp4", track: early, isSmall: false }, first, ordinaryLook, []).join(" ");
  expect(filtersFrom(0)).toContain("-vf trim=start=0.01,scale");
  expect(filtersFrom(1)).not.toContain("trim");
});

test("one frame of a picture that cannot be interlaced is looked at, and none is written", () => {
  const args = lookArguments({
    format: "mp4",
    track: { ...picture, canBeInterlaced: false },
    isSmall: false,
  });
  expect(args.join(" ")).toMatch(/-protocol_whitelist pipe .*-i pipe:0 .*-frames:v 1 -f null -$/);
});

const streamLine = (facts: string) => `Input #0, matroska,webm, from 'pipe:0':
  Metadata:
    title           : Stream #0:0: Video: hevc, (tv, bt2020nc/bt2020/smpte2084, top first)
  Stream #0:0: Video: ${facts}, 720x480 [SAR 32:27 DAR 16:9], 29.97 fps
`;
const counted = (top: number, progressive: number) =>
  `[Parsed_idet_0 @ 0x1] Multi frame detection: TFF: ${top} BFF: 0 Progressive: ${progressive} Undetermined: 3\n`;

test.each([
  ["hevc (Main 10), yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive)", "", "smpte2084", null],
  ["hevc (Main 10), yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67)", "", "arib-std-b67", null],
  ["mpeg2video (Main), yuv420p(tv, top first)", "", null, "marked"],
  ["mpeg2video (Main), yuv420p(tv, smpte170m, bottom coded first (swapped))", "", null, "marked"],
  ["mpeg4, yuv420p", counted(40, 2), null, "tff"],
  ["mpeg2video (Main), yuv420p(tv, bottom first)", counted(40, 2), null, "tff"],
  ["mpeg4, yuv420p", counted(10, 30), null, null],
  ["mpeg4, yuv420p", counted(3, 0), null, null],
  ["h264 (High), yuv420p(tv, bt709, progressive)", counted(0, 45), null, null],
])("ffmpeg's description %s says how a picture is converted", (facts, counts, hdr, interlaced) =>
  expect(readPictureLook(streamLine(facts) + counts, { canMapTones: true })).toEqual({ hdr, interlaced }),
);

test("an ffmpeg without tone mapping leaves HDR as it is", () =>
  expect(
    readPictureLook(streamLine("hevc, yuv420p10le(tv, bt2020nc/bt2020/smpte2084)"), { canMapTones: false }),
  ).toEqual(ordinaryLook));
