import { expect, test } from "vitest";
import { closedTexts, shareableIds } from "#app/domain/catalog/records/shareable.ts";
import type { SourcedFields } from "#app/domain/catalog/records/title-fields.ts";

const said = (source: SourcedFields["source"], fields: SourcedFields["fields"]) => ({ source, fields });

test("a text may be given away if a source that allows it says the same", () => {
  const title = { synopsis: "One", background: null };
  expect(closedTexts(title, [said("jikan", { synopsis: "One" })])).toEqual({ synopsis: "jikan" });
  expect(
    closedTexts(title, [said("jikan", { synopsis: "One" }), said("starter", { synopsis: "One" })]),
  ).toEqual({});
  expect(
    closedTexts(title, [said("jikan", { synopsis: "One" }), said("starter", { synopsis: "Two" })]),
  ).toEqual({
    synopsis: "jikan",
  });
  expect(closedTexts(title, [said("operator", { synopsis: "One" })])).toEqual({});
  expect(closedTexts(title, []), "a title from before the records").toEqual({ synopsis: "before" });
});

test("ids that only a source without a license names are not given away", () => {
  const records = [
    said("anime-lists", { externalIds: ["anidb:1", "tvdb:2:1"] }),
    said("offline-database", { externalIds: ["anidb:1"] }),
  ];
  expect(shareableIds(["anidb:1", "tvdb:2:1", "kitsu:9"], records)).toEqual(["anidb:1", "kitsu:9"]);
});
