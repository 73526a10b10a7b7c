import { expect, test } from "vitest";
import type { SourcedFields } from "#app/domain/catalog-import/records/title-fields.ts";
import { closedFields, shareableIds } from "#app/domain/catalog-sharing/shareable.ts";

const said = (source: SourcedFields["source"], fields: SourcedFields["fields"]) => ({ source, fields });

const nothing = {
  synopsis: null,
  background: null,
  bannerImage: null,
  imageUrl: null,
  imageWebp: null,
  imageSmallWebp: null,
  imageLargeWebp: null,
};

test("a text may be shared if a source that allows sharing has the same text", () => {
  const title = { ...nothing, synopsis: "One" };
  expect(closedFields(title, [said("jikan", { synopsis: "One" })])).toEqual({ synopsis: "jikan" });
  expect(
    closedFields(title, [said("jikan", { synopsis: "One" }), said("starter", { synopsis: "One" })]),
  ).toEqual({});
  expect(
    closedFields(title, [said("jikan", { synopsis: "One" }), said("starter", { synopsis: "Two" })]),
  ).toEqual({
    synopsis: "jikan",
  });
  expect(closedFields(title, [said("operator", { synopsis: "One" })])).toEqual({});
  expect(closedFields(title, []), "a title from before the records").toEqual({ synopsis: "before" });
});

test("the URL of a picture may be shared under the same rule as a text", () => {
  const title = { ...nothing, imageUrl: "https://cdn.example/1.jpg" };
  const { imageUrl } = title;
  expect(closedFields(title, [said("jikan", { imageUrl })])).toEqual({ imageUrl: "jikan" });
  expect(closedFields(title, [said("jikan", { imageUrl }), said("offline-database", { imageUrl })])).toEqual(
    {},
  );
});

test("ids that only a source without a license has are not shared", () => {
  const records = [
    said("anime-lists", { externalIds: ["anidb:1", "tvdb:2:1"] }),
    said("offline-database", { externalIds: ["anidb:1"] }),
  ];
  expect(shareableIds(["anidb:1", "tvdb:2:1", "kitsu:9"], records)).toEqual(["anidb:1", "kitsu:9"]);
});
