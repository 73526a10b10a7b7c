import { PassThrough, Readable } from "node:stream";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { reusePieces } from "#app/platform/reused-pieces.server.ts";
import { readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";

const body = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe("readUpstreamBody", () => {
  test("a body is returned whole, or refused as too large, or refused as busy without memory for it", async () => {
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

  test("the memory of each piece is given back once its bytes are copied", async () => {
    const pieces = body("ab", "cd");
    const givenBack: string[] = [];
    reusePieces(pieces, (piece) => {
      givenBack.push(String(piece));
      piece.fill("-");
    });
    const outcome = await readUpstreamBody({ headers: {}, body: pieces }, 9);
    expect(outcome).toEqual({ ok: true, bytes: Buffer.from("abcd") });
    expect(givenBack).toEqual(["ab", "cd"]);
  });

  test("a body that never ends is refused after the time limit", async () => {
    const trickling = new PassThrough();
    trickling.write("a");
    expect(await readUpstreamBody({ headers: {}, body: trickling }, 9, { withinMs: 20 })).toEqual({
      ok: false,
      reason: "timed_out",
      afterMs: 20,
    });
    expect(trickling.destroyed).toBe(true);
  });

  test("memory is reserved for decoded bytes, so that a small compressed body cannot fill it", async () => {
    const read = async (bytes: Buffer, admittedBytes: number, encoding = "gzip") => {
      const headers = { "content-encoding": encoding };
      let left = admittedBytes;
      const admit = (count: number) => {
        left -= count;
        return left >= 0;
      };
      const outcome = await readUpstreamBody({ headers, body: Readable.from([bytes]) }, 1e7, { admit });
      return outcome.ok ? outcome.bytes.length : outcome.reason;
    };
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    expect(await read(bomb, 100_000)).toBe("busy");
    expect(await read(bomb, 1_000_000)).toBe(1_000_000);
    expect(await read(bomb.subarray(0, 500), 1_000_000)).toBe("bad_answer");
    for (const encoding of ["gzip", "deflate", "br"]) {
      expect(await read(Buffer.alloc(0), 1_000_000, encoding)).toBe(0);
      expect(await read(Buffer.alloc(1), 1_000_000, encoding)).toBe("bad_answer");
    }
  });

  test("compressed bytes without end that decode to nothing are refused as too large", async () => {
    const emptyBlocks = Buffer.concat(new Array<Buffer>(1000).fill(Buffer.from("000000ffff", "hex")));
    const endless = Readable.from(
      (function* () {
        yield deflateSync("").subarray(0, 2);
        for (;;) yield emptyBlocks;
      })(),
    );
    const headers = { "content-encoding": "deflate" };
    expect(await readUpstreamBody({ headers, body: endless }, 100_000)).toMatchObject({
      reason: "too_large",
    });
    expect(endless.destroyed).toBe(true);
  });
});
