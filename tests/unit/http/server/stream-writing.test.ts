import { once } from "node:events";
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { limitUnsentBytes } from "#app/http/server/stream-writing.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/** Four of these fit, and two of one client. */
const answer = Buffer.alloc(Math.floor(0.24 * mebibytes(memoryPlan.unsentAnswers)));

/** A socket whose client never reads. */
function stuck(client: string) {
  const socket = new Writable({ write: () => {} });
  socket.end(answer);
  limitUnsentBytes(socket, client);
  return socket;
}

it("clients that read nothing are cut off when their unsent bytes exceed the limit, and closed ones no longer count", async () => {
  const waiting = ["a", "b", "c", "d"].map(stuck);
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  expect(stuck("e").destroyed).toBe(true);
  await Promise.all(waiting.map((socket) => once(socket.destroy(), "close")));
  const next = stuck("e");
  expect(next.destroyed).toBe(false);
  await once(next.destroy(), "close");
});

it("a client that has used up its share of unsent bytes is cut off, and another one is not", async () => {
  const sockets = ["a", "a", "a", "b"].map(stuck);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  const open = sockets.filter(({ destroyed }) => !destroyed);
  await Promise.all(open.map((socket) => once(socket.destroy(), "close")));
});

it("bytes that are already sent do not count", () => {
  const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
  for (let sent = 0; sent < 10; sent++) {
    socket.write(answer);
    limitUnsentBytes(socket, "a");
  }
  expect(socket.destroyed).toBe(false);
});
