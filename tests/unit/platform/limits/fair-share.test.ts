import { expect, test } from "vitest";
import { createFairShare } from "#app/platform/limits/fair-share.ts";

const v6 = (network: number, block: number) => `2001:db8:${network}:${block}::/64`;

test("a client that used up its share is refused, and another one is not", () => {
  const share = createFairShare({ total: 100, perClient: 2 });
  const giveBack = share.take("203.0.113.1");
  expect(share.take("203.0.113.1")).not.toBeNull();
  expect(share.take("203.0.113.1")).toBeNull();
  expect(share.take("203.0.113.2")).not.toBeNull();
  giveBack?.();
  expect(share.take("203.0.113.1")).not.toBeNull();
});

test("one network cannot take more by using many of its blocks", () => {
  const share = createFairShare({ total: 100, perClient: 2, perNetwork: 4 });
  const taken = Array.from({ length: 10 }, (_, block) => share.take(v6(1, block)));
  expect(taken.filter(Boolean)).toHaveLength(4);
  expect(share.take(v6(2, 1))).not.toBeNull();
});

test("one network never takes everything, even where one client may take half", () => {
  const share = createFairShare({ total: 100, perClient: 50 });
  for (const block of [1, 2, 3]) share.take(v6(1, block), 25);
  expect(share.take(v6(1, 4))).toBeNull();
  expect(share.take(v6(2, 1), 25)).not.toBeNull();
});

test.each([2, 3, 4])("one network never takes everything of %i", (total) => {
  const share = createFairShare({ total, perClient: Math.ceil(total / 2) });
  for (let block = 0; block < total; block++) share.take(v6(1, block));
  expect(share.take(v6(2, 1))).not.toBeNull();
});

test("no client gets more than the total", () => {
  const share = createFairShare({ total: 3, perClient: 2 });
  const taken = Array.from({ length: 5 }, (_, at) => share.take(`203.0.113.${at}`));
  expect(taken.filter(Boolean)).toHaveLength(3);
});

test("returning twice counts once, and a client that holds nothing is forgotten", () => {
  const share = createFairShare({ total: 10, perClient: 10 });
  const first = share.take(v6(1, 1), 4);
  const second = share.take(v6(1, 1), 4);
  first?.();
  first?.();
  expect(share.held()).toBe(4);
  second?.();
  expect(share.held()).toBe(0);
});
