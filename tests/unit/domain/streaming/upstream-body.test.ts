import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { partOf } from "#app/domain/streaming/upstream-body.server.ts";

const part = (start: number, end: number) =>
  ({ send: "part", part: { start, end }, size: 100, skip: start, isCutAlready: false }) as const;

/** An upstream that says no more than this. */
function waiting(text: string) {
  const body = new PassThrough();
  body.write(text);
  return body;
}

it("lets the upstream go once the part is there, without waiting for the rest", async () => {
  const body = waiting("0123456789");
  const cut = partOf(body, undefined, part(2, 4));
  expect(Buffer.concat(await (cut as Readable).toArray()).toString()).toBe("234");
  expect(body.destroyed).toBe(true);
});

it("lets the upstream go when nobody comes for the part", async () => {
  const body = waiting("0123456789");
  const cut = partOf(body, undefined, part(2, 4)) as Readable;
  await once(cut.destroy(), "close");
  expect(body.destroyed).toBe(true);
});

it("fails when the upstream ends before the part does", async () => {
  const cut = partOf(Readable.from([Buffer.from("01")]), undefined, part(0, 4));
  await expect((cut as Readable).toArray()).rejects.toThrow();
});
