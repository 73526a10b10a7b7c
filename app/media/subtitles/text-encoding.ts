import { isUtf8 } from "node:buffer";
import { utf16Of } from "../film/utf16-mark.ts";

/**
 * Reads text of an unknown encoding: UTF-8, UTF-16 of either byte order, or an older encoding, which is guessed from the
 * language of the text, if that is known, and from its bytes.
 */
export function decodeText(bytes: Uint8Array, language: string | null = null): string {
  const encoding = encodingOf(bytes, language);
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding === "windows-1252" ? withWindowsCharacters(text) : text;
}

/** Many versions of Node decode Windows-1252 as Latin-1, which has control characters here (nodejs/node#60888). */
export const withWindowsCharacters = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => quotesAndLetters[control.charCodeAt(0) - 0x80] ?? control);
const quotesAndLetters = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function encodingOf(bytes: Uint8Array, language: string | null): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  const utf16 = utf16Of(bytes) ?? findUnmarkedUtf16(bytes.subarray(0, sampleBytes));
  if (utf16) return utf16;
  if (isUtf8(bytes) || isDamagedUtf8(bytes)) return "utf-8";
  const sample = bytes.subarray(0, sampleBytes);
  if (isShiftJis(sample)) return "shift_jis";
  return (
    encodingOfLanguage(language ?? "") ?? (isCyrillic(sample) ? "windows-1251" : latinEncodingOf(language))
  );
}

/** Serbian is written in two alphabets. Most languages without an encoding here are written in Windows-1252. */
const latinEncodingOf = (language: string | null) =>
  language?.split("-")[0] === "sr" ? "windows-1250" : "windows-1252";

/** The usual encodings of languages that have one. */
const ofLanguages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "windows-1250": "bs cs hr hu pl ro sk sl",
    "windows-1251": "be bg mk ru uk",
    "windows-1253": "el",
    "windows-1254": "tr",
    "windows-1255": "he",
    "windows-1256": "ar fa",
    "windows-1257": "et lt lv",
    "windows-1258": "vi",
    "windows-874": "th",
    "euc-jp": "ja",
    "euc-kr": "ko",
    big5: "zh-TW zh-HK zh-Hant",
    gb18030: "zh",
  }).flatMap(([encoding, languages]) =>
    languages.split(" ").map((language) => [language, encoding] as const),
  ),
);

function encodingOfLanguage(tag: string): string | undefined {
  const [language = "", region] = tag.split("-");
  return ofLanguages.get(`${language}-${region}`) ?? ofLanguages.get(language);
}

/** The letters а, и and о, of which Cyrillic text has most, in Windows-1251. */
const cyrillicVowels = [0xe0, 0xe8, 0xee];

/** In Western text, letters that are not ASCII are rarely neighbors. */
function isCyrillic(sample: Uint8Array): boolean {
  let letters = 0;
  let neighbors = 0;
  let vowels = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte < 0xc0) continue;
    letters++;
    if ((sample[at - 1] ?? 0) >= 0xc0) neighbors++;
    // The capital letters lie 32 below.
    if (cyrillicVowels.includes(byte | 0x20)) vowels++;
  }
  return neighbors > letters / 2 && vowels > letters / 6;
}

const sampleBytes = 65_536;

/** Subtitles are mostly ASCII, even in Japanese: digits, commas, line breaks. About half of their UTF-16 bytes are zero. */
function findUnmarkedUtf16(sample: Uint8Array): string | null {
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = sample.length / 8;
  if (odd > enough && odd > 4 * even) return "utf-16le";
  return even > enough && even > 4 * odd ? "utf-16be" : null;
}

/**
 * One invalid byte must not garble a whole file. In other encodings, most letters that are not ASCII are invalid
 * UTF-8.
 */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte) => byte > 0x7f);
  const sample = bytes.subarray(start, start + sampleBytes);
  const letters = new TextDecoder().decode(sample, { stream: true }).match(/\P{ASCII}/gu) ?? [];
  const invalid = letters.filter((letter) => letter === "\ufffd").length;
  return invalid < letters.length / 10;
}

/** Most texts in Windows-1252 are also valid Shift-JIS, as half-width katakana. Only Japanese text has full-width kana. */
function isShiftJis(sample: Uint8Array): boolean {
  try {
    // The sample can end within a character. With `stream`, this is no error: the decoder waits for more.
    const text = new TextDecoder("shift_jis", { fatal: true }).decode(sample, { stream: true });
    const kana = text.match(/[\u3041-\u30fe]/g)?.length ?? 0;
    const halfWidth = text.match(/[\uff61-\uff9f]/g)?.length ?? 0;
    return kana > halfWidth;
  } catch {
    return false;
  }
}
