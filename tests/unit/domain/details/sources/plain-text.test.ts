import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine, plainText } from "#app/domain/details/sources/plain-text.ts";

test("markup becomes plain paragraphs", () => {
  expect(
    plainText("A <i>slow</i> day.<br><br>Then __rain__ &amp; [tea](https://example.org/a_b).\r\nThe *end*."),
  ).toBe("A slow day.\n\nThen rain & tea.\n\nThe end.");
});

test("a character reference that no page knows stays, also if it is named like a built-in property", () => {
  expect(plainText("&unknown; &constructor; &LT;")).toBe("&unknown; &constructor; <");
});

test("a name with underscores or a lone star stays", () => {
  expect(plainText("snake_case_name and 5 * 3 * 2")).toBe("snake_case_name and 5 * 3 * 2");
});

test("spoilers are cut, and an open one hides the rest", () => {
  expect(plainText("Before ~!he dies!~ after. ~!And then")).toBe("Before after.");
  expect(plainText("~!all of it")).toBeNull();
});

test("a long text ends with a whole word", () => {
  const text = plainText("word ".repeat(5000)) ?? "";
  expect(text.length).toBeLessThanOrEqual(8000);
  expect(text).toMatch(/word…$/);
});

test("no text leaves marks of spoilers, control characters, lone surrogates or more than 8,000 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const plain = plainText(`a ~!${text}!~`) ?? "";
      expect(plain.length).toBeLessThanOrEqual(8000);
      expect(plain.isWellFormed()).toBe(true);
      expect(plain.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      expect(oneLine(text, 20)?.length ?? 0).toBeLessThanOrEqual(20);
    }),
  );
});

test("a text that repeats the beginning of any markup becomes at most 8,000 characters", () => {
  for (const part of ["~!", "<", "[", "[a](", "*a", "_a ", "&#", "img(", "<br ", "# "])
    expect(plainText(part.repeat(200_000))?.length ?? 0).toBeLessThanOrEqual(8000);
});
