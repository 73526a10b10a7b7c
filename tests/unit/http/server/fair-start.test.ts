import { EventEmitter } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFairStart } from "#app/http/server/fair-start.server.ts";

const newResponse = () => new EventEmitter() as ServerResponse;

const newSocket = (remoteAddress: string, destroyed = false) =>
  Object.assign(new EventEmitter(), { remoteAddress, destroyed, resume() {} });
type FakeSocket = ReturnType<typeof newSocket>;

function newStart(mayConnect = (_client: string) => true, acceptMs = 0) {
  const server = new EventEmitter();
  const begun: string[] = [];
  server.on("connection", ({ remoteAddress }: FakeSocket) => begun.push(remoteAddress));
  const { start, takeWaitMs } = createFairStart(server as Server, mayConnect, acceptMs);
  return {
    server,
    begun,
    takeWaitMs: (socket: FakeSocket) => takeWaitMs(socket as unknown as Socket),
    start: (client: string, name = client, response = newResponse()) =>
      start(client, response, () => begun.push(name)),
  };
}

test("while nobody waits, a request begins at once", () => {
  const { start, begun } = newStart();
  start("192.0.2.1");
  expect(begun).toEqual(["192.0.2.1"]);
});

test("while one client has fifty earlier requests, another client's request begins among the first ten", async () => {
  const { start, begun } = newStart();
  for (let at = 0; at < 50; at++) start("192.0.2.1");
  start("192.0.2.2");
  expect(begun.length).toBeLessThan(10);
  await nextTurn();
  expect(begun.indexOf("192.0.2.2")).toBeLessThan(10);
  // The rest of each turn is left for other work of the event loop.
  expect(begun.length).toBeLessThan(20);
  await expect.poll(() => begun.length).toBe(51);
});

test("a connection that is closed before its turn waits no longer", async () => {
  let asked = 0;
  const { server } = newStart(() => {
    asked++;
    return false;
  });
  server.emit("connection", newSocket("192.0.2.1", true));
  await nextTurn();
  expect(asked).toBe(0);
  const socket = newSocket("192.0.2.1");
  server.emit("connection", socket);
  await expect.poll(() => asked).toBeGreaterThan(2);
  socket.emit("close");
  const askedBefore = asked;
  await pause(100);
  expect(asked).toBe(askedBefore);
});

test("while connections arrive in each turn of the event loop, few requests begin per turn", async () => {
  const { server, start, begun } = newStart();
  for (let at = 0; at < 50; at++) start("192.0.2.1", "request");
  const begunAtOnce = begun.length;
  for (let turn = 0; turn < 10; turn++) {
    server.emit("connection", newSocket("192.0.2.1"));
    await nextTurn();
  }
  expect(begun.filter((name) => name === "request").length - begunAtOnce).toBeLessThan(12);
  await expect.poll(() => begun.length).toBe(60);
});

test("while connections arrive, all of them are accepted for some milliseconds before one begins", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, begun } = newStart(undefined, 5);
  for (let turn = 0; turn < 20; turn++) {
    server.emit("connection", newSocket("192.0.2.2"));
    await nextTurn();
  }
  expect(begun).toEqual([]);
  vi.advanceTimersByTime(5);
  await nextTurn();
  expect(begun.length).toBeGreaterThan(0);
});

test("while connections arrive, they begin for as long as they were accepted, and then are accepted again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, begun } = newStart(undefined, 5);
  for (let at = 0; at < 40; at++) server.emit("connection", newSocket(`192.0.2.${at}`));
  const begunInTurn = async () => {
    const before = begun.length;
    server.emit("connection", newSocket("198.51.100.1"));
    await nextTurn();
    return begun.length - before;
  };
  expect(await begunInTurn()).toBe(0);
  vi.advanceTimersByTime(5);
  expect([await begunInTurn(), await begunInTurn(), await begunInTurn()]).toEqual([4, 4, 4]);
  vi.advanceTimersByTime(5);
  expect([await begunInTurn(), await begunInTurn(), await begunInTurn()]).toEqual([4, 0, 0]);
  vi.advanceTimersByTime(5);
  expect(await begunInTurn()).toBe(4);
});

test("while connections arrive, a client may begin eight at once, as a page does, and then one in each ten milliseconds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, begun } = newStart();
  for (let at = 0; at < 20; at++) server.emit("connection", newSocket("192.0.2.1"));
  const begunOfClient = async () => {
    for (let turn = 0; turn < 30; turn++) {
      server.emit("connection", newSocket("192.0.2.2"));
      await nextTurn();
    }
    return begun.filter((client) => client === "192.0.2.1").length;
  };
  expect(await begunOfClient()).toBe(8);
  vi.advanceTimersByTime(10);
  expect(await begunOfClient()).toBe(9);
  // Eight again, after a while without any.
  vi.advanceTimersByTime(1000);
  expect(await begunOfClient()).toBe(17);
});

test("while connections arrive, those of four clients begin in each turn of the event loop", async () => {
  const { server, begun } = newStart();
  for (let at = 0; at < 40; at++) server.emit("connection", newSocket(`192.0.2.${at}`));
  await nextTurn();
  await nextTurn();
  for (let turn = 0; turn < 5; turn++) {
    const before = begun.length;
    server.emit("connection", newSocket("198.51.100.1"));
    await nextTurn();
    expect(begun.length - before).toBe(4);
  }
});

test("while one client connects without end, each of many other requests begins within a few turns of the event loop", async () => {
  const { server, start, begun } = newStart();
  const others = Array.from({ length: 20 }, (_, at) => `198.51.100.${at}`);
  for (const other of others) {
    server.emit("connection", newSocket("192.0.2.1"));
    start("192.0.2.1");
    start(other);
    await nextTurn();
    await nextTurn();
  }
  expect(others.filter((other) => !begun.includes(other)).length).toBeLessThan(3);
});

test("after one client opens fifty connections, the connection of another client is read second", async () => {
  const { server, begun } = newStart();
  for (let at = 0; at < 50; at++) server.emit("connection", newSocket("192.0.2.1"));
  server.emit("connection", newSocket("192.0.2.2"));
  expect(begun).toEqual([]);
  await expect.poll(() => begun.length).toBe(51);
  expect(begun.slice(0, 3)).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.1"]);
});

test("when fifty clients open a connection each, several of them are read in each turn of the event loop", async () => {
  const { server, begun } = newStart();
  for (let at = 0; at < 50; at++) server.emit("connection", newSocket(`192.0.2.${at}`));
  let turns = 0;
  while (begun.length < 50) {
    await nextTurn();
    if (begun.length > 0) turns++;
  }
  expect(turns).toBeLessThan(15);
});

test("when a client has the maximum number of waiting requests, its connections wait and others' do not", async () => {
  const busy = new Set(["192.0.2.1"]);
  const { server, begun } = newStart((client) => !busy.has(client));
  for (const client of ["192.0.2.1", "192.0.2.2"]) server.emit("connection", newSocket(client));
  await expect.poll(() => begun).toEqual(["192.0.2.2"]);
  busy.clear();
  await expect.poll(() => begun).toEqual(["192.0.2.2", "192.0.2.1"]);
});

test("a connection that closes before its turn is never read", async () => {
  const { server, begun } = newStart();
  const closed = newSocket("192.0.2.1");
  server.emit("connection", closed);
  server.emit("connection", newSocket("192.0.2.2"));
  closed.destroyed = true;
  await expect.poll(() => begun).toEqual(["192.0.2.2"]);
});

test("a request whose connection closes before it has begun never begins", async () => {
  const { start, begun } = newStart();
  const response = newResponse();
  for (let at = 0; at < 20; at++) start("192.0.2.1");
  start("192.0.2.1", "left", response);
  start("192.0.2.1", "last");
  response.emit("close");
  await expect.poll(() => begun).toContain("last");
  expect(begun).not.toContain("left");
});

test("a client with too many waiting requests has its next one refused, and another client's is not", () => {
  const { start } = newStart();
  let accepted = 0;
  while (start("192.0.2.1")) accepted++;
  expect(accepted).toBeGreaterThan(100);
  expect(start("192.0.2.2")).toBe(true);
});

test("the first request of a connection has waited as long as the connection, unless it comes later; the next request has not", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let mayConnect = false;
  const { server, begun, takeWaitMs } = newStart(() => mayConnect);
  const [early, late] = [newSocket("192.0.2.1"), newSocket("192.0.2.2")];
  for (const socket of [early, late]) server.emit("connection", socket);
  vi.advanceTimersByTime(1400);
  mayConnect = true;
  // Not `expect.poll`, which moves the fake clock.
  while (begun.length < 2) await nextTurn();
  expect([takeWaitMs(early), takeWaitMs(early)]).toEqual([1400, 0]);
  vi.advanceTimersByTime(30_000);
  expect(takeWaitMs(late)).toBe(0);
});
