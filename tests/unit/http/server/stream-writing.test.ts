import { once } from "node:events";
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { limitUnsentBytes } from "#app/http/server/stream-writing.server.ts";
import { mebibytes } from "#app/platform/units.ts";

const answer = Buffer.alloc(mebibytes(60));

/** A socket whose client never reads. */
function stuck() {
  const socket = new Writable({ write: () => {} });
  socket.end(answer);
  limitUnsentBytes(socket);
  return socket;
}

it("a client that reads nothing is cut off when unsent bytes exceed their limit, and closed ones no longer count", async () => {
  const waiting = Array.from({ length: 4 }, stuck);
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  const oneTooMany = stuck();
  expect(oneTooMany.destroyed).toBe(true);
  await Promise.all(waiting.map((socket) => once(socket.destroy(), "close")));
  const next = stuck();
  expect(next.destroyed).toBe(false);
  next.destroy();
});

it("bytes that are already sent do not count", () => {
  const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
  for (let sent = 0; sent < 10; sent++) {
    socket.write(answer);
    limitUnsentBytes(socket);
  }
  expect(socket.destroyed).toBe(false);
});
