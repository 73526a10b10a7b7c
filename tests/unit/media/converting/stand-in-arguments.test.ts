import { describe, expect, test } from "vitest";
import {
  describingArguments,
  planStandIn,
  readProgress,
  readStreams,
  standInArguments,
} from "#app/media/converting/stand-in-arguments.ts";

const described = (...streams: string[]) =>
  readStreams(
    [
      "Input #0, avi, from 'file:/dev/fd/3':",
      "  Duration: 00:24:01.50, start: 0.000000, bitrate: 900 kb/s",
      ...streams,
    ].join("\n"),
  );
const picture = (codec: string, size = "640x480", index = 0) =>
  `  Stream #0:${index}[0x1011]: Video: ${codec} (Main), yuv420p, ${size}, 24 fps`;
const sound = (codec: string, index = 1) => `  Stream #0:${index}(jpn): Audio: ${codec}, 48000 Hz, stereo`;
const options = { isSmall: false, maxBytes: 1000, extra: [] };
const textOf = (args: readonly string[] = []) => args.join(" ");

describe("ffmpeg's description of a film", () => {
  test("gives its length, and the number, kind, codec and size of its streams", () => {
    const { durationSeconds, streams } = described(picture("h264"), sound("ac3"));
    expect(durationSeconds).toBe(1441.5);
    expect(streams).toEqual([
      { index: 0, kind: "Video", codec: "h264", pixels: 307_200, programs: [] },
      { index: 1, kind: "Audio", codec: "ac3", pixels: 0, programs: [] },
    ]);
  });

  test("leaves out covers, sound without channels and streams without a codec", () => {
    const cover = "  Stream #0:2: Video: mjpeg, yuvj420p, 600x600 (attached pic)";
    const { streams } = described(picture("none"), cover, "  Stream #0:3: Audio: aac, 0 channels");
    expect(streams).toEqual([]);
  });

  test("takes nothing from names that look like a description", () => {
    const { streams } = described(
      "    title           : x Stream #0:7: Video: h264, 640x480",
      picture("h264"),
    );
    expect(streams.map(({ index }) => index)).toEqual([0]);
  });
});

describe("the arguments", () => {
  test("allow one reader and no protocol but that of files", () => {
    const text = textOf(describingArguments("asf"));
    expect(text).toContain("-protocol_whitelist file -format_whitelist asf");
    expect(text).toContain("-f asf -i file:/dev/fd/3");
  });

  test("copy what Matroska holds, and convert the sound that it does not hold", () => {
    const found = described(picture("mpeg2video"), sound("ac3"), sound("pcm_bluray", 2), sound("ra_144", 3));
    const plan = planStandIn("mpegps", found);
    const text = plan ? textOf(standInArguments("mpegps", plan, options)) : "";
    expect(text).toContain("-map 0:0 -map 0:1 -map 0:2 -map 0:3");
    expect(text).toContain("-c copy");
    expect(text).toContain("-c:a:1 flac -c:a:2 aac -ac:a:2 2");
    expect(text).toContain("-fs 1000 -f matroska");
    expect(text).not.toContain("libx264");
  });

  test("convert a picture whose order AVI does not say", () => {
    const plan = planStandIn("avi", described(picture("h264")));
    expect(plan?.isPictureConverted).toBe(true);
    expect(planStandIn("mpegts", described(picture("h264")))?.isPictureConverted).toBe(false);
  });

  test("take the largest picture, and a limited number of sounds", () => {
    const sounds = Array.from({ length: 40 }, (_, at) => sound("aac", at + 2));
    const plan = planStandIn(
      "mpegts",
      described(picture("h264", "320x240"), picture("h264", "1280x720", 1), ...sounds),
    );
    expect(plan?.picture.index).toBe(1);
    expect(plan?.sounds).toHaveLength(16);
    expect(planStandIn("mpegts", described(sound("aac")))).toBeNull();
  });

  test("take only the sound of the program to which the picture belongs", () => {
    const found = described(
      ...["  Program 101 ", picture("h264", "320x240"), sound("aac"), sound("ac3", 2)],
      ...["  Program 102 ", picture("h264", "1280x720", 3), sound("mp2", 4), sound("ac3", 2)],
      ...["  No Program", sound("aac", 5)],
    );
    const plan = planStandIn("mpegts", found);
    expect(plan?.picture.index).toBe(3);
    expect(plan?.sounds.map(({ index }) => index)).toEqual([2, 4, 5]);
  });

  test("deinterlace a converted picture where it is marked", () => {
    const plan = planStandIn("avi", described(picture("dvvideo", "720x576")));
    expect(plan ? textOf(standInArguments("avi", plan, options)) : "").toContain("deint=interlaced");
  });
});

test("progress is read from the last whole report", () => {
  expect(readProgress("total_size=10\nout_time_us=1000000\nprogress=continue\n")).toEqual({
    seconds: 1,
    bytes: 10,
  });
  expect(readProgress("total_size=10\nout_time_us=N/A\ntotal_size=20\n")).toEqual({ seconds: 0, bytes: 20 });
  expect(readProgress("fps=1\n")).toBeNull();
});
