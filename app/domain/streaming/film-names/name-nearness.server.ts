import { searchKey } from "#app/domain/catalog/catalog.server.ts";

/**
 * From 0 to 1: how much of two names is the same. Names with other numbers are never near: those tell the parts of a
 * franchise apart.
 */
export function nameNearness(one: string, other: string): number {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  if (numbersIn(first) !== numbersIn(second)) return 0;
  const pairs = [pairsOf(first), pairsOf(second)] as const;
  const shared = [...pairs[0]].filter((pair) => pairs[1].has(pair)).length;
  return (2 * shared) / Math.max(1, pairs[0].size + pairs[1].size);
}

const wordsOf = (name: string) =>
  searchKey(name)
    .split(" ")
    .filter((word) => word !== "the");
const numbersIn = (words: readonly string[]) =>
  words.filter((word) => /\d/.test(word) || /^(?:ii|iii|iv|v|vi)$/.test(word)).join(" ");

function pairsOf(words: readonly string[]): Set<string> {
  const text = words.join("");
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
