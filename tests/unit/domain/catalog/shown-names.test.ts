import { expect, test } from "vitest";
import { displayTitle, episodeNameOf } from "#app/domain/catalog/catalog.ts";

test("a title without a name in the chosen language shows its main name", () => {
  const names = { title: "Sen to Chihiro", titleEnglish: "Spirited Away", titleJapanese: null };
  expect(displayTitle(names, "romaji")).toBe("Sen to Chihiro");
  expect(displayTitle(names, "english")).toBe("Spirited Away");
  expect(displayTitle(names, "japanese")).toBe("Sen to Chihiro");
  expect(displayTitle({ ...names, titleEnglish: " " }, "english")).toBe("Sen to Chihiro");
});

test.each(["Episode 5", " episode 05 ", "Ep. 5", "#5", "5"])(
  "the name %j of the fifth episode only repeats its number",
  (title) => expect(episodeNameOf({ number: 5, title })).toBeNull(),
);

test.each(["Episode 15", "Episode 5: Rain", "5 Days", "Five"])("the fifth episode may be named %j", (title) =>
  expect(episodeNameOf({ number: 5, title })).toBe(title),
);
