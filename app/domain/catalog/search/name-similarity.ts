import { searchKey, withoutSpaces } from "#app/domain/names/names.ts";
import type { TitleNames } from "../catalog.ts";

/** Measures how similar a typed text is to a name. Search uses it if no name contains the typed text. */

/**
 * For every position in `name`, the edit distance between `typed` and the part of `name` that ends there. A changed,
 * missing, added or swapped letter counts one (Damerau-Levenshtein, optimal string alignment). `startCost` is the cost
 * of starting at a column instead of at the beginning of `name`.
 */
export function alignments(typed: string, name: string, startCost: (column: number) => number): number[] {
  let beforeLast: number[] = [];
  let last = Array.from({ length: name.length + 1 }, (_, column) => startCost(column));
  for (let row = 1; row <= typed.length; row++) {
    const current = [(last[0] ?? 0) + 1];
    for (let column = 1; column <= name.length; column++) {
      const changeCost = typed[row - 1] === name[column - 1] ? 0 : 1;
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + changeCost,
      );
      if (row > 1 && column > 1 && typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1])
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    [beforeLast, last] = [last, current];
  }
  return last;
}

/** Weights below 1 rank a match of the whole name above a match of its beginning, and both above a match inside it. */
const prefixWeight = 0.93;
const insideWeight = 0.88;

/** From 0 (nothing in common) to 1 (equal). */
export function nameSimilarity(typed: string, name: string): number {
  const fromStart = alignments(typed, name, (column) => column);
  const whole = 1 - (fromStart[name.length] ?? 0) / Math.max(typed.length, name.length, 1);
  if (name.length <= typed.length) return whole;
  const part = (ends: readonly number[]) => 1 - Math.min(...ends) / Math.max(typed.length, 1);
  const within = name.includes(" ") ? part(alignments(typed, name, wordStartCost(name))) : 0;
  return Math.max(whole, prefixWeight * part(fromStart), insideWeight * within);
}

/** Starting at the first letter of a word costs nothing; each letter after it costs one. */
function wordStartCost(name: string): (column: number) => number {
  const start = (column: number) => (column === 0 ? 0 : name.lastIndexOf(" ", column - 1) + 1);
  return (column) => column - start(column);
}

/**
 * The name to show with a search result, so that people see why the title was found. Search ranks names by fit, so the
 * match may be an obscure synonym. If the title's own name contains the query, that name is shown instead.
 */
export function shownMatch({ title, titleEnglish, titleJapanese }: TitleNames, alias: string, query: string) {
  const names = [titleEnglish, title, titleJapanese].filter((name) => name !== null);
  const typed = joinedKey(query);
  if (names.includes(alias) || joinedKey(alias) === typed) return alias;
  return names.find((name) => joinedKey(name).includes(typed)) ?? alias;
}

const joinedKey = (name: string) => withoutSpaces(searchKey(name));
