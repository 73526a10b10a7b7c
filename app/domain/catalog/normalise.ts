/** How names are made comparable, once at import and again for what is typed. */

const maxKeyLength = 200;

const letters: Record<string, string> = {
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
const special = new RegExp(`[${Object.keys(letters).join("")}]`, "g");

/** Katakana as hiragana: the two write the same sounds. */
const asHiragana = (text: string) =>
  text.replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));

/** Compatible forms, case, accents and invisible characters gone; punctuation still there. */
function fold(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(special, (letter) => letters[letter] ?? "");
  return asHiragana(plain);
}

/**
 * What a name is searched by: words of letters and digits with one space between them, and long vowels as
 * romanisations without them write them. A name of nothing but symbols is kept as it is.
 */
export function searchKey(name: string): string {
  const folded = fold(name);
  const words = folded
    .replace(/['’`´]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .replace(/o[ou]+/g, "o")
    .replace(/uu+/g, "u");
  return cut(words === "" ? folded.replace(/\s+/g, " ").trim() : words);
}

export const withoutSpaces = (key: string): string => key.replaceAll(" ", "");

/** Names of genres, studios and the like compare by letters and digits alone. */
export function wordKey(name: string): string {
  const folded = fold(name);
  return cut(folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, "") || folded.trim());
}

/** By code points, so that no pair is torn. */
function cut(key: string): string {
  return key.length <= maxKeyLength ? key : [...key].slice(0, maxKeyLength).join("").trim();
}
