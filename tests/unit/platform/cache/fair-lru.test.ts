import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairLru } from "#app/platform/cache/fair-lru.ts";

const create = (maxSize: number) => createFairLru<{ size: number }>({ maxSize, sizeOf: ({ size }) => size });

test("a value that a second client has requested stays, however many values another client adds", () => {
  const cache = create(10);
  cache.set("wanted", { size: 1 }, "a");
  cache.set("unwanted", { size: 1 }, "a");
  expect(cache.get("wanted", "b")).toEqual({ size: 1 });
  for (let at = 0; at < 100; at++) {
    cache.set(`${at}`, { size: 1 }, "c");
    cache.get(`${at}`, "c");
  }
  expect([cache.get("wanted", "c"), cache.get("unwanted", "c")]).toEqual([{ size: 1 }, undefined]);
});

test("a value that replaces a value requested by several clients counts as requested by several", () => {
  const cache = create(10);
  cache.set("key", { size: 1 }, "a");
  cache.get("key", "b");
  cache.set("key", { size: 2 }, "a");
  for (let at = 0; at < 100; at++) cache.set(`${at}`, { size: 1 }, "c");
  expect([cache.get("key", "a"), cache.size()]).toEqual([{ size: 2 }, 7]);
});

test("the total never exceeds its limit, and clear removes everything", () => {
  const step = fc.record({ key: fc.nat(20), client: fc.nat(3), size: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const cache = create(60);
      for (const { key, client, size } of steps) {
        cache.set(`${key}`, { size }, `${client}`);
        cache.get(`${key}`, `${(client + key) % 3}`);
        expect(cache.size()).toBeLessThanOrEqual(60);
      }
      cache.clear();
      expect([cache.size(), steps.some(({ key }) => cache.get(`${key}`, "x"))]).toEqual([0, false]);
    }),
  );
});
