import { expect, test } from "vitest";
import { ffmpegArguments, fittedSize } from "#app/media/converting/ffmpeg-arguments.ts";

const segments = [0, 6.006, 12.012].map((from) => ({
  start: from,
  end: from + 6.006,
  from,
  to: null,
  at: 0,
}));
const picture = { kind: "picture" as const, track: 1, segments, widthPx: 1920, heightPx: 1080 };

test("ffmpeg reads only its standard input, and puts a key frame at the start of each later segment", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: false }, 1, []);
  const after = (name: string) => args[args.indexOf(name) + 1];
  expect(after("-protocol_whitelist")).toBe("pipe");
  expect(after("-i")).toBe("pipe:0");
  expect(after("-force_key_frames")).toBe("6.0050,12.0110");
});

test("the operator's arguments follow those of the site and precede the output", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: false }, 0, [
    "-c:v",
    "h264_vaapi",
  ]);
  expect(args.lastIndexOf("-c:v")).toBe(args.indexOf("h264_vaapi") - 1);
  expect(args.indexOf("h264_vaapi")).toBeLessThan(args.indexOf("pipe:1"));
});

test("with little memory, ffmpeg uses fewer threads, looks ahead less and makes 720 lines", () => {
  const args = ffmpegArguments({ format: "matroska", track: picture, isSmall: true }, 0, []);
  const threads = args.flatMap((one, index) => (/threads$/.test(one) ? [args[index + 1]] : []));
  expect(threads).toEqual(["1", "2", "2"]);
  expect(args[args.indexOf("-x264-params") + 1]).toContain("rc-lookahead=5");
  expect(args[args.indexOf("-vf") + 1]).toContain("min(720,ih)");
  expect(fittedSize(1920, 1080, true)).toEqual({ widthPx: 1280, heightPx: 720 });
});

test.each([
  [1280, 720, 1280, 720],
  [3840, 2160, 1920, 1080],
  [3840, 1600, 1920, 800],
  [1440, 1081, 1438, 1080],
])("a picture of %i × %i is converted to %i × %i", (width, height, widthPx, heightPx) =>
  expect(fittedSize(width, height, false)).toEqual({ widthPx, heightPx }),
);
