import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  defaultPreferences,
  type Preferences,
  themes,
  titleLanguages,
} from "#app/domain/accounts/accounts.ts";
import { visitorKeyOf } from "#app/domain/visitor/visitor.server.ts";
import {
  formatVisitorCookie,
  parseVisitorCookie,
  visitorCookie,
  visitorPreferencesOf,
} from "#app/domain/visitor/visitor.ts";

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
    titleLanguage: fc.constantFrom(...titleLanguages),
  })
  .map((chosen) => ({ ...defaultPreferences, ...chosen }));

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
    expect(parseVisitorCookie("")).toEqual(defaultPreferences);
    expect(
      parseVisitorCookie("enfasis=red&tz=Mars/Olympus&titles=klingon&theme=pink&parental_control=yes"),
    ).toEqual(defaultPreferences);
    expect(parseVisitorCookie("enfasis=%23FF0000&tz=../../etc&parental_control=false")).toEqual({
      ...defaultPreferences,
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

const keyOf = (fields: string) => visitorKeyOf(`other=1; visitor=${fields}`);

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

test("visitors whose cookies differ only in ignored fields have the same key", () => {
  const none = visitorKeyOf(undefined);
  for (const fields of ["tz=Nowhere%2FAtAll", "titles=klingon", "theme=pink", "more=1"])
    expect([fields, keyOf(fields)]).toEqual([fields, none]);
});

test.each(["parental_control=false", "enfasis=%23ff0000"])("a visitor with %s has no key", (fields) => {
  expect(keyOf(fields)).toBeNull();
});
