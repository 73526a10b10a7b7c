import { expect, test } from "vitest";
import { box, u16, u32 } from "#app/media/mp4/boxes.ts";
import { readPlainText, readStyledText, readVttCues } from "#app/media/mp4/timed-text.ts";

const sample = (text: Uint8Array | string, ...boxes: Uint8Array[]) => {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([u16(bytes.length), bytes, ...boxes]);
};
const style = (from: number, to: number, face: number) =>
  Buffer.concat([u16(from), u16(to), u16(1), Buffer.from([face, 18]), u32(0xffffffff)]);
const styles = (...all: Uint8Array[]) => box("styl", u16(all.length), ...all);

test.each([
  ["UTF-8", Buffer.from("雨 Rain")],
  ["UTF-16, the high byte first", Buffer.from("\ufeff雨 Rain", "utf16le").swap16()],
  ["UTF-16, the low byte first", Buffer.from("\ufeff雨 Rain", "utf16le")],
])("text in %s is read", (_, bytes) => expect(readPlainText(sample(bytes))).toBe("雨 Rain"));

test("styles count characters, including those outside the first plane", () => {
  const text = sample("😀 one two", styles(style(2, 5, 1), style(6, 9, 6)));
  expect(readStyledText(text)).toBe("😀 <b>one</b> <i><u>two</u></i>");
});

test("styles that lie outside the text are ignored", () =>
  expect(readStyledText(sample("one", styles(style(0, 9, 1), style(2, 1, 1))))).toBe("one"));

test("a sample that states more text than it has ends with its bytes", () =>
  expect(readPlainText(Buffer.concat([u16(500), Buffer.from("one")]))).toBe("one"));

test("a sample of WebVTT contains the cues of its time, or none", () => {
  const cue = (text: string) =>
    box("vttc", box("sttg", Buffer.from("line:0")), box("payl", Buffer.from(text)));
  expect(readVttCues(Buffer.concat([cue("one"), cue("two")]))).toEqual(["one", "two"]);
  expect(readVttCues(box("vtte"))).toEqual([]);
  expect(readVttCues(Buffer.from([0, 0, 0, 1, 2]))).toEqual([]);
});
