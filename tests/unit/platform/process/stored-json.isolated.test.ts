import fc from "fast-check";
import { expect, test, vi } from "vitest";
import {
  measureStoredJson,
  OversizedJson,
  readStoredJson,
  StoredArray,
} from "#app/platform/process/stored-json.ts";
import { withScratchFile } from "#tests/support/data/read-list-text.ts";

const readSync = vi.hoisted(() => vi.fn());
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, readSync: readSync.mockImplementation(fs.readSync) };
});

/** Reads a text in the way in which long texts are read: all but the shortest values are read in parts. */
const read = (text: string, maxWhole = 24) =>
  withScratchFile((scratch) => {
    scratch.append("before");
    const begin = scratch.end;
    scratch.append(text);
    const region = { fd: scratch.fd, begin, end: scratch.end, maxWhole };
    scratch.append("behind");
    // Reads the value twice, because a stored array can be iterated more than once.
    const value = readStoredJson(region);
    expect(withArrays(value)).toEqual(withArrays(value));
    return withArrays(value);
  });

function withArrays(value: unknown): unknown {
  if (value instanceof StoredArray || Array.isArray(value)) return [...value].map(withArrays);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withArrays(one)]));
}

const outcomeOf = async (reading: Promise<unknown>) => {
  try {
    return { value: await reading };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof OversizedJson) return error.name;
    throw error;
  }
};
const parse = async (text: string) => withArrays(JSON.parse(text));

test("a JSON text is read as JSON.parse reads it, unless it has a string that is too long", async () => {
  const spaced = fc.constantFrom(undefined, 1, 3);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), spaced, async (value, spaces) => {
      const text = JSON.stringify(value, null, spaces);
      expect([await outcomeOf(parse(text)), "OversizedJson"]).toContainEqual(await outcomeOf(read(text)));
      expect(await read(text, 10_000)).toEqual(await parse(text));
    }),
    { numRuns: 300 },
  );
});

test("a text that JSON.parse refuses is refused", async () => {
  const long = JSON.stringify([[1, "a"], { b: [2, { c: null }], d: "e" }, -0.5, true, ["f", "g"], {}]);
  const edit = fc.record({
    at: fc.nat(long.length),
    cut: fc.nat(3),
    put: fc.constantFrom("", ",", ":", "]", "}", "[", "{", '"', "\\", "1", " ", "a", "tru", "\ufeff", "-"),
  });
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, cut, put }) => {
      const text = long.slice(0, at) + put + long.slice(at + cut);
      expect([await outcomeOf(parse(text)), "OversizedJson"]).toContainEqual(await outcomeOf(read(text, 12)));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["nothing", ""],
  ["spaces", "   "],
  ["two values", "[1] [2]"],
  ["a comma behind the last item", `[${"1,".repeat(30)}]`],
  ["a comma behind the last member", `{"a":[${"1,".repeat(30)}1],}`],
  ["an array that does not end", `[${"1,".repeat(30)}1`],
  ["brackets of two kinds", `[${"1,".repeat(30)}1}`],
  ["a name that is a number", `{"a":[${"1,".repeat(30)}1],1:1}`],
])("%s is refused as JSON", async (_, text) => {
  await expect(read(text)).rejects.toThrow(SyntaxError);
});

test("the last value of a repeated name counts, and __proto__ is an ordinary name", async () => {
  const filler = `"filler":[${"1,".repeat(30)}1]`;
  const value = await read(`{${filler},"a":1,"a":2,"__proto__":{"b":1}}`, 60);
  expect(Object.entries(value as object).slice(1)).toEqual([
    ["a", 2],
    ["__proto__", { b: 1 }],
  ]);
  expect(({} as { b?: number }).b).toBeUndefined();
});

test("a raw control character is a space", async () => {
  expect(await read('[\n\t"a\u0001b",\u000b1,2,3,4,5,6,7,8,9,10,11]')).toEqual([
    "a b",
    ...Array.from({ length: 11 }, (_, at) => at + 1),
  ]);
});

test.each([
  ["a string", `["${"a".repeat(50)}"]`],
  ["a number", `[${"1".repeat(50)}]`],
  ["a name", `{"${"a".repeat(50)}":1}`],
  ["members", `{${Array.from({ length: 20 }, (_, at) => `"a${at}":1`).join()}}`],
])("%s that exceeds the memory of one value is refused", async (_, text) => {
  await expect(read(text)).rejects.toThrow(OversizedJson);
});

test("many brackets around a long value do not cause as many searches for its end", async () => {
  const depth = 90;
  const items = Array.from({ length: 60 }, () => `"${"a".repeat(10_000)}"`);
  await withScratchFile((scratch) => {
    scratch.append(`[${"[".repeat(depth)}${items.join()}${"]".repeat(depth)}]`);
    readSync.mockClear();
    const region = { fd: scratch.fd, begin: 0, end: scratch.end, maxWhole: 500_000 };
    expect(readStoredJson(region)).toBeInstanceOf(StoredArray);
    // A search of the whole value takes eight reads.
    expect(readSync.mock.calls.length).toBeLessThan(4 * depth);
  });
});

test("short values are read whole wherever a search for the end of a long one gives up", async () => {
  const items = Array.from({ length: 300 }, (_, at) => ({ name: `"${at}`, tags: [["a"], "[\\"] }));
  for (let maxWhole = 60; maxWhole < 120; maxWhole++)
    await withScratchFile((scratch) => {
      scratch.append(JSON.stringify({ nested: [[items, items]] }));
      const value = readStoredJson({ fd: scratch.fd, begin: 0, end: scratch.end, maxWhole });
      const [[first, second]] = (value as { nested: [[unknown, unknown]] }).nested;
      for (const list of [first, second]) expect([...(list as unknown[])]).toEqual(items);
    });
});

test("values and their depth are counted, without the content of strings", async () => {
  const measure = (text: string) =>
    withScratchFile((scratch) => {
      scratch.append(text);
      return measureStoredJson({ fd: scratch.fd, begin: 0, end: scratch.end });
    });
  expect(await measure('{"a":[1,2,",[\\",\\\\"],"b":{}}')).toEqual({ values: 6, depth: 2 });
  expect(await measure('"never closed, [')).toEqual({ values: 0, depth: 0 });
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      expect((await measure(JSON.stringify(value))).depth).toBe(depthOf(value));
    }),
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
