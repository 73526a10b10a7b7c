/**
 * Turns names into comparable keys. The import stores the keys of names; a search computes the key of the typed text.
 */

const maxKeyLength = 200;

const replacements: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  "×": "x",
  "&": " and ",
};
const replaceable = new RegExp(`[${Object.keys(replacements).join("")}]`, "g");

/** Katakana and hiragana write the same sounds, so katakana is converted. */
const asHiragana = (text: string) =>
  text.replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));

/** Removes differences of width, case, accents and invisible characters. Punctuation stays. */
function fold(text: string): string {
  // Most names, and most parts of a long list of names. The steps below would change nothing else in ASCII.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase().replaceAll("&", replacements["&"] ?? "");
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(replaceable, (letter) => replacements[letter] ?? "");
  return asHiragana(plain);
}

/** The letters and digits of a folded name, with one space between words. */
const wordsOf = (folded: string) =>
  folded
    .replace(/['’`´]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/**
 * A name's search key: words of letters and digits, separated by one space. Long vowels are shortened, since
 * romanisations differ in them (`Toukyou`, `Tokyo`). A name of symbols alone keeps them, since its key would be empty
 * otherwise.
 */
export function searchKey(name: string): string {
  const folded = fold(name);
  const words = wordsOf(folded)
    .replace(/o[ou]+/g, "o")
    .replace(/uu+/g, "u");
  return cut(words === "" ? folded.replace(/\s+/g, " ").trim() : words);
}

export const withoutSpaces = (key: string): string => key.replaceAll(" ", "");

/** The key of a genre, studio or other list word: only its letters and digits. */
export function wordKey(name: string): string {
  const folded = fold(name);
  return cut(folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, "") || folded.trim());
}

/** Symbols that `fold` replaces with words. A title that begins with one is sorted by the letter or digit after it. */
const spelledSymbols = /[&＆×]/g;
const smallKana = /[ぁぃぅぇぉっゃゅょゎ]/g;

/**
 * The sort key of a name, compared bytewise: its words of letters and digits, without case, accents and kana marks. It
 * does not depend on a collation, so the order is the same on every machine and database. Titles of symbols alone come
 * first.
 */
export function sortKey(name: string): string {
  const letters = fold(name.replace(spelledSymbols, " "))
    .normalize("NFD")
    .replace(/[\u3099\u309a]/g, "")
    .normalize("NFC")
    .replace(smallKana, (small) => String.fromCharCode(small.charCodeAt(0) + 1));
  return cut(wordsOf(letters)) || ` ${cut(letters)}`;
}

/** Cuts between code points, because half of a surrogate pair is not valid UTF-8 for PostgreSQL. */
function cut(key: string): string {
  return key.length <= maxKeyLength ? key : [...key].slice(0, maxKeyLength).join("").trim();
}
