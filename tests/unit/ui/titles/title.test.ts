import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slugOf, titlePath } from "#app/paths.ts";
import { displayTitle } from "#app/ui/titles/title.ts";

describe("a title's address", () => {
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

  test("without a slug it is the id alone", () => expect(titlePath(7, "?!")).toBe("/anime/7"));

  test("whatever the title, the address is one clean path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(titlePath(1, title)).toMatch(/^\/anime\/1(\/[\w.~%!*()'-]+)?$/);
        expect(slugOf(title).length).toBeLessThanOrEqual(80);
        expect(slugOf(slugOf(title))).toBe(slugOf(title));
      }),
    );
  });
});

test("a title without a name in the chosen language keeps its own", () => {
  const names = { title: "Sen to Chihiro", titleEnglish: "Spirited Away", titleJapanese: null };
  expect(displayTitle(names, "romaji")).toBe("Sen to Chihiro");
  expect(displayTitle(names, "english")).toBe("Spirited Away");
  expect(displayTitle(names, "japanese")).toBe("Sen to Chihiro");
  expect(displayTitle({ ...names, titleEnglish: " " }, "english")).toBe("Sen to Chihiro");
});
