import { LRUCache } from "lru-cache";

/**
 * A cache of at most `max` values that takes memory only for those it holds. With its own `max`, lru-cache reserves lists
 * for all of them at once.
 */
export const createSparseLru = <Key extends string | number, Value extends NonNullable<unknown>>(options: {
  max: number;
  ttl?: number;
}): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: options.max, sizeCalculation: () => 1, ttl: options.ttl ?? 0 });
