import { expect, test } from "vitest";
import { formatUserCode, parseUserCode, userCodeLetters } from "#app/domain/sign-in/devices/user-code.ts";

test("codes use twenty consonants, so that they spell no words and no two letters look alike", () => {
  expect(new Set(userCodeLetters).size).toBe(20);
  expect(userCodeLetters).not.toMatch(/[AEIOUY0-9]/);
});

test.each(["BCDF-GHJK", "bcdfghjk", " b c d f g h j k ", "BCDF–GHJK", "ＢＣＤＦ－ＧＨＪＫ"])(
  "%j is typed for BCDF-GHJK",
  (typed) => {
    expect(formatUserCode(parseUserCode(typed) ?? "")).toBe("BCDF-GHJK");
  },
);

test.each(["", "BCDF", "BCDFGHJKL", "ABCD-EFGH", "BCDF-GH1K", "BCDF_GHJK"])("%j is no code", (typed) => {
  expect(parseUserCode(typed)).toBeNull();
});
