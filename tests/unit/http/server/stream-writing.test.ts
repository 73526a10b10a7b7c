import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { admitStream, limitUnsentBytes, writeBody } from "#app/http/server/stream-writing.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { reusePieces } from "#app/platform/reused-pieces.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";

/** The limit admits four such answers in total, and two of one client. */
const answer = Buffer.alloc(Math.floor(0.24 * mebibytes(memoryPlan.unsentAnswers)));

/** A socket whose client never reads. */
function stuck(client: string, body = Buffer.alloc(answer.length)) {
  const socket = new Writable({ write: () => {} });
  socket.end(body);
  limitUnsentBytes(socket, client, body);
  return socket;
}

const closed = (...sockets: readonly Writable[]) =>
  Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket.destroy(), "close")));

test("clients that read nothing are cut off when their unsent bytes exceed the limit, and closed ones no longer count", async () => {
  const waiting = ["a", "b", "c", "d"].map((client) => stuck(client));
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  expect(stuck("e").destroyed).toBe(true);
  await Promise.all(waiting.map((socket) => once(socket.destroy(), "close")));
  const next = stuck("e");
  expect(next.destroyed).toBe(false);
  await once(next.destroy(), "close");
});

test("a client that has used up its share of unsent bytes is cut off, and another one is not", async () => {
  const sockets = ["a", "a", "a", "b"].map((client) => stuck(client));
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  const open = sockets.filter(({ destroyed }) => !destroyed);
  await Promise.all(open.map((socket) => once(socket.destroy(), "close")));
});

test("bytes that several clients wait for count once, until the last client has left", async () => {
  const evicted = Buffer.alloc(answer.length);
  const first = stuck("a", evicted);
  const later = [1, 2, 3, 4, 5].map(() => stuck("a", evicted));
  await closed(first);
  const others = ["a", "b", "c"].map((client) => stuck(client));
  expect([...later, ...others].map(({ destroyed }) => destroyed)).toEqual(Array(8).fill(false));
  expect(stuck("d").destroyed).toBe(true);
  await closed(...later);
  const next = stuck("d");
  expect(next.destroyed).toBe(false);
  await closed(...others, next);
});

test("when the client that is charged for shared bytes leaves, the next one that waits for them is charged", async () => {
  const evicted = Buffer.alloc(answer.length);
  const first = stuck("a", evicted);
  const next = stuck("b", evicted);
  await closed(first);
  const own = ["a", "a", "b"].map((client) => stuck(client));
  expect([next, ...own].map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  await closed(next, ...own);
});

test("a client without room for shared bytes is cut off when it would be charged, and the one after it is charged", async () => {
  const evicted = Buffer.alloc(answer.length);
  const first = stuck("a", evicted);
  const own = ["b", "b"].map((client) => stuck(client));
  const [next, last] = ["b", "c"].map((client) => stuck(client, evicted)) as [Writable, Writable];
  await closed(first);
  await expect.poll(() => next.destroyed).toBe(true);
  await closed(next);
  const ownOfLast = ["c", "c"].map((client) => stuck(client));
  expect([last, ...ownOfLast].map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
  await closed(last, ...own, ...ownOfLast);
});

test("sent bytes do not count", () => {
  const socket = new Writable({ write: (_chunk, _encoding, done) => done() });
  for (let sent = 0; sent < 10; sent++) {
    socket.write(answer);
    limitUnsentBytes(socket, "a");
  }
  expect(socket.destroyed).toBe(false);
});

const piece = Buffer.alloc(kibibytes(64));

/** A body of a hundred pieces, each as large as the buffer of a socket. */
function largeBody() {
  let madeCount = 0;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      this.push(madeCount++ < 100 ? piece : null);
    },
  });
  return { body, madeCount: () => madeCount };
}

test("a body is not read further until its client has taken the previous piece", async () => {
  const { body, madeCount } = largeBody();
  let take = () => {};
  const socket = new Writable({
    highWaterMark: piece.length,
    write(_piece, _encoding, done) {
      take = done;
    },
  });
  const writing = writeBody(body, socket);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(socket.writableLength).toBe(piece.length);
  expect(madeCount()).toBeLessThan(4);
  take();
  await expect.poll(() => socket.writableLength).toBe(piece.length);
  socket.destroy();
  await expect(writing).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
});

test("a client whose hundred answers are all taken at once gets few pieces in a turn of the event loop", async () => {
  let pieces = 0;
  const taking = () =>
    new Writable({
      highWaterMark: 1,
      write(_piece, _encoding, done) {
        pieces += 1;
        process.nextTick(done);
      },
    });
  const sockets = Array.from({ length: 100 }, taking);
  const endless = () => new Readable({ read: () => {} });
  const bodies = sockets.map(endless);
  const writings = sockets.map((socket, at) =>
    writeBody(bodies[at] as Readable, socket, { client: "192.0.2.1" }),
  );
  const turns = 20;
  for (let turn = 0; turn < turns; turn++) {
    for (const body of bodies) if (body.readableLength === 0) body.push("piece");
    await setImmediate();
  }
  // The first piece of an answer waits for no turn.
  expect(pieces - bodies.length).toBeLessThan(5 * turns);
  expect(pieces - bodies.length).toBeGreaterThan(turns);
  for (const socket of sockets) socket.destroy();
  expect((await Promise.allSettled(writings)).map(({ status }) => status)).not.toContain("fulfilled");
});

test("a body that fails closes the connection with its error", async () => {
  const body = new Readable({ read: () => {} });
  const socket = new Writable({ write: (_piece, _encoding, done) => done() });
  const writing = writeBody(body, socket);
  const failure = new Error("the file is gone");
  body.destroy(failure);
  await expect(writing).rejects.toBe(failure);
  expect(socket.destroyed).toBe(true);
});

test.each([
  ["shorter", 5],
  ["longer", 1],
])("a body that is %s than announced closes the connection", async (_what, length) => {
  const written: string[] = [];
  const socket = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const body = Readable.from([Buffer.from("a"), Buffer.from("bc")], { objectMode: false });
  await expect(writeBody(body, socket, { length })).rejects.toMatchObject({
    code: "ERR_STREAM_PREMATURE_CLOSE",
  });
  expect([socket.destroyed, body.destroyed]).toEqual([true, true]);
  expect(written.join("").length).toBeLessThanOrEqual(length);
});

/** A body of two pieces, and a list of the pieces that were returned. */
function piecedBody() {
  const body = Readable.from([Buffer.from("one"), Buffer.from("two")], { objectMode: false });
  const back: string[] = [];
  reusePieces(body, (piece) => back.push(piece.toString()));
  return { body, back };
}

test("a piece is returned when the socket has taken it, and no earlier", async () => {
  const { body, back } = piecedBody();
  const seen: string[][] = [];
  const socket = new Writable({
    async write(_piece, _encoding, done) {
      await setImmediate();
      seen.push([...back]);
      done();
    },
  });
  await writeBody(body, socket);
  await once(socket, "finish");
  expect(seen).toEqual([[], ["one"]]);
  expect(back).toEqual(["one", "two"]);
});

test("when a client leaves, its body ends, and the piece that its socket still holds is not returned", async () => {
  const { body, back } = piecedBody();
  const socket = new Writable({ highWaterMark: 1, write: () => {} });
  const writing = writeBody(body, socket);
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
  socket.destroy();
  await expect(writing).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  expect(body.destroyed).toBe(true);
  expect(back).toEqual([]);
});

test("a piece that its socket could not write is not returned", async () => {
  const { body, back } = piecedBody();
  const failure = new Error("the connection was reset");
  const socket = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => done(failure) });
  await expect(writeBody(body, socket)).rejects.toBe(failure);
  expect([body.destroyed, back]).toEqual([true, []]);
});

test("a body that ends before its client has read it closes the connection", async () => {
  const { body } = piecedBody();
  const socket = new Writable({ highWaterMark: 1, write: () => {} });
  const writing = writeBody(body, socket);
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
  body.destroy();
  await expect(writing).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  expect(socket.destroyed).toBe(true);
});

test("a closed connection accepts nothing, and the body is ended", async () => {
  const { body, back } = piecedBody();
  const socket = new Writable({ write: (_piece, _encoding, done) => done() });
  await once(socket.destroy(), "close");
  await expect(writeBody(body, socket)).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  expect([body.destroyed, back]).toEqual([true, []]);
});

test("when some clients take all streamed answers, another gets one in place of the slowest", async () => {
  const admitted: Writable[] = [];
  const admit = (client: string, body = new Readable({ read: () => {} })) => {
    const socket = new Writable({ write: (_piece, _encoding, done) => done() });
    const onPiece = admitStream(socket, client, false);
    if (!onPiece) return null;
    admitted.push(socket);
    writeBody(body, socket, { onPiece })?.catch(() => {});
    return socket;
  };
  // Its reader takes each piece at once, so it is not the slowest although it is the oldest.
  const film = new Readable({ read: () => {} });
  const quick = admit("192.0.2.0", film);
  const slowest = admit("192.0.2.0");
  for (let client = 0; client < 40; client++) {
    while (admit(`192.0.2.${client}`));
    film.push("piece");
    await setImmediate();
  }
  const countOpen = () => admitted.filter(({ destroyed }) => !destroyed).length;
  const total = countOpen();
  expect(admit("198.51.100.1")).not.toBeNull();
  expect(countOpen()).toBe(total);
  expect([quick?.destroyed, slowest?.destroyed]).toEqual([false, true]);
  await closed(...admitted);
});
