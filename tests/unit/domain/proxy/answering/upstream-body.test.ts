import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { bodyOfPlan } from "#app/domain/proxy/answering/upstream-body.server.ts";

const partFrom = (start: number) =>
  ({
    plan: { send: "part", part: { start, end: 4 }, size: 100, skip: start },
    seen: undefined,
    length: 100,
  }) as const;

/** An upstream that sends this text and then waits. */
function waiting(text: string) {
  const body = new PassThrough();
  body.write(text);
  return body;
}

test("after the requested range has arrived, the upstream is closed without waiting for the rest", async () => {
  const body = waiting("0123456789");
  const cut = bodyOfPlan(body, partFrom(2));
  expect(Buffer.concat(await (cut as Readable).toArray()).toString()).toBe("234");
  expect(body.destroyed).toBe(true);
});

test("if the client leaves, the upstream is closed", async () => {
  const body = waiting("0123456789");
  const cut = bodyOfPlan(body, partFrom(2)) as Readable;
  await once(cut.destroy(), "close");
  expect(body.destroyed).toBe(true);
});

test("an upstream that ends before the range fails", async () => {
  const cut = bodyOfPlan(Readable.from([Buffer.from("01")]), partFrom(0));
  await expect((cut as Readable).toArray()).rejects.toThrow();
});

test("without Content-Length, no more bytes are sent than the plan names", async () => {
  const range = {
    send: "part",
    part: { start: 50, end: 52 },
    size: 100,
    skip: 0,
  } as const;
  for (const plan of [range, { send: "whole", size: 3 } as const]) {
    const sent = bodyOfPlan(waiting("abcHTTP/1.1 200 OK"), { plan, seen: undefined, length: undefined });
    expect(Buffer.concat(await (sent as Readable).toArray()).toString()).toBe("abc");
  }
});

test("a body with the planned length, or without a known size, is passed on unchanged", () => {
  const body = waiting("abc");
  expect(bodyOfPlan(body, { plan: { send: "whole", size: 3 }, seen: undefined, length: 3 })).toBe(body);
  expect(
    bodyOfPlan(body, { plan: { send: "whole", size: undefined }, seen: undefined, length: undefined }),
  ).toBe(body);
});
