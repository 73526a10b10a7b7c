import { expect, test } from "vitest";
import { jsonPieces } from "#app/platform/process/stored-rows.ts";

test("writes the JSON that JSON.stringify writes, with an array in place of rows", async () => {
  const day = new Date("2024-04-05T06:07:08Z");
  const value = { day, gone: undefined, none: null, list: [1, undefined, { gone: undefined, text: "a" }] };
  const rows = {
    count: 2,
    async *pieces() {
      yield [];
      yield [{ id: 1 }];
      yield [];
      yield [{ id: 2 }];
    },
  };
  const pieces: string[] = [];
  for await (const piece of jsonPieces({ ...value, rows, empty: [] })) pieces.push(piece);
  expect(pieces.join("")).toBe(JSON.stringify({ ...value, rows: [{ id: 1 }, { id: 2 }], empty: [] }));
});
