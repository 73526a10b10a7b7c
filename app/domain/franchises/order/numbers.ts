/** Decides which franchise keeps which number when its titles change. */

type Numbered = {
  /** The number; null for a franchise that needs a new one. */
  id: number | null;
  /** Other numbers that lead to this franchise, because it has most of their titles. */
  takesIn: number[];
};

/** A number that leads to another franchise, with the titles that it had when that one took it in. */
export type FormerNumber = { fromId: number; toId: number; malIds: number[] };

type Share = { franchise: number; own: number; all: number; lowest: number };

/**
 * A number stays with the franchise that has most of its old titles; ties go to the one with the lowest title. A
 * franchise that keeps several uses the one with most of its titles and takes in the others.
 *
 * If a franchise that was taken in separates again, it gets its former number back. So when a franchise splits, its number
 * stays with most of the titles that came without a former number. The other titles count only in a tie.
 *
 * `franchises` are lists of titles in the order of their numbers. `before` gives each title its old number. `former` are
 * the numbers that lead to one of these.
 */
export function assignFranchiseNumbers(
  franchises: readonly (readonly number[])[],
  before: ReadonlyMap<number, number>,
  former: readonly FormerNumber[],
): Numbered[] {
  const formerOf = new Map<number, number[]>();
  for (const { fromId, toId, malIds } of former)
    for (const malId of malIds)
      if (before.get(malId) === toId) formerOf.set(malId, [...(formerOf.get(malId) ?? []), fromId]);
  const holders = new Map<number, Share>();
  for (const [franchise, malIds] of franchises.entries()) {
    const lowest = Math.min(...malIds);
    const shares = new Map<number, Share>();
    const count = (number: number, isOwn: boolean) => {
      const share = shares.get(number) ?? { franchise, own: 0, all: 0, lowest };
      shares.set(number, { ...share, own: share.own + (isOwn ? 1 : 0), all: share.all + 1 });
    };
    for (const malId of malIds) {
      const [old, formerNumbers = []] = [before.get(malId), formerOf.get(malId)];
      if (old !== undefined) count(old, formerNumbers.length === 0);
      for (const number of formerNumbers) count(number, true);
    }
    for (const [number, share] of shares) {
      const holder = holders.get(number);
      if (!holder || isLarger(share, holder)) holders.set(number, share);
    }
  }
  const heldNumbers = franchises.map((): { old: number; shared: number; isFormer: boolean }[] => []);
  const current = new Set(before.values());
  for (const [old, { franchise, all }] of holders)
    heldNumbers[franchise]?.push({ old, shared: all, isFormer: !current.has(old) });
  return heldNumbers.map((numbers) => {
    const [own, ...others] = numbers.sort(
      (one, other) =>
        Number(one.isFormer) - Number(other.isFormer) || other.shared - one.shared || one.old - other.old,
    );
    return { id: own?.old ?? null, takesIn: others.map(({ old }) => old) };
  });
}

function isLarger(one: Share, other: Share): boolean {
  if (one.own !== other.own) return one.own > other.own;
  if (one.all !== other.all) return one.all > other.all;
  return one.lowest < other.lowest;
}
