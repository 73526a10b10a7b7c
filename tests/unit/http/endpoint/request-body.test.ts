import { describe, expect, test } from "vitest";
import { readRequestBody } from "#app/http/endpoint/request-body.server.ts";

const read = (type: string, body: string | Uint8Array<ArrayBuffer>, limit = 20_000) =>
  readRequestBody(
    new Request("http://site.invalid", { method: "POST", body, headers: { "Content-Type": type } }),
    { limit, forms: true },
  );

const form = (boundary: string, ...parts: [head: string, value: string][]) =>
  `${parts.map(([head, value]) => `--${boundary}\r\n${head}\r\n\r\n${value}\r\n`).join("")}--${boundary}--\r\n`;
const part = (name: string, value: string): [string, string] => [
  `Content-Disposition: form-data; name=${name}`,
  value,
];

describe("a multipart form", () => {
  test.each([
    ["a browser's boundary", "----WebKitFormBoundaryq7Yw3Zk1pVb2nL5x", '"email"', ""],
    ["a boundary whose letters occur in a value", "example", '"email"', ""],
    ["a quoted boundary", "two words", '"email"', ""],
    ["a name without quotes, and a type", "b", "email", "\r\nContent-Type: text/plain; charset=utf-8"],
  ])("with %s is read", async (_, boundary, name, more) => {
    const [head, value] = part(name, "müde@example.org");
    const body = form(boundary, [head + more, value], part('"password"', "a=b&c"));
    expect(await read(`multipart/form-data; boundary="${boundary}"`, body)).toEqual({
      email: "müde@example.org",
      password: "a=b&c",
    });
  });

  test("with a repeated field and a file gives the first field and no file", async () => {
    const file = part('"email"; filename="e.txt"', "file@example.org");
    const body = form("b", file, part('"email"', "one"), part('"email"', "two"));
    expect(await read("multipart/form-data; boundary=b", body)).toEqual({ email: "one" });
  });

  test.each([
    ["without a boundary", "multipart/form-data", "--b--"],
    ["that is empty", "multipart/form-data; boundary=b", ""],
    ["that ends too early", "multipart/form-data; boundary=b", form("b", part("a", "1")).slice(0, -9)],
    ["that is something else", "multipart/form-data; boundary=b", "a=1"],
  ])("%s gets 400", async (_, type, body) => {
    await expect(read(type, body)).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ["a long part without a name", `--b\r\nX: y\r\n\r\n${"x".repeat(131_200)}\r\n`],
    ["no part", ""],
  ])("with %s, and more after its end, is read", async (_, parts) => {
    const body = `${parts}--b--\r\n${"x".repeat(400_000)}`;
    expect(await read("multipart/form-data; boundary=b", body, 1_000_000)).toEqual({});
  });

  test("with more parts than any form has gets 400, empty ones included", async () => {
    const most = form("b", ...Array.from({ length: 100 }, (_, at) => part(`f${at}`, "1")));
    expect(Object.keys((await read("multipart/form-data; boundary=b", most)) as object)).toHaveLength(100);
    const tooMany = form("b", part("a", "1")).replace("--b--", `${"--b\r\n".repeat(2000)}--b--`);
    await expect(read("multipart/form-data; boundary=b", tooMany)).rejects.toMatchObject({ status: 400 });
  });
});

test("an encoded form is decoded as UTF-8, with plus signs as spaces", async () => {
  const type = "application/x-www-form-urlencoded; charset=utf-8";
  expect(await read(type, "name=a+b%20%C3%BCü&name=later&empty=&%5B=%zz")).toEqual({
    name: "a b üü",
    empty: "",
    "[": "%zz",
  });
});

test("while an encoded form of megabytes is decoded, other work has its turns", async () => {
  let turns = 0;
  let isRead = false;
  const countTurn = () => {
    turns++;
    if (!isRead) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const [entries, notes] = ["[".repeat(1_000_000), "a".repeat(2_000_000)];
  const body = `entries=${"%5B".repeat(1_000_000)}&notes=${notes}`;
  const fields = await read("application/x-www-form-urlencoded", new TextEncoder().encode(body), body.length);
  isRead = true;
  expect(fields).toEqual({ entries, notes });
  expect(turns).toBeGreaterThan(10);
});

test("an encoded form has the fields that URLSearchParams finds, whatever it consists of", async () => {
  const parts = [
    "a",
    "4",
    "%41",
    "=",
    "&",
    "%",
    "+",
    "%zz",
    "%2",
    "%c3%BC",
    "%C3",
    "%EF%BB%BF",
    "%00",
    "%F0%9F%98%80",
  ];
  let seed = 1;
  const next = (count: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: 1 + next(9) }, () => parts[next(parts.length)]).join("");
    const expected: Record<string, string> = {};
    for (const [name, value] of new URLSearchParams(text)) expected[name] ??= value;
    expect(await read("application/x-www-form-urlencoded", text), text).toEqual(expected);
  }
});

test.each([
  ["a=&", { a: "" }],
  ["&", {}],
])("an encoded form with too many fields, each %s, gets 400", async (field, fields) => {
  const type = "application/x-www-form-urlencoded";
  expect(await read(type, field.repeat(3000))).toEqual(fields);
  await expect(read(type, field.repeat(5001))).rejects.toMatchObject({ status: 400 });
});
