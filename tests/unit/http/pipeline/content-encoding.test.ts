import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  chooseEncoding,
  compressStream,
  isCompressible,
  matchesTag,
  routeTags,
  tagFor,
} from "#app/http/pipeline/content-encoding.server.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", undefined],
  ["gzip;q=0", undefined],
  ["x-br", undefined],
  [`${"x,".repeat(1000)}br`, undefined],
])("Accept-Encoding %j chooses %s", (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

test("text is compressible; media and event streams are not", () => {
  for (const type of ["text/html; charset=utf-8", "application/json", "image/svg+xml", "application/ld+json"])
    expect(isCompressible(type), type).toBe(true);
  for (const type of ["image/webp", "video/mp4", "video/mp2t", "text/event-stream", "font/woff2", null])
    expect(isCompressible(type), String(type)).toBe(false);
});

describe("tags", () => {
  test("each encoding has its own tag, and the route sees the tag without it", () => {
    expect(tagFor('"a"', undefined)).toBe('"a"');
    expect(tagFor('"a"', "br")).toBe('"a-br"');
    expect(routeTags('"a-br", "b", "c-gzip"')).toBe('"a", "b", "c"');
  });

  test("a tag matches in lists, weakly, and with *", () => {
    expect(matchesTag('"x", W/"a"', '"a"')).toBe(true);
    expect(matchesTag("*", '"a"')).toBe(true);
    expect(matchesTag('"a-br"', '"a"')).toBe(false);
    expect(matchesTag(undefined, '"a"')).toBe(false);
    expect(matchesTag(`${'"x",'.repeat(500)}"a"`, '"a"')).toBe(false);
  });
});

describe("compressStream", () => {
  const open = { br: createBrotliDecompress, gzip: createGunzip };

  test.each(["br", "gzip"] as const)(
    "%s: a written piece is sent before the rest arrives",
    async (encoding) => {
      const source = new Readable({ read() {} });
      const decoder = compressStream(source, encoding).pipe(open[encoding]());
      source.push("<p>first");
      const [first] = (await decoder.iterator({ destroyOnReturn: false }).next()).value
        .toString()
        .split("\0");
      expect(first).toBe("<p>first");
      source.push(" second");
      source.push(null);
      expect(await text(decoder)).toBe(" second");
    },
  );
});
