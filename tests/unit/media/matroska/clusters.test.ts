import { expect, test } from "vitest";
import { blocksFrom, indexKeyFrames, maxKeyFrames } from "#app/media/matroska/clusters.ts";
import { idBytes, ids, reader } from "#tests/support/data/matroska-bytes.ts";

test("the walk over a film ends among millions of empty elements", () => {
  const empty = Buffer.concat(Array.from({ length: 2000 }, () => Buffer.of(0xec, 0x80)));
  let reads = 0;
  const film = {
    size: 4_000_000,
    read(at: number, length: number) {
      reads++;
      return empty.subarray(at % 2, (at % 2) + length);
    },
  };
  expect([...blocksFrom(film, 0)]).toEqual([]);
  expect(reads).toBeLessThan(100);
});

test("a part of an index has no more key frames than the index of any film", () => {
  const keyFrame = Buffer.concat([idBytes(ids.simpleBlock), Buffer.of(0x84, 0x81, 0, 0, 0x80)]);
  const bytes = Buffer.alloc((maxKeyFrames + 1000) * keyFrame.length, keyFrame);
  const part = indexKeyFrames(reader(bytes), 0, { track: 1, timestampScale: 1_000_000 }, () => false);
  expect(part.keyFrames).toHaveLength(maxKeyFrames);
  expect(part.next).toBeNull();
});
