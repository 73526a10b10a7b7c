/** The value that this share of the values is less than. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Measures each contestant in every round, so that a slower machine slows all of them. */
export async function mediansInTurns<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const results = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++)
    for (const [name, measure] of Object.entries<() => Promise<number>>(contestants)) {
      const value = await measure();
      // The first round warms up.
      if (round > 0) results.set(name, [...(results.get(name) ?? []), value]);
    }
  return Object.fromEntries([...results].map(([name, values]) => [name, median(values)])) as Record<
    Name,
    number
  >;
}

type Compared = { value: number; ratio: number };

/**
 * Returns the median of each contestant, and of its ratio to the first contestant. A ratio compares two measurements of
 * one round. Rounds change direction, so that no contestant always follows the same one.
 */
export async function comparedInTurns<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<number>>,
): Promise<Record<Name, Compared>> {
  const named = Object.entries<() => Promise<number>>(contestants);
  const results: Record<string, number>[] = [];
  for (let round = 0; round <= rounds; round++) {
    const result: Record<string, number> = {};
    for (const [name, measure] of round % 2 ? named : named.toReversed()) result[name] = await measure();
    // The first round warms up.
    if (round > 0) results.push(result);
  }
  const first = named[0]?.[0] ?? "";
  const of = (name: string) => results.map((result) => result[name] ?? Number.NaN);
  return Object.fromEntries(
    named.map(([name]) => {
      const ratios = of(name).map((value, round) => value / (of(first)[round] ?? Number.NaN));
      return [name, { value: median(of(name)), ratio: median(ratios) }];
    }),
  ) as Record<Name, Compared>;
}
