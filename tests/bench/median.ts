export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Contestants take turns, so that a machine that slows down slows all of them. */
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
