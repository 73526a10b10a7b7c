import { expect, test } from "vitest";
import { decodeText } from "#app/media/subtitles/text-encoding.ts";

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const script = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,";
const letters = Buffer.from("これは日本語です");
/** これは日本語 */
const shiftJis = Buffer.from("82b182ea82cd93fa967b8cea", "hex");
/** そのはなしはなかなかおもしろい。私は学生です。 Bytes of its kana form valid letters of UTF-8. */
const manyKana = Buffer.from(
  "82bb82cc82cd82c882b582cd82c882a982c882a982a882e082b582eb82a281428e8482cd8a7790b682c582b78142",
  "hex",
);

test.each<[string, Buffer, string]>([
  ["UTF-8", Buffer.from("雨が降る"), "雨が降る"],
  ["UTF-8 with a byte order mark", Buffer.from("\uFEFFcafé"), "café"],
  ["UTF-8 with a mark, cut off", Buffer.from("\uFEFFcafé").subarray(0, -1), "caf\uFFFD"],
  [
    "UTF-8 with an invalid byte",
    Buffer.concat([letters, Buffer.of(0xe9), letters]),
    `${letters}\uFFFD${letters}`,
  ],
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
  ["Shift-JIS that is partly valid UTF-8", manyKana, "そのはなしはなかなかおもしろい。私は学生です。"],
  ["an empty file", Buffer.from(""), ""],
])("%s is read", (_, bytes, text) => expect(decodeText(bytes)).toBe(text));
