/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The values in lists of `size`; the last one can be shorter. */
export function* chunksOf<Value>(values: readonly Value[], size: number): Generator<Value[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
