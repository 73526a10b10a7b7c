import { isUtf8 } from "node:buffer";

/** Reads text of an unknown encoding: UTF-8, UTF-16 of either byte order, Shift-JIS or Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding === "windows-1252" ? withWindowsCharacters(text) : text;
}

/** Many versions of Node decode Windows-1252 as Latin-1, which has control characters here (nodejs/node#60888). */
export const withWindowsCharacters = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => quotesAndLetters[control.charCodeAt(0) - 0x80] ?? control);
const quotesAndLetters = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  const unmarked = findUnmarkedUtf16(bytes.subarray(0, sampleBytes));
  if (unmarked) return unmarked;
  if (isUtf8(bytes) || isDamagedUtf8(bytes)) return "utf-8";
  return isShiftJis(bytes.subarray(0, sampleBytes)) ? "shift_jis" : "windows-1252";
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
