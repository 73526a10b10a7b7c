/** Decides which franchise keeps which number when its titles change. */

type Numbered = {
  /** The number; null for a franchise that needs a new one. */
  id: number | null;
  /** Numbers that now lead to this franchise, because it took in most of their titles. */
  takesIn: number[];
};

/**
 * A number stays with the franchise that has most of its old titles; ties go to the one with the lowest title. A
 * franchise that keeps several uses the one with most of its titles and takes in the others.
 *
 * `franchises` are lists of titles in the order of their numbers. `before` gives each title its old number.
 */
export function assignFranchiseNumbers(
  franchises: readonly (readonly number[])[],
  before: ReadonlyMap<number, number>,
): Numbered[] {
  const holders = new Map<number, { franchise: number; shared: number; lowest: number }>();
  for (const [franchise, malIds] of franchises.entries()) {
    const shared = new Map<number, number>();
    for (const malId of malIds) {
      const old = before.get(malId);
      if (old !== undefined) shared.set(old, (shared.get(old) ?? 0) + 1);
    }
    const lowest = Math.min(...malIds);
    for (const [old, count] of shared) {
      const holder = holders.get(old);
      const isBetter =
        !holder || count > holder.shared || (count === holder.shared && lowest < holder.lowest);
      if (isBetter) holders.set(old, { franchise, shared: count, lowest });
    }
  }
  const kept = franchises.map((): { old: number; shared: number }[] => []);
  for (const [old, { franchise, shared }] of holders) kept[franchise]?.push({ old, shared });
  return kept.map((numbers) => {
    const [own, ...others] = numbers.sort((one, other) => other.shared - one.shared || one.old - other.old);
    return { id: own?.old ?? null, takesIn: others.map(({ old }) => old) };
  });
}
