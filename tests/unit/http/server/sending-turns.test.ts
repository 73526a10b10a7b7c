import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sendInTurn } from "#app/http/server/sending-turns.server.ts";

test("while few pieces wait, each is sent at once", async () => {
  const sent: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    sendInTurn("192.0.2.1", () => sent.push("first"));
    sendInTurn("192.0.2.2", () => sent.push("second"));
    expect(sent.splice(0)).toEqual(["first", "second"]);
    await nextTurn();
  }
});

test("while a client has a hundred pieces, each turn sends few, and another client's piece is in the next one", async () => {
  const sent: string[] = [];
  for (let at = 0; at < 100; at++) sendInTurn("192.0.2.1", () => sent.push("first"));
  sendInTurn("192.0.2.2", () => sent.push("second"));
  expect(sent.length).toBeLessThan(10);
  await nextTurn();
  expect(sent).toContain("second");
  expect(sent.length).toBeLessThan(20);
  await expect.poll(() => sent.length).toBe(101);
});
