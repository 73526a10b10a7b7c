import { expect, test } from "vitest";
import { decodeText } from "#app/media/subtitles/text-encoding.ts";

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const script = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,";
/** これは日本語 */
const shiftJis = Buffer.from("82b182ea82cd93fa967b8cea", "hex");

test.each<[string, Buffer, string]>([
  ["UTF-8", Buffer.from("雨が降る"), "雨が降る"],
  ["UTF-8 with a byte order mark", Buffer.from("\uFEFFcafé"), "café"],
  ["UTF-16, little end first", utf16("\uFEFF雨 café"), "雨 café"],
  ["UTF-16, big end first", utf16("\uFEFF雨 café").swap16(), "雨 café"],
  ["UTF-16 without a mark", utf16(`${script}雨が降る`), `${script}雨が降る`],
  ["UTF-16, big end first, without a mark", utf16(`${script}雨`).swap16(), `${script}雨`],
  ["Shift-JIS", Buffer.concat([Buffer.from(script), shiftJis]), `${script}これは日本語`],
  [
    "Windows-1252",
    Buffer.from(`${script}caf\u00e9 \u0093\u00bfQu\u00e9?\u0094`, "latin1"),
    `${script}café “¿Qué?”`,
  ],
  ["an empty file", Buffer.from(""), ""],
])("%s is read", (_, bytes, text) => expect(decodeText(bytes)).toBe(text));
