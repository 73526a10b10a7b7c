import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, frameReader, wholeOf } from "#app/platform/process/child-frames.ts";

const frame = fc.record({ name: fc.string(), bytes: fc.uint8Array({ maxLength: 300 }) });

test("frames arrive whole and in order, wherever their bytes are divided into chunks", () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
      (sent, lengths) => {
        const all = Buffer.concat(sent.flatMap(({ name, bytes }) => encodeFrame({ name }, bytes)));
        const got: { name: string; bytes: Uint8Array }[] = [];
        const read = frameReader<{ name: string }>(({ name }, chunks) =>
          got.push({ name, bytes: new Uint8Array(wholeOf(chunks)) }),
        );
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1;
          read(all.subarray(at, at + length));
          at += length;
        }
        expect(got).toEqual(sent.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) })));
      },
    ),
  );
});
