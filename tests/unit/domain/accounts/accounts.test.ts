import { truncates } from "bcryptjs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findUsernameError,
  isEmail,
  listPasswordErrors,
  normalizeEmail,
  normalizePassword,
  normalizeUsername,
} from "#app/domain/accounts/accounts.ts";

describe("listPasswordErrors", () => {
  test.each(["Abc1!x", "Abcdefghij12345678!x", "ÄÖü aA1!x", "aA1!😀😀😀"])("%j is accepted", (password) =>
    expect(listPasswordErrors(password)).toEqual([]),
  );

  test.each([
    ["Ab1!x", "6 to 20 characters"],
    ["Abcdefghij123456789!x", "6 to 20 characters"],
    ["ABC123!", "a lowercase letter"],
    ["abc123!", "an uppercase letter"],
    ["Abcdef!", "a digit"],
    ["Abc1234", "one of ! @ # $ % ^ & *"],
    ["Abc123?", "one of ! @ # $ % ^ & *"],
  ])("%j is refused with %j", (password, error) => expect(listPasswordErrors(password)).toEqual([error]));

  test("a password that bcrypt would truncate is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 6, maxLength: 20 }), (text) => {
        const password = `${text}aA1!`;
        if (listPasswordErrors(password).length === 0)
          expect(truncates(normalizePassword(password))).toBe(false);
      }),
    );
    const widest = `aA1!${"😀".repeat(16)}`;
    expect(listPasswordErrors(widest)).toEqual([]);
    expect(truncates(widest)).toBe(false);
    expect(listPasswordErrors(`${widest}😀`)).toEqual(["6 to 20 characters"]);
  });
});

describe("emails", () => {
  test("different spellings of one email are normalized to the same text", () => {
    for (const typed of [
      " Mio@Example.org ",
      "mio@example.ORG",
      "ｍｉｏ＠ｅｘａｍｐｌｅ．ｏｒｇ",
      "\tmio@example.org\n",
    ])
      expect(normalizeEmail(typed)).toBe("mio@example.org");
  });

  test("normalizing twice gives the same as once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
        const once = normalizeEmail(text);
        expect(normalizeEmail(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(["a@b.co", "first.last+tag@sub.example.org", "o'hara@example.ie", "用户@例子.公司"])(
    "%j is accepted",
    (text) => expect(isEmail(normalizeEmail(text))).toBe(true),
  );

  test.each([
    "",
    "a",
    "a@b",
    "@b.co",
    "a@",
    "a@b..co",
    "a@.co",
    "a@-b.co",
    "a..b@c.co",
    ".a@c.co",
    "a b@c.co",
    "a@b c.co",
    "a@b.co\r\nBcc: x@y.zz",
    "a@b.co,c@d.co",
    "<a@b.co>",
    '"a"@b.co',
    `${"a".repeat(65)}@b.co`,
    `a@${"b.".repeat(130)}co`,
  ])("%j is refused", (text) => expect(isEmail(normalizeEmail(text))).toBe(false));
});

describe("usernames", () => {
  test("line breaks and extra spaces become single spaces", () =>
    expect(normalizeUsername("  Mio \n Ito ")).toBe("Mio Ito"));
  test.each(["Mio", "澪と律", "Jean-Luc O'Neil", "😀😀😀"])("%j is accepted", (name) =>
    expect(findUsernameError(name)).toBeNull(),
  );
  test.each([
    "ab",
    "澪律",
    "\u200b\u200b\u200b",
    "a\u200d\u200db",
    "\u3164\u3164\u3164",
    "\u2800\u2800\u2800",
    "x".repeat(65),
    "abc\u202edef",
    "abc\u0007",
  ])("%j is refused", (name) => expect(findUsernameError(name)).not.toBeNull());
});
