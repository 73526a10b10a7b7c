import { expect, test } from "vitest";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";

const limits = { total: 10, perClient: 4 };

function drain(queue: FairQueue<string>) {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
}

test("clients take turns, and the items of each client keep their order", () => {
  const queue = new FairQueue<string>(limits);
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  queue.add("b", "b1");
  queue.add("c", "c1");
  queue.add("b", "b2");
  expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  expect(queue.size).toBe(0);
});

test("clients of one IPv6 /48 share its turns", () => {
  const queue = new FairQueue<string>({ total: 10, perClient: 9 });
  const items = [
    ["2001:db8:1:1::/64", "a1"],
    ["2001:db8:1:1::/64", "a2"],
    ["2001:db8:1:2::/64", "b1"],
    ["2001:db8:1:2::/64", "b2"],
    ["192.0.2.7", "x1"],
    ["192.0.2.7", "x2"],
  ] as const;
  for (const [client, item] of items) queue.add(client, item);
  expect([queue.placesBefore("192.0.2.9"), queue.placesBefore("2001:db8:1:3::/64")]).toEqual([2, 4]);
  const places = items.map(([client, item]) => [item, queue.placeOf(client, item)] as const);
  const inOrder = places.toSorted(([, a], [, b]) => a - b).map(([item]) => item);
  expect(inOrder).toEqual(["a1", "x1", "b1", "x2", "a2", "b2"]);
  expect(drain(queue)).toEqual(inOrder);
});

test("a client that fills its part of the queue is refused while another client is not", () => {
  const queue = new FairQueue<string>(limits);
  expect(["1", "2", "3", "4", "5"].map((item) => queue.add("a", item))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(queue.add("b", "1")).toBe(true);
  queue.next();
  expect(queue.add("a", "6")).toBe(true);
});

test("an item's queue position counts the items of other clients that have a turn before it", () => {
  const queue = new FairQueue<string>(limits);
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  queue.add("b", "b1");
  const places = () => [queue.placeOf("a", "a1"), queue.placeOf("a", "a3"), queue.placeOf("b", "b1")];
  expect(places()).toEqual([0, 3, 1]);
  queue.next();
  expect([queue.placeOf("b", "b1"), queue.placeOf("a", "a2")]).toEqual([0, 1]);
});

test("an item whose requester has left frees its position", () => {
  const queue = new FairQueue<string>(limits);
  for (const item of ["1", "2", "3", "4"]) queue.add("a", item);
  expect(queue.remove("a", "2")).toBe(true);
  expect(queue.remove("a", "2")).toBe(false);
  expect(queue.add("a", "5")).toBe(true);
  expect(drain(queue)).toEqual(["1", "3", "4", "5"]);
});
