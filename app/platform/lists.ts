/** The values of each key, in their order. */
export function valuesByKey<Key, Value>(pairs: Iterable<readonly [Key, Value]>): Map<Key, Value[]> {
  const values = new Map<Key, Value[]>();
  for (const [key, value] of pairs) {
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/** `Map.groupBy`, which Node 20 lacks. */
export const groupBy = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> =>
  valuesByKey(Array.from(items, (item) => [keyOf(item), item]));

/** How often each key occurs. */
export function countEach<Key>(keys: Iterable<Key>): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The first item of each key, in their order. */
export const firstOfEach = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Item[] =>
  [...groupBy(items, keyOf).values()].flatMap((sameKey) => sameKey.slice(0, 1));

/** The values in lists of `size`; the last one can be shorter. */
export function* chunksOf<Value>(values: readonly Value[], size: number): Generator<Value[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
