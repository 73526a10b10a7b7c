import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { bodyOfPlan } from "#app/domain/streaming/proxy/upstream-body.server.ts";

const part = (start: number, end: number) =>
  ({
    plan: { send: "part", part: { start, end }, size: 100, skip: start, isCutAlready: false },
    seen: undefined,
    length: 100,
  }) as const;

/** An upstream that says no more than this. */
function waiting(text: string) {
  const body = new PassThrough();
  body.write(text);
  return body;
}

it("lets the upstream go once the part is there, without waiting for the rest", async () => {
  const body = waiting("0123456789");
  const cut = bodyOfPlan(body, part(2, 4));
  expect(Buffer.concat(await (cut as Readable).toArray()).toString()).toBe("234");
  expect(body.destroyed).toBe(true);
});

it("lets the upstream go when nobody comes for the part", async () => {
  const body = waiting("0123456789");
  const cut = bodyOfPlan(body, part(2, 4)) as Readable;
  await once(cut.destroy(), "close");
  expect(body.destroyed).toBe(true);
});

it("fails when the upstream ends before the part does", async () => {
  const cut = bodyOfPlan(Readable.from([Buffer.from("01")]), part(0, 4));
  await expect((cut as Readable).toArray()).rejects.toThrow();
});

it("sends no more than a Content-Range named, though no length bounds it", async () => {
  const range = {
    send: "part",
    part: { start: 50, end: 52 },
    size: 100,
    skip: 0,
    isCutAlready: true,
  } as const;
  for (const plan of [range, { send: "whole", size: 3 } as const]) {
    const sent = bodyOfPlan(waiting("abcHTTP/1.1 200 OK"), { plan, seen: undefined, length: undefined });
    expect(Buffer.concat(await (sent as Readable).toArray()).toString()).toBe("abc");
  }
});

it("leaves a body alone that is as long as it should be", () => {
  const body = waiting("abc");
  expect(bodyOfPlan(body, { plan: { send: "whole", size: 3 }, seen: undefined, length: 3 })).toBe(body);
  expect(
    bodyOfPlan(body, { plan: { send: "whole", size: undefined }, seen: undefined, length: undefined }),
  ).toBe(body);
});
