/** How close what was typed comes to a name, when no name matches as it was typed. */

/**
 * For every end in `name`, the least number of letters to mend so that `typed` stands before it. A changed, missing,
 * added or swapped letter counts once. `skipping` is what it costs to begin at a column instead of at the start.
 */
export function alignments(typed: string, name: string, skipping: (column: number) => number): number[] {
  let beforeLast: number[] = [];
  let last = Array.from({ length: name.length + 1 }, (_, column) => skipping(column));
  for (let row = 1; row <= typed.length; row++) {
    const current = [(last[0] ?? 0) + 1];
    for (let column = 1; column <= name.length; column++) {
      const same = typed[row - 1] === name[column - 1] ? 0 : 1;
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      if (row > 1 && column > 1 && typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1])
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last;
}

/** A name whose beginning was meant is worth a little less than one meant as a whole, words inside it less still. */
const beginning = 0.93;
const inside = 0.88;

/** 1: the same, 0: nothing in common. */
export function nameSimilarity(typed: string, name: string): number {
  const fromStart = alignments(typed, name, (column) => column);
  const whole = 1 - (fromStart[name.length] ?? 0) / Math.max(typed.length, name.length, 1);
  if (name.length <= typed.length) return whole;
  const part = (ends: readonly number[]) => 1 - Math.min(...ends) / Math.max(typed.length, 1);
  const within = name.includes(" ") ? part(alignments(typed, name, wordStarts(name))) : 0;
  return Math.max(whole, beginning * part(fromStart), inside * within);
}

/** Free at the first letter of every word, a letter each past it. */
function wordStarts(name: string): (column: number) => number {
  const start = (column: number) => (column === 0 ? 0 : name.lastIndexOf(" ", column - 1) + 1);
  return (column) => column - start(column);
}
