import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the server's largest files are ASCII, because V8 keeps a text with other characters in two bytes for each", () => {
  const texts = readdirSync("build/server")
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ name, text: readFileSync(`build/server/${name}`, "latin1") }))
    .filter(({ text }) => text.length > 500_000);
  expect(texts.length).toBeGreaterThan(0);
  for (const { name, text } of texts)
    expect(
      text.split("\n").filter((line) => /[^\n\r\t -~]/.test(line)),
      name,
    ).toEqual([]);
});
