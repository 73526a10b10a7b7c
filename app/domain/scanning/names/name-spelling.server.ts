import { searchKey } from "#app/domain/names/names.ts";

/** Compares names by their words, whatever the spelling. */

/** The share of two names that is equal, from 0 to 1. */
export function sharedShare(one: string, other: string): number {
  const left = pairsOf(wordsOf(one));
  const right = pairsOf(wordsOf(other));
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return (2 * shared) / Math.max(1, left.size + right.size);
}

/** Names with different numbers score 0, because numbers tell the parts of a franchise apart. */
export const nameNearness = (one: string, other: string): number =>
  numbersIn(wordsOf(one)) === numbersIn(wordsOf(other)) ? sharedShare(one, other) : 0;

/** Names that differ only in case, spaces and punctuation have equal keys. */
export const nameKey = (name: string): string => searchKey(name).replaceAll(" ", "");

/** Words that people leave out of a name. */
const fillers = new Set(["the", "and"]);
const wordsOf = (name: string) =>
  searchKey(name)
    .split(" ")
    .filter((word) => word !== "" && !fillers.has(word))
    .map((word) => word.replace(/^0+(?=\d)/, ""));
const isNumber = (word: string) => /\d/.test(word) || /^(?:ii|iii|iv|v|vi)$/.test(word);
const numbersIn = (words: readonly string[]) => words.filter(isNumber).join(" ");

function pairsOf(words: readonly string[]): Set<string> {
  const text = words.join("");
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** In these scripts one letter more or less makes another word, so no typing error is tolerated. */
const isEastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const minTypoLength = 6;
const minTypoNameLength = 10;
const minReorderedWords = 3;

/**
 * True if two names are spellings of the same name: different romanisation, different word order, or one wrong letter
 * in a long word. An extra or a missing word makes it a different name, since sequels are named that way.
 */
export function isSameName(one: string, other: string): boolean {
  const first = wordsOf(one).map(romanised);
  const second = wordsOf(other).map(romanised);
  if (first.join("") === second.join("")) return first.length > 0;
  if (isOneLetterMore(first, second)) return true;
  if (first.length !== second.length) return false;
  if (first.length >= minReorderedWords && first.toSorted().join(" ") === second.toSorted().join(" "))
    return true;
  const [at = 0, ...more] = first.flatMap((word, index) => (word === second[index] ? [] : [index]));
  const [left, right] = [first[at] ?? "", second[at] ?? ""];
  return (
    more.length === 0 &&
    first.join("").length >= minTypoNameLength &&
    Math.min(left.length, right.length) >= minTypoLength &&
    [left, right].every((word) => !isNumber(word) && !isEastern.test(word)) &&
    isOneLetterOff(left, right)
  );
}

const minJoinedLength = 14;

/**
 * `Norn Nonet` and `Norun Nonet`, however the words are separated. Single-letter words and the last letter must match.
 */
function isOneLetterMore(first: readonly string[], second: readonly string[]): boolean {
  const one = first.join("");
  const other = second.join("");
  const digits = (text: string) => text.replace(/\D+/g, " ").trim();
  const letters = (words: readonly string[]) => words.filter((word) => /^\D$/u.test(word)).join("");
  return (
    Math.min(one.length, other.length) >= minJoinedLength &&
    one.at(-1) === other.at(-1) &&
    digits(one) === digits(other) &&
    letters(first) === letters(second) &&
    numbersIn(first.filter((word) => !/\d/.test(word))) ===
      numbersIn(second.filter((word) => !/\d/.test(word))) &&
    isOneLetterOff(one, other)
  );
}

/** A Map, because an object would return its own `constructor` for a word of a name. */
const particles: ReadonlyMap<string, string> = new Map([
  ["wo", "o"],
  ["ha", "wa"],
  ["he", "e"],
]);
const romanised = (word: string) =>
  (particles.get(word) ?? word)
    .replace(/dzu|du/g, "zu")
    .replace(/m(?=[bp])/g, "n")
    .replace(/cch/g, "tch")
    .replace(/aa+/g, "a")
    .replace(/ll|l/g, "r");

function isOneLetterOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const left = short.slice(at);
  const right = long.slice(at);
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left === right.slice(1) || left.slice(1) === right.slice(1) || isSwapped;
}

/** Where the words of a name occur in a longer one. */
export type HeldIn = "beginning" | "end" | "end of a sequel" | "both ends" | "movie" | "elsewhere";

/** A name that follows one of these words is part of another title's name. */
const sequelWords = new Set(
  "shin zoku kan eiga gekijoban gekijo ban movie film new neo super shinsaku soshuhen tokubetsu chibi mini petit puchi sd dai ova oad ona tv special zero after another kaku saishu final ex re".split(
    " ",
  ),
);
export const hasSequelWord = (text: string) => wordsOf(text).some((word) => sequelWords.has(word));

const typeWords = new Set([
  "movie",
  "film",
  "ova",
  "oad",
  "ona",
  "special",
  "tv",
  "season",
  "part",
  "animation",
]);
const partWords = new Set(["part", "cour", "movie", "film", "ova", "special"]);
const minEndLetters = 8;

/** Null if the longer name lacks some of the words in this order, or is no longer than the name. */
export function heldIn(name: string, longer: string): HeldIn | null {
  const words = wordsOf(name);
  const all = wordsOf(longer);
  if (words.length === 0 || words.length >= all.length) return null;
  const starts = words.every((word, index) => word === all[index]);
  if (starts) return words.at(-2) === "movie" && isNumber(words.at(-1) ?? "") ? "movie" : "beginning";
  const lead = all.slice(0, all.length - words.length);
  if (words.every((word, index) => word === all[lead.length + index])) {
    if (words.length < 2 || words.join("").length < minEndLetters) return "elsewhere";
    return lead.some((word) => sequelWords.has(word) || isNumber(word)) ? "end of a sequel" : "end";
  }
  return hasInOrder(words, all) ? bothEnds(words, all) : null;
}

const hasInOrder = (words: readonly string[], all: readonly string[]) =>
  all.reduce((at, word) => (word === words[at] ? at + 1 : at), 0) === words.length;

/** `Show R2` in `Show: The Long Name R2`: the last word tells the title apart from the rest of the franchise. */
function bothEnds(words: readonly string[], all: readonly string[]): HeldIn {
  const last = words.at(-1) ?? "";
  const left = all.filter((word) => !words.includes(word));
  return words[0] === all[0] &&
    words.at(-2) !== "movie" &&
    last === all.at(-1) &&
    !typeWords.has(last) &&
    isNumber(last) &&
    !left.some((word) => isNumber(word) || partWords.has(word))
    ? "both ends"
    : "elsewhere";
}
