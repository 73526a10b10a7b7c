import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSendingTurns } from "#app/http/server/sending-turns.server.ts";

test("an answer sends all its pieces of a turn at once, and so does another client's answer", async () => {
  const [first, second] = [createSendingTurns("192.0.2.1"), createSendingTurns("192.0.2.2")];
  const sent: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    first(() => sent.push("first"));
    second(() => sent.push("second"));
    first(() => sent.push("first again"));
    expect(sent.splice(0)).toEqual(["first", "second", "first again"]);
    await nextTurn();
  }
});

test("one of a client's hundred answers sends in each turn, and another client's answer does not wait for them", async () => {
  const sent: string[] = [];
  for (let at = 0; at < 100; at++) createSendingTurns("192.0.2.1")(() => sent.push("first"));
  createSendingTurns("192.0.2.2")(() => sent.push("second"));
  expect(sent).toEqual(["first", "second"]);
  await nextTurn();
  expect(sent.length).toBeLessThan(10);
  await expect.poll(() => sent.length).toBe(101);
});

test("the blocks of one network share its turns", async () => {
  const sent: number[] = [];
  for (const block of [1, 1, 1, 2]) createSendingTurns(`2001:db8:0:${block}::/64`)(() => sent.push(block));
  expect(sent).toEqual([1]);
  await expect.poll(() => sent).toEqual([1, 1, 2, 1]);
});
