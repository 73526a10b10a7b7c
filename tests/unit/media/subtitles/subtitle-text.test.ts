import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SubtitleScript } from "#app/media/film/inspection.ts";
import { packLines } from "#app/media/subtitles/block-lines.ts";
import { writeSubtitles } from "#app/media/subtitles/subtitle-text.ts";

const vttOf = (text: string, format: SubtitleScript) =>
  writeSubtitles({ kind: "subtitles", bytes: Buffer.from(text), format, form: "vtt" });

const scriptOf = (...lines: string[]) =>
  `[Script Info]\r\nTitle: x\r\n\r\n[V4+ Styles]\r\nStyle: Default,Arial,20\r\n\r\n[Events]\r\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\n${lines.join("\r\n")}\r\n`;
const said = (text: string, { start = "0:00:01.00", end = "0:00:02.50", effect = "" } = {}) =>
  `Dialogue: 0,${start},${end},Default,,0,0,0,${effect},${text}`;
const cues = (vtt: string) =>
  vtt
    .split("\n\n")
    .slice(1)
    .map((cue) => cue.trimEnd());
const textsOf = (...lines: string[]) =>
  cues(vttOf(scriptOf(...lines), "ass")).map((cue) => cue.split("\n").slice(1).join("|"));

describe("an ASS script as WebVTT", () => {
  test("times are written in hours, minutes and thousandths", () => {
    expect(vttOf(scriptOf(said("Rain.", { start: "1:02:03.45", end: "1:02:05.00" })), "ass")).toBe(
      "WEBVTT\n\n01:02:03.450 --> 01:02:05.000\nRain.\n",
    );
  });

  test.each([
    ["Rain, and more rain.", "Rain, and more rain."],
    ["{\\i1}Rain{\\i0}.", "Rain."],
    ["One\\NTwo\\nthree\\hfour", "One|Two three\u00a0four"],
    ["{\\k20}ra{\\k30}in", "rain"],
    ["{\\p1}m 0 0 l 100 0 100 100{\\p0}Rain", "Rain"],
    ["{\\pos(10,10)\\pbo5}Rain", "Rain"],
    ["{a comment}Rain", "Rain"],
    ["{never closed", "{never closed"],
    ["a < b & c --> d", "a &lt; b &amp; c --&gt; d"],
    ["One\\N\\NTwo", "One|Two"],
  ])("%s is read as %s", (text, read) => expect(textsOf(said(text))).toEqual([read]));

  test.each([
    ["a drawing", said("{\\p1}m 0 0 l 100 0")],
    ["a comment", "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Rain"],
    ["a syllable of a karaoke template", said("ra", { effect: "fx" })],
    ["an end before its start", said("Rain", { start: "0:00:03.00", end: "0:00:02.00" })],
    ["a time that is none", said("Rain", { start: "soon" })],
    ["too few columns", "Dialogue: 0,0:00:01.00"],
  ])("a line with %s is left out", (_, line) => expect(textsOf(line)).toEqual([]));

  test("lines are ordered by time, and those of the same moment by their order in the file", () => {
    const later = { start: "0:00:05.00", end: "0:00:06.00" };
    expect(textsOf(said("Third", later), said("First"), said("Second"))).toEqual([
      "First",
      "Second",
      "Third",
    ]);
  });

  test("a sign that is written once for each layer and frame is one cue", () => {
    const frame = (at: number) =>
      said(`{\\pos(${at},10)}Station`, { start: `0:00:01.${at}0`, end: `0:00:01.${at + 1}0` });
    const frames = [1, 2, 3, 4].flatMap((at) => [frame(at), frame(at)]);
    expect(cues(vttOf(scriptOf(...frames), "ass"))).toEqual(["00:00:01.100 --> 00:00:01.500\nStation"]);
  });

  test("of three hundred signs at once six are kept, and all dialogue", () => {
    const signs = Array.from({ length: 300 }, (_, at) => said(`{\\pos(${at},10)}Sign ${at}`));
    expect(textsOf(...signs, said("Rain"))).toHaveLength(7);
  });

  test("SSA with its different columns is read too", () => {
    const ssa =
      "[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,Rain, too\n";
    expect(cues(vttOf(ssa, "ass"))).toEqual(["00:00:01.000 --> 00:00:02.000\nRain, too"]);
  });
});

test("the lines inside a film are dialogue also if another section follows the events of its script", () => {
  const head = `${scriptOf()}\r\n[Aegisub Extradata]\r\nData: 1,_aegi_perspective,e1\r\n`;
  const bytes = packLines([
    { startMs: 1000, durationMs: 1500, text: Buffer.from("0,0,Default,,0,0,0,,Rain, too") },
  ]);
  const lines = { kind: "subtitles" as const, bytes, format: "ass" as const, head };
  expect(cues(writeSubtitles({ ...lines, form: "vtt" }))).toEqual([
    "00:00:01.000 --> 00:00:02.500\nRain, too",
  ]);
  expect(writeSubtitles({ ...lines, form: "ass" })).toMatch(/\[Events\]\nFormat: .*\nDialogue: 0,.*\n$/);
});

test("a long line that an edition shows again and again does not fill the memory", () => {
  const text = Buffer.from("x".repeat(1024 * 1024));
  const bytes = packLines([{ startMs: 0, durationMs: 60_000, text }]);
  const pieces = Array.from({ length: 100 }, (_, index) => ({ from: 0, to: 1, start: index }));
  const written = writeSubtitles({ kind: "subtitles", bytes, format: "srt", form: "vtt", head: "", pieces });
  expect(written.length).toBeLessThan(50 * 1024 * 1024);
});

describe("SubRip as WebVTT", () => {
  test("numbers, fonts and positions are removed, and italics stay", () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}<font color="red"><i>Rain</i></font>\r\nagain\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000 X1:10\r\na < b\r\n';
    expect(cues(vttOf(srt, "srt"))).toEqual([
      "00:00:01.000 --> 00:00:02.500\n<i>Rain</i>\nagain",
      "00:00:03.000 --> 00:00:04.000\na &lt; b",
    ]);
  });

  test("a cue without a blank line after it ends at the next one", () => {
    const srt = "1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:03,000 --> 00:00:04,000\n1984\n";
    expect(cues(vttOf(srt, "srt")).map((cue) => cue.split("\n").slice(1))).toEqual([["One"], ["1984"]]);
  });
});

test("a script with many thousand lines of signs has no cues", () => {
  const line = `${said("{\\pos(1,1)\\fscx120}Rain")}\n`;
  const script = scriptOf(line.repeat(10_000));
  expect(vttOf(script, "ass").length).toBeLessThan(100);
});

test("a text can never start a cue of its own, whatever it contains", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("ass" as const, "srt" as const), (text, format) => {
      const line = text.replace(/[\r\n]/g, "");
      const file =
        format === "ass"
          ? scriptOf(said(line))
          : `1\n00:00:01,000 --> 00:00:02,000\n${line.replace(/-->/g, "")}\n`;
      const vtt = vttOf(file, format);
      expect(vtt.match(/-->/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(vtt.slice("WEBVTT\n\n".length)).not.toMatch(/\n\n./);
    }),
  );
});
