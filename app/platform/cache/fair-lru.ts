import { LRUCache } from "lru-cache";

/**
 * A cache of limited total size that evicts the least recently used values. Values that only one client has requested
 * live in their own half. A client that requests ten thousand unpopular values evicts only that half.
 */

type Options<Value> = { maxSize: number; sizeOf: (value: Value, key: string) => number };
type Single<Value> = { value: Value; client: string };

export function createFairLru<Value extends object>({ maxSize, sizeOf }: Options<Value>) {
  const half = Math.floor(maxSize / 2);
  const shared = new LRUCache<string, Value>({ maxSize: half, sizeCalculation: sizeOf });
  const single = new LRUCache<string, Single<Value>>({
    maxSize: half,
    sizeCalculation: ({ value }, key) => sizeOf(value, key),
  });

  return {
    get(key: string, client: string): Value | undefined {
      const known = shared.get(key);
      if (known !== undefined) return known;
      const entry = single.get(key);
      if (entry === undefined || entry.client === client) return entry?.value;
      single.delete(key);
      shared.set(key, entry.value);
      return entry.value;
    },
    has: (key: string) => shared.has(key) || single.has(key),
    set(key: string, value: Value, client: string) {
      if (shared.has(key)) shared.set(key, value);
      else single.set(key, { value, client });
    },
    clear() {
      shared.clear();
      single.clear();
    },
    size: () => shared.calculatedSize + single.calculatedSize,
  };
}
