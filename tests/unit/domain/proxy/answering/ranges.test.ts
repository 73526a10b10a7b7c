import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseContentRange,
  planAnswer,
  singleRange,
  sliceBytes,
  type UpstreamAnswer,
} from "#app/domain/proxy/answering/ranges.ts";

const answered = (status: number, rest: Partial<UpstreamAnswer> = {}): UpstreamAnswer => ({
  status,
  length: undefined,
  contentRange: undefined,
  tag: '"v1"',
  lastModified: "Fri, 01 May 2026 12:00:00 GMT",
  ...rest,
});
const plan = (range: string | undefined, what: UpstreamAnswer, ifRange?: string) =>
  planAnswer({ range, ifRange }, what);
const senseless = { send: "nothing sensible" };

describe("singleRange", () => {
  test.each([
    ["bytes=0-9", "bytes=0-9"],
    ["BYTES = 5 - ", "bytes=5-"],
    ["bytes=-500", "bytes=-500"],
    ["bytes=0-0,5-9", undefined],
    ["bytes=9-5", undefined],
    ["bytes=-", undefined],
    ["items=0-9", undefined],
    ["bytes=a-b", undefined],
    ["bytes=1 0-20", undefined],
    [undefined, undefined],
  ])("%s becomes %s", (header, single) => {
    expect(singleRange(header)).toBe(single);
  });

  test("a header of spaces does not stop the process", () => {
    const spaces = " ".repeat(8000);
    expect(singleRange(`bytes=${spaces}-${spaces}-`)).toBeUndefined();
    expect(singleRange(`bytes=${spaces}1${spaces}-${spaces}2${spaces}`)).toBe("bytes=1-2");
  });
});

describe("planAnswer", () => {
  test("a range is cut from a whole file that the upstream sent instead of the range", () => {
    const whole = answered(200, { length: 100 });
    expect(plan("bytes=10-19", whole)).toEqual({
      send: "part",
      part: { start: 10, end: 19 },
      size: 100,
      skip: 10,
    });
    expect(plan("bytes=90-", whole)).toEqual({
      send: "part",
      part: { start: 90, end: 99 },
      size: 100,
      skip: 90,
    });
    expect(plan("bytes=-5", whole)).toEqual({
      send: "part",
      part: { start: 95, end: 99 },
      size: 100,
      skip: 95,
    });
    expect(plan("bytes=90-200", whole)).toMatchObject({ part: { start: 90, end: 99 } });
    expect(plan("bytes=100-", whole)).toEqual({ send: "unsatisfiable", size: 100 });
    expect(plan("bytes=-0", whole)).toEqual({ send: "unsatisfiable", size: 100 });
    expect(plan("bytes=0-0,2-3", whole)).toEqual({ send: "whole", size: 100 });
    expect(plan("bytes=0-", answered(200))).toEqual({ send: "whole", size: undefined });
    expect(plan("bytes=0-", answered(200, { length: 0 }))).toEqual({ send: "unsatisfiable", size: 0 });
  });

  test("a range is cut only if If-Range names the same version", () => {
    const whole = answered(200, { length: 100 });
    expect(plan("bytes=0-9", whole, '"v1"')).toMatchObject({ send: "part" });
    expect(plan("bytes=0-9", whole, "Fri, 01 May 2026 12:00:00 GMT")).toMatchObject({ send: "part" });
    for (const other of ['"v0"', 'W/"v1"', "Sat, 02 May 2026 12:00:00 GMT", "", "nonsense"])
      expect(plan("bytes=0-9", whole, other)).toEqual({ send: "whole", size: 100 });
    const weak = answered(200, { length: 100, tag: 'W/"v1"' });
    expect(plan("bytes=0-9", weak, 'W/"v1"')).toEqual({ send: "whole", size: 100 });
  });

  test("a 206 is accepted only if it has the requested range", () => {
    const part = (contentRange: string, length?: number) => answered(206, { contentRange, length });
    expect(plan("bytes=10-19", part("bytes 10-19/100", 10))).toEqual({
      send: "part",
      part: { start: 10, end: 19 },
      size: 100,
      skip: 0,
    });
    expect(plan("bytes=10-", part("bytes 10-49/100"))).toMatchObject({ part: { start: 10, end: 49 } });
    expect(plan("bytes=10-19", part("bytes 10-19/*"))).toMatchObject({ send: "part", size: undefined });
    expect(plan("bytes=-5", part("bytes 95-99/100"))).toMatchObject({ part: { start: 95, end: 99 } });
    expect(plan("bytes=-500", part("bytes 0-99/100"))).toMatchObject({ send: "part" });
    for (const wrong of [
      "bytes 0-9/100",
      "bytes 10-29/100",
      "bytes 19-10/100",
      "bytes 10-19/15",
      "10-19/100",
      "",
    ])
      expect(plan("bytes=10-19", part(wrong))).toEqual(senseless);
    expect(plan("bytes=10-19", part("bytes 10-19/100", 9))).toEqual(senseless);
    expect(plan("bytes=-5", part("bytes 90-99/100"))).toEqual(senseless);
    expect(plan("bytes=-5", part("bytes 0-4/*"))).toEqual(senseless);
    expect(plan(undefined, part("bytes 0-9/100"))).toEqual(senseless);
    expect(plan(undefined, part("bytes 0-99/100"))).toEqual({ send: "whole", size: 100 });
    expect(plan("bytes=0-1,4-5", part("bytes 0-9/100"))).toEqual(senseless);
  });

  test("a 206 of another version than If-Range names is not sent", () => {
    const part = answered(206, { contentRange: "bytes 0-9/100" });
    const otherVersion = { send: "other version" };
    const date = "Fri, 01 May 2026 12:00:00 GMT";
    for (const same of [undefined, '"v1"', date])
      expect(plan("bytes=0-9", part, same)).toMatchObject({ send: "part" });
    for (const other of ['"v0"', 'W/"v1"', "Sat, 02 May 2026 12:00:00 GMT", "", "nonsense"])
      expect(plan("bytes=0-9", part, other)).toEqual(otherVersion);
    expect(plan(undefined, answered(206, { contentRange: "bytes 0-99/100" }), '"v0"')).toMatchObject({
      send: "whole",
    });
    // An upstream that respects If-Range need not repeat what the client knows.
    const bare = { ...part, tag: undefined, lastModified: undefined };
    for (const condition of ['"v1"', date])
      expect(plan("bytes=0-9", bare, condition)).toMatchObject({ send: "part" });
    expect(plan("bytes=0-9", bare, 'W/"v1"')).toEqual(otherVersion);
  });

  test("a 416 is passed on only if the request had a range", () => {
    expect(plan("bytes=500-", answered(416, { contentRange: "bytes */100" }))).toEqual({
      send: "unsatisfiable",
      size: 100,
    });
    expect(plan("bytes=500-", answered(416))).toEqual({ send: "unsatisfiable", size: undefined });
    expect(plan("bytes=500-", answered(416), '"v1"')).toMatchObject({ send: "unsatisfiable" });
    for (const other of ['"v0"', 'W/"v1"', "nonsense"])
      expect(plan("bytes=500-", answered(416), other)).toEqual({ send: "other version" });
    expect(plan("bytes=500-", answered(416, { tag: undefined }), '"v1"')).toMatchObject({
      send: "unsatisfiable",
    });
    expect(plan(undefined, answered(416))).toEqual(senseless);
    expect(plan(undefined, answered(204))).toEqual(senseless);
  });

  test("a planned range always lies within the file", () => {
    const header = fc.oneof(
      fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat(300).map((a) => `bytes=${a}-`),
      fc.nat(300).map((a) => `bytes=-${a}`),
      fc.string(),
    );
    fc.assert(
      fc.property(header, fc.nat(200), (range, length) => {
        const planned = plan(range, answered(200, { length }));
        if (planned.send !== "part") return;
        const { start, end } = planned.part;
        expect(0 <= start && start <= end && end < length && planned.skip === start).toBe(true);
      }),
    );
  });
});

test("only a valid Content-Range is read", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.option(fc.nat(), { nil: undefined }), (start, end, size) => {
      const isSound = start <= end && (size === undefined || end < size);
      const read = parseContentRange(`bytes ${start}-${end}/${size ?? "*"}`);
      expect(read).toEqual(isSound ? { start, end, size } : null);
    }),
  );
  expect(parseContentRange(`bytes 0-1/${"9".repeat(40)}`)).toBeNull();
});

describe("sliceBytes", () => {
  async function* chunksOf(bytes: Uint8Array, sizes: number[]) {
    let at = 0;
    for (const size of sizes) {
      yield bytes.subarray(at, at + size);
      at += size;
    }
    if (at < bytes.length) yield bytes.subarray(at);
  }
  const collect = async (body: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Readable.from(body).toArray());

  test("a slice is the same wherever the body is cut into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(9), { maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        async (bytes, sizes, a, b) => {
          const start = a % bytes.length;
          const length = 1 + (b % (bytes.length - start));
          const cut = await collect(sliceBytes(chunksOf(bytes, sizes), start, length));
          expect(cut.equals(bytes.subarray(start, start + length))).toBe(true);
        },
      ),
    );
  });

  test("a body that ends before the slice fails", async () => {
    await expect(collect(sliceBytes(chunksOf(new Uint8Array(9), []), 5, 5))).rejects.toThrow();
  });
});
