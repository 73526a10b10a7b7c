import { LRUCache } from "lru-cache";

/**
 * A cache of limited total size that evicts the least recently used values. Values that only one client has requested
 * live in their own half. A client that requests ten thousand unpopular values evicts only that half.
 */

type Options<Value> = { maxSize: number; sizeOf: (value: Value, key: string) => number };
type Untested<Value> = { value: Value; client: string };

export function createFairLru<Value extends object>({ maxSize, sizeOf }: Options<Value>) {
  const half = Math.floor(maxSize / 2);
  const wanted = new LRUCache<string, Value>({ maxSize: half, sizeCalculation: sizeOf });
  const untested = new LRUCache<string, Untested<Value>>({
    maxSize: half,
    sizeCalculation: ({ value }, key) => sizeOf(value, key),
  });

  return {
    get(key: string, client: string): Value | undefined {
      const known = wanted.get(key);
      if (known !== undefined) return known;
      const found = untested.get(key);
      if (found === undefined || found.client === client) return found?.value;
      untested.delete(key);
      wanted.set(key, found.value);
      return found.value;
    },
    has: (key: string) => wanted.has(key) || untested.has(key),
    set(key: string, value: Value, client: string) {
      if (wanted.has(key)) wanted.set(key, value);
      else untested.set(key, { value, client });
    },
    clear() {
      wanted.clear();
      untested.clear();
    },
    size: () => wanted.calculatedSize + untested.calculatedSize,
  };
}
