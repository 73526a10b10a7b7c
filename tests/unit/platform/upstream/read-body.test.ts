import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";

const body = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe("readBody", () => {
  it("gives all of a body, or says that it is too large, or that there is no room", async () => {
    expect(await readUpstreamBody({ headers: {}, body: body("ab", "c") }, 3)).toEqual({
      ok: true,
      bytes: Buffer.from("abc"),
    });
    expect(await readUpstreamBody({ headers: {}, body: body("ab", "c") }, 2)).toMatchObject({
      reason: "too_large",
    });
    const admit = (bytes: number) => bytes < 2;
    expect(await readUpstreamBody({ headers: {}, body: body("a", "bc") }, 9, { admit })).toMatchObject({
      reason: "busy",
    });
  });

  it("does not wait for who never comes to an end", async () => {
    const trickling = new PassThrough();
    trickling.write("a");
    expect(await readUpstreamBody({ headers: {}, body: trickling }, 9, { withinMs: 20 })).toEqual({
      ok: false,
      reason: "timed_out",
      afterMs: 20,
    });
    expect(trickling.destroyed).toBe(true);
  });
});
