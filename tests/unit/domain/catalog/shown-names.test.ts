import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayTitle } from "#app/domain/catalog/catalog.ts";
import { slugOf, titlePath } from "#app/paths.ts";

describe("the path of a title", () => {
  test.each([
    ["Cowboy Bebop", "cowboy-bebop"],
    ["Fullmetal Alchemist: Brotherhood", "fullmetal-alchemist-brotherhood"],
    ["Shōjo Kakumei Utena", "shojo-kakumei-utena"],
    ["K", "k"],
    ["Jojo's", "jojos"],
    ["はたらく細胞", "はたらく細胞"],
    ["ガンダム", "ガンダム"],
    ["!!!", ""],
  ])("%s → %s", (title, slug) => expect(slugOf(title)).toBe(slug));

  test("is the id alone if the slug is empty", () => expect(titlePath(7, "?!")).toBe("/anime/7"));

  test("is a clean path for any title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(titlePath(1, title)).toMatch(/^\/anime\/1(\/[\w.~%!*()'-]+)?$/);
        expect(slugOf(title).length).toBeLessThanOrEqual(80);
        expect(slugOf(slugOf(title))).toBe(slugOf(title));
      }),
    );
  });
});

test("a title without a name in the chosen language shows its main name", () => {
  const names = { title: "Sen to Chihiro", titleEnglish: "Spirited Away", titleJapanese: null };
  expect(displayTitle(names, "romaji")).toBe("Sen to Chihiro");
  expect(displayTitle(names, "english")).toBe("Spirited Away");
  expect(displayTitle(names, "japanese")).toBe("Sen to Chihiro");
  expect(displayTitle({ ...names, titleEnglish: " " }, "english")).toBe("Sen to Chihiro");
});
