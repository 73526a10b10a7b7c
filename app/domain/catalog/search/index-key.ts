import { searchKey } from "#app/domain/names/names.ts";

/**
 * A name's search key as stored in the index, in ASCII only. If a database's locale is C, PostgreSQL makes no trigrams
 * of other letters, and a search for a Japanese name would read every name. So each other letter is stored as a code: a
 * capital, then two capitals or digits. Search keys contain no capitals otherwise.
 */
export const indexKey = (name: string): string =>
  searchKey(name).replace(/\P{ASCII}/gu, (letter) => codeOf(letter.codePointAt(0) ?? 0));

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const capitals = 26;
const codes = capitals * digits.length ** 2;

/**
 * Letters of different scripts can share a code. Letters of one script do not: a script has fewer than `codes` letters,
 * with consecutive code points.
 */
function codeOf(codePoint: number): string {
  const number = codePoint % codes;
  const first = Math.floor(number / digits.length ** 2);
  const rest = number % digits.length ** 2;
  return (
    String.fromCharCode(65 + first) + digits[Math.floor(rest / digits.length)] + digits[rest % digits.length]
  );
}

const code = /[A-Z][A-Z\d]{2}/g;

/** An index key with one character per letter of the name, for counting and comparing letters. */
export const lettersOf = (key: string): string => key.replace(code, letterOf);

/** The inverse of `lettersOf`. */
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
