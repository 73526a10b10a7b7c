import { searchKey } from "../normalise.ts";

/**
 * The search key of a name as the index stores it, in ASCII only. Where the locale of a database is C, PostgreSQL makes
 * no trigrams of other letters, and a search for a Japanese name would read every name. So each other letter is written
 * as a code: a capital, then two capitals or digits. A search key has no capitals of its own.
 */
export const indexKey = (name: string): string =>
  searchKey(name).replace(/\P{ASCII}/gu, (letter) => codeOf(letter.codePointAt(0) ?? 0));

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const capitals = 26;
const codes = capitals * digits.length ** 2;

/** Letters of different scripts share codes. Letters of one script do not: each has fewer than `codes`, in a row. */
function codeOf(codePoint: number): string {
  const number = codePoint % codes;
  const [first, rest] = [Math.floor(number / digits.length ** 2), number % digits.length ** 2];
  return (
    String.fromCharCode(65 + first) + digits[Math.floor(rest / digits.length)] + digits[rest % digits.length]
  );
}

const code = /[A-Z][A-Z\d]{2}/g;

/** An index key with one character for each letter of the name, to count and to compare letters. */
export const lettersOf = (key: string): string => key.replace(code, letterOf);

/** The opposite of `lettersOf`. */
export const codesOf = (letters: string): string =>
  letters.replace(/\P{ASCII}/gu, (letter) => codeOf((letter.codePointAt(0) ?? 0) - firstLetter));

const firstLetter = 0x100;
const letterOf = (code: string) =>
  String.fromCharCode(
    firstLetter +
      (code.charCodeAt(0) - 65) * digits.length ** 2 +
      digits.indexOf(code[1] ?? "") * digits.length +
      digits.indexOf(code[2] ?? ""),
  );
