import { expect, test } from "vitest";
import { createRenderQueue, type RenderTask } from "#app/domain/images/render-queue.server.ts";

const task = (client: string, isForPoster: boolean): RenderTask => ({
  job: { kind: "avatar" },
  bytes: Buffer.alloc(0),
  requester: { client, isForPoster },
  isSlow: false,
  settle() {},
});

test("while one client has many posters in the queue, another client's picture is rendered fourth", () => {
  const { add, next } = createRenderQueue();
  for (let at = 0; at < 20; at++) add(task("192.0.2.1", true));
  add(task("192.0.2.2", false));
  const clients = Array.from({ length: 5 }, () => next(true)?.requester.client);
  expect(clients.indexOf("192.0.2.2")).toBe(3);
});

test("when only posters are in the queue, they are rendered one after another", () => {
  const { add, next } = createRenderQueue();
  for (let at = 0; at < 6; at++) add(task("192.0.2.1", true));
  expect(Array.from({ length: 7 }, () => next(false) !== undefined)).toEqual([...Array(6).fill(true), false]);
});
