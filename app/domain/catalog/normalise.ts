/** Turns names into keys that can be compared. The import stores keys of names; search makes a key of the typed text. */

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

/** Converts katakana to hiragana, because both write the same sounds. */
const asHiragana = (text: string) =>
  text.replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));

/** Removes differences of width, case, accents and invisible characters. Punctuation stays. */
function fold(text: string): string {
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

/**
 * The key of a name for search: words of letters and digits, separated by one space. Long vowels become short, since
 * romanisations differ in them (`Toukyou`, `Tokyo`). A name that has only symbols keeps them, or its key would be empty.
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

/** The key of a genre, studio or other word of a list: its letters and digits only. */
export function wordKey(name: string): string {
  const folded = fold(name);
  return cut(folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, "") || folded.trim());
}

/** The key by which a title is sorted. The database compares it as the language does: case and accents count last. */
export const sortKey = (title: string): string =>
  title.length <= maxKeyLength ? title : [...title].slice(0, maxKeyLength).join("");

/** Cuts by code points, because half of a surrogate pair is not valid UTF-8 for PostgreSQL. */
function cut(key: string): string {
  return key.length <= maxKeyLength ? key : [...key].slice(0, maxKeyLength).join("").trim();
}
