import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { unpack } from "#app/domain/catalog-import/unpack.server.ts";
import { storedAsZstd, zstdBomb } from "#tests/support/data/zstd-bytes.ts";

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpacked(bytes: Buffer, size = 1000): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const chunk of unpack(inPieces(bytes, size))) found.push(Buffer.from(chunk));
  return Buffer.concat(found);
}

/** Compressed by `zstd -19 --check`. */
const compressed = Buffer.from(
  "KLUv/WTuEE0EAGLFERGQfWOCkVLu3aVgk8cvub7yDGyphI4pZBi2VELHFDIKWyqhYwohbKmEjikE9PCq+zpddI/ftfohdfihzOFbyBvm8GJ8CzXwKqgx4Fz/z8CTQssBETgM4f//Zwj96L33fc/70HOv9733ee+/7nvve753z94Qj87pnOs6171AtQR/gtylBk0N0TDRSw==",
  "base64",
);
const text = Array.from(
  { length: 40 },
  (_, n) => `{"n": ${n}, "text": "${"the same words again and again ".repeat(3)}"}\n`,
).join("");
const plain = Buffer.from(text);
const long = Buffer.from(text.repeat(100));

describe("unpack", () => {
  test.each([1, 7, 1000, 1_000_000])(
    "gzip, zstd and plain bytes are unpacked to the same bytes in pieces of %i",
    async (size) => {
      const forms = [plain, compressed, gzipSync(plain), storedAsZstd(plain), gzipSync(storedAsZstd(plain))];
      for (const form of forms) expect((await unpacked(form, size)).equals(plain)).toBe(true);
    },
  );

  test("several zstd frames and skippable frames are read one after another", async () => {
    const skipped = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5]);
    const stream = Buffer.concat([skipped, storedAsZstd(long), compressed, skipped, storedAsZstd(plain)]);
    expect((await unpacked(stream)).equals(Buffer.concat([long, plain, plain]))).toBe(true);
  });

  test("a frame that requires more than 128 MiB of memory is refused", async () => {
    expect((await unpacked(storedAsZstd(plain, { windowExponent: 27 }))).equals(plain)).toBe(true);
    const greedy = storedAsZstd(plain, { windowExponent: 30 });
    for (const stream of [greedy, Buffer.concat([compressed, greedy])])
      await expect(unpacked(stream)).rejects.toThrow("it needs a window of more than 128 MB to unpack");
  });

  test("a decompression bomb arrives in small chunks, so that its reader can stop", async () => {
    let chunks = 0;
    for await (const chunk of unpack(inPieces(zstdBomb(50_000), 65_536))) {
      expect(chunk.length).toBeLessThanOrEqual(131_072);
      chunks += 1;
      if (chunks === 100) break;
    }
  });

  test("single bytes, whether sent or packed, arrive in few parts, and up to where the file is damaged", async () => {
    const bytes = Buffer.alloc(80_000, "{}\n");
    const blocks = storedAsZstd(bytes, { blockBytes: 1, windowExponent: 10 });
    const partsOf = async (stream: Buffer, size: number) => {
      const parts: number[] = [];
      try {
        for await (const part of unpack(inPieces(stream, size))) parts.push(part.length);
      } catch {
        parts.push(-1);
      }
      return parts;
    };
    expect(await partsOf(bytes, 1)).toEqual([65_536, 14_464]);
    expect(await partsOf(blocks, 1000)).toEqual([65_536, 14_464]);
    const cut = blocks.subarray(0, blocks.length - 4);
    expect(await partsOf(cut, 1000)).toEqual([65_536, 14_463, -1]);
  });

  test("damaged, truncated and triple-packed streams are refused", async () => {
    for (const whole of [compressed, gzipSync(plain), storedAsZstd(plain)])
      await expect(unpacked(whole.subarray(0, whole.length - 20))).rejects.toThrow();
    await expect(unpacked(Buffer.concat([compressed, Buffer.from("garbage")]))).rejects.toThrow(
      "it is not zstd",
    );
    await expect(unpacked(gzipSync(gzipSync(gzipSync(plain))))).rejects.toThrow("it is packed several times");
  });
});
