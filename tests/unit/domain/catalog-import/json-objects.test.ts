import fc from "fast-check";
import { expect, test } from "vitest";
import { type FoundObject, findObjects } from "#app/domain/catalog-import/json-objects.ts";

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
async function find(text: string, size = 7) {
  const found: FoundObject[] = [];
  for await (const one of findObjects(inPieces(text, size))) found.push(one);
  return found;
}
const values = (found: FoundObject[]) => found.map((one) => ("value" in one ? one.value : one.trouble));

const records = [{ id: 1, text: 'a "quote", a } and a \\' }, { id: 2, list: [{ deep: [1] }] }, { id: 3 }];

test.each([
  ["JSON lines", records.map((one) => JSON.stringify(one)).join("\n")],
  [
    "JSON lines with a mark, blank lines and CRLF",
    `\uFEFF${records.map((one) => JSON.stringify(one)).join("\r\n\r\n")}\r\n`,
  ],
  ["an array", JSON.stringify(records)],
  ["an indented array", JSON.stringify(records, null, 2)],
  ["an object around an array", JSON.stringify({ license: { name: "x" }, data: records, last: [9] })],
  ["the same indented", JSON.stringify({ license: { data: [7] }, data: records }, null, 2)],
  ["pages on lines", records.map((one) => JSON.stringify({ data: [one] })).join("\n")],
])("the records are read from %s", async (_name, text) => {
  for (const size of [1, 7, 100_000]) expect(values(await find(text, size))).toEqual(records);
});

test("one object is found, plain or wrapped in data", async () => {
  expect(values(await find(JSON.stringify({ mal_id: 1 }, null, 1)))).toEqual([{ mal_id: 1 }]);
  expect(values(await find(JSON.stringify({ data: { mal_id: 1 } }, null, 1)))).toEqual([{ mal_id: 1 }]);
});

test("an invalid line is reported, and the lines after it are read", async () => {
  const found = await find('{"id":1}\n{"id":\n{"id":3}');
  expect(found).toEqual([
    { where: "line 1", value: { id: 1 } },
    { where: "line 2", trouble: "is not valid JSON" },
    { where: "line 3", value: { id: 3 } },
  ]);
  expect(values(await find('{"id":1,}\n{"id":2}'))).toEqual(["is not valid JSON", { id: 2 }]);
});

test.each(['{"id":1,"text":"cut sh', '{"id":1'])(
  "an incomplete first line (%s) is reported, and the lines after it are read",
  async (broken) => {
    const rest = '{"id":2}\n{"id":3}\n';
    expect(values(await find(`${broken}\n${rest}`))).toEqual(["is not valid JSON", { id: 2 }, { id: 3 }]);
  },
);

test("a document with a line that is valid JSON by itself is read as one document", async () => {
  for (const text of ['{"data":[\n{"id":2}\n]}', '{"a":1,"data":[{"id":1},\n{"id":2}\n]}'])
    expect(values(await find(text)).at(-1)).toEqual({ id: 2 });
});

test("an enormous line is reported once, and the lines after it are read", async () => {
  const piece = "x".repeat(64 * 1024);
  async function* endless() {
    yield '{"id":1}\n{"id":"';
    for (let at = 0; at < 4000; at++) yield piece;
    yield '"}\n{"id":3}';
  }
  const found: FoundObject[] = [];
  for await (const one of findObjects(endless())) found.push(one);
  expect(found).toEqual([
    { where: "line 1", value: { id: 1 } },
    { where: "line 2", trouble: "the line is too long" },
    { where: "line 3", value: { id: 3 } },
  ]);
});

test("an invalid element and an incomplete file are reported", async () => {
  expect(values(await find('[{"id":1},{id:2},{"id":3}]'))).toEqual([
    { id: 1 },
    "is not valid JSON",
    { id: 3 },
  ]);
  expect(values(await find('[{"id":1},{"id":'))).toEqual([{ id: 1 }, "the file ends in the middle"]);
});

test("text that is not JSON is reported line by line, and an empty file gives nothing", async () => {
  expect(values(await find("<html>\n</html>"))).toEqual(["is not valid JSON", "is not valid JSON"]);
  expect(await find("")).toEqual([]);
});

test("the same objects are read wherever the text is cut into pieces", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.integer({ min: 1, max: 20 }),
      async (objects, size) => {
        const plain = JSON.parse(JSON.stringify(objects.map((one) => ({ ...one, data: undefined }))));
        expect(values(await find(JSON.stringify(plain, null, 1), size))).toEqual(plain);
      },
    ),
    { numRuns: 200 },
  );
});
