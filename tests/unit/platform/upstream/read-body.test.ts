import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";

const body = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe("readUpstreamBody", () => {
  it("a body is returned whole, or refused as too large, or refused as busy without memory for it", async () => {
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

  it("a body that never ends is refused after the time limit", async () => {
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
