import { EventEmitter } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFairStart } from "#app/http/server/fair-start.server.ts";

const newResponse = () => new EventEmitter() as ServerResponse;

function newStart() {
  const server = new EventEmitter();
  const start = createFairStart(server as Server);
  const begun: string[] = [];
  return {
    server,
    begun,
    start: (client: string, name = client, response = newResponse()) =>
      start(client, response, () => begun.push(name)),
  };
}

test("a client has fifty requests that arrived before one of another client, then that one begins second", async () => {
  const { start, begun } = newStart();
  for (let at = 0; at < 50; at++) start("192.0.2.1");
  start("192.0.2.2");
  await nextTurn();
  expect(begun.slice(0, 3)).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.1"]);
  // The rest leaves time for what else happens in the event loop.
  expect(begun.length).toBeLessThan(20);
  await expect.poll(() => begun.length).toBe(51);
});

test("connections arrive in each turn of the event loop, then few requests begin", async () => {
  const { server, start, begun } = newStart();
  for (let at = 0; at < 50; at++) start("192.0.2.1");
  for (let turn = 0; turn < 10; turn++) {
    server.emit("connection");
    await nextTurn();
  }
  expect(begun.length).toBeLessThan(10);
  await expect.poll(() => begun.length).toBe(50);
});

test("a connection closes before its request has begun, then that request never begins", async () => {
  const { start, begun } = newStart();
  const response = newResponse();
  start("192.0.2.1", "first");
  start("192.0.2.1", "left", response);
  start("192.0.2.1", "last");
  response.emit("close");
  await expect.poll(() => begun).toEqual(["first", "last"]);
});

test("a client has too many requests that have not begun, then its next one is refused and another client's is not", () => {
  const { start } = newStart();
  let accepted = 0;
  while (start("192.0.2.1")) accepted++;
  expect(accepted).toBeGreaterThan(100);
  expect(start("192.0.2.2")).toBe(true);
});
