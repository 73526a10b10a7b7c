import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import {
  formatVisitorCookie,
  parseVisitorCookie,
  titleLanguages,
  visitorCookie,
  visitorPreferencesOf,
} from "#app/domain/visitor/visitor.ts";

const anyVisitor: fc.Arbitrary<Preferences> = fc.record({
  accentColor: fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`),
  parentalControl: fc.boolean(),
  trackSearchHistory: fc.boolean(),
  listsWatched: fc.constant(true),
  scoreFormat: fc.constant("whole" as const),
  soundLanguage: fc.constant("original"),
  subtitleLanguages: fc.constant([]),
  plainSubtitles: fc.constant(false),
  timeZone: fc.option(
    fc.constantFrom("Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Tokyo", "Etc/GMT+5"),
  ),
  titleLanguage: fc.constantFrom(...titleLanguages),
});

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
    expect(parseVisitorCookie("enfasis=red&tz=Mars/Olympus&titles=klingon&parental_control=yes")).toEqual(
      defaultPreferences,
    );
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
