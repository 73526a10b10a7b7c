/** How close what was typed comes to a name, when no name matches as it was typed. */

/** Changed, missing, added and swapped letters, each counted once. */
export function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

const likeness = (a: string, b: string) => 1 - editDistance(a, b) / Math.max(a.length, b.length, 1);

/** A name whose beginning was meant is worth a little less than one meant as a whole. */
const beginning = 0.93;

/** 1: the same, 0: nothing in common. */
export function closeness(typed: string, name: string): number {
  const whole = likeness(typed, name);
  return name.length <= typed.length
    ? whole
    : Math.max(whole, beginning * likeness(typed, name.slice(0, typed.length)));
}
