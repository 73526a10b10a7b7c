import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import { visitorKeyOf } from "#app/domain/visitor/visitor.server.ts";
import {
  formatVisitorCookie,
  parseVisitorCookie,
  titleLanguageOf,
  visitorCookie,
  visitorPreferencesOf,
} from "#app/domain/visitor/visitor.ts";
import { themes, titleLanguageChoices } from "#db/schema/enumerations.ts";

/** The preferences that only members have keep their defaults. */
const anyVisitor: fc.Arbitrary<Preferences> = fc
  .record({
    accentColor: fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, "0")}`),
    theme: fc.constantFrom(...themes),
    parentalControl: fc.boolean(),
    trackSearchHistory: fc.boolean(),
    timeZone: fc.option(
      fc.constantFrom("Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Tokyo", "Etc/GMT+5"),
    ),
    titleLanguage: fc.constantFrom(...titleLanguageChoices),
  })
  .map((chosen) => ({ ...defaultPreferences, ...chosen }));

/** Cookies of older versions leave these out when they are dark and romaji, so an upgrade changes neither. */
const beforeChoice: Preferences = { ...defaultPreferences, theme: "dark", titleLanguage: "romaji" };

describe("the visitor's cookie", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(anyVisitor, (visitor) => {
        expect(parseVisitorCookie(formatVisitorCookie(visitor))).toEqual(visitor);
        const cookie = visitorCookie(visitor, true).split(";")[0];
        expect(visitorPreferencesOf(`other=1; ${cookie}; last=visitor=2`)).toEqual(visitor);
      }),
    );
  });

  test("contains only characters that a cookie may contain", () => {
    fc.assert(
      fc.property(anyVisitor, (visitor) => {
        expect(formatVisitorCookie(visitor)).toMatch(/^[\w.%&=+*-]*$/);
      }),
    );
  });

  test("an invalid field gets its default, and valid fields are kept", () => {
    expect(parseVisitorCookie("")).toEqual(beforeChoice);
    expect(
      parseVisitorCookie("enfasis=red&tz=Mars/Olympus&titles=klingon&theme=pink&parental_control=yes"),
    ).toEqual(beforeChoice);
    expect(parseVisitorCookie("enfasis=%23FF0000&tz=../../etc&parental_control=false")).toEqual({
      ...beforeChoice,
      accentColor: "#ff0000",
      parentalControl: false,
    });
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseVisitorCookie(text).trackSearchHistory).toBeTypeOf("boolean");
      }),
    );
  });

  test("parental control is on for every value other than false", () => {
    for (const value of ["true", "0", "", "False", "no"])
      expect(parseVisitorCookie(`parental_control=${value}`).parentalControl).toBe(true);
  });
});

const keyOf = (fields: string) => visitorKeyOf({ cookie: `other=1; visitor=${fields}` });

test("visitors who see different pages have different keys", () => {
  const cookies = [
    "",
    "tz=Asia%2FTokyo",
    "tz=Europe%2FMadrid",
    "titles=english",
    "theme=light",
    "theme=system",
    "trackSearchHistory=false",
  ];
  const keys = cookies.map(keyOf);
  expect(keys).not.toContain(null);
  expect(new Set(keys).size).toBe(cookies.length);
});

test("what the cookie's reader ignores does not divide visitors", () => {
  const none = keyOf("");
  for (const fields of ["tz=Nowhere%2FAtAll", "titles=klingon", "theme=pink", "more=1"])
    expect([fields, keyOf(fields)]).toEqual([fields, none]);
});

test.each(["parental_control=false", "enfasis=%23ff0000"])("a visitor with %s has no key", (fields) => {
  expect(keyOf(fields)).toBeNull();
});

test.each([
  [undefined, "romaji"],
  ["", "romaji"],
  ["en-US,en;q=0.9", "english"],
  ["de", "english"],
  ["*", "english"],
  ["ja", "japanese"],
  ["JA-JP,en;q=0.5", "japanese"],
  ["en;q=0.5, ja;q=0.8", "japanese"],
  ["ja;q=0.4,fr", "english"],
  ["jam", "english"],
  [";;;q=,,ja;q=x", "english"],
] as const)("a browser that asks for %s gets titles in %s", (header, language) => {
  expect(titleLanguageOf({ titleLanguage: "browser" }, header)).toBe(language);
  expect(titleLanguageOf({ titleLanguage: "romaji" }, header)).toBe("romaji");
});

test("the browser's languages divide only visitors who have not chosen one, by three values", () => {
  const headers = [undefined, "en", "ja", "de-AT,de;q=0.8", "x".repeat(5000)];
  const keysOf = (cookie?: string) =>
    new Set(headers.map((header) => visitorKeyOf({ cookie, "accept-language": header })));
  expect(keysOf().size).toBe(3);
  expect(keysOf("visitor=titles=browser&theme=system").size).toBe(3);
  expect(keysOf("visitor=titles=english").size).toBe(1);
});
