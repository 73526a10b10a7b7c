import { expect, test } from "vitest";
import { createContestedShare } from "#app/platform/limits/contested-share.ts";

test("of a full share, the client with the most loses what it has not used for longest to a client with less", () => {
  let refusals = 0;
  const share = createContestedShare({ total: 3, perClient: 3 }, () => refusals++);
  const ended: string[] = [];
  const take = (client: string, name: string, canEnd = true) =>
    share.take(client, { canEnd: () => canEnd, end: () => ended.push(name) });
  const first = take("a", "first");
  take("a", "second");
  take("a", "third", false);
  first?.noteUse();
  expect(take("b", "of b")).not.toBeNull();
  expect(ended).toEqual(["second"]);
  expect(take("c", "of c")).not.toBeNull();
  expect(ended).toEqual(["second", "first"]);
  // Each client holds one.
  expect(take("d", "of d")).toBeNull();
  expect([share.held(), refusals]).toEqual([3, 3]);
  first?.giveBack();
  expect(share.held()).toBe(3);
});

test("a client that has used up its own share ends nothing", () => {
  const share = createContestedShare({ total: 3, perClient: 2 }, () => {});
  const take = (client: string) => share.take(client, { canEnd: () => true, end: () => expect.fail() });
  for (const client of ["a", "a", "b"]) expect(take(client)).not.toBeNull();
  expect(take("a")).toBeNull();
  expect(take("b")).toBeNull();
});
