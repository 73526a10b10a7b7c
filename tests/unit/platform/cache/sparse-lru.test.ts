import { expect, test } from "vitest";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";

test("a full cache evicts the value that was used least recently", () => {
  const cache = createSparseLru<string, number>({ max: 2 });
  cache.set("a", 1).set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([...cache.keys()].sort()).toEqual(["a", "c"]);
});
