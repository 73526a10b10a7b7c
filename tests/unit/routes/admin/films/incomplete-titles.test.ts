import { expect, test } from "vitest";
import { missingText } from "#app/routes/admin/films/incomplete-titles.tsx";

test.each([
  [[7], "7 of 12"],
  [[7, 9], "7 and 9 of 12"],
  [[1, 2], "1 and 2 of 12"],
  [[3, 7, 9, 10, 11], "3, 7 and 9 to 11 of 12"],
])("missing episodes %j read as %s", (missing, text) => {
  expect(missingText(missing, 12)).toBe(text);
});

test("for a title of unknown length, only the missing episodes are named", () => {
  expect(missingText([4, 5], null)).toBe("4 and 5");
});
