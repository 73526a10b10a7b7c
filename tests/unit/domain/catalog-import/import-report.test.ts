import { expect, test } from "vitest";
import { importedText } from "#app/domain/catalog-import/import-report.ts";

const none = { added: 0, changed: 0, unchanged: 0 };

test("an import is described by what it brought, without counts of zero", () => {
  expect(importedText({ titles: { ...none, added: 2, changed: 1 }, details: none })).toBe(
    "titles: 2 new, 1 changed",
  );
  expect(importedText({ titles: { ...none, unchanged: 5 }, details: { ...none, added: 12 } })).toBe(
    "relations, episodes and videos: 12 new",
  );
  expect(importedText({ titles: { ...none, changed: 1 }, details: { ...none, added: 3, changed: 4 } })).toBe(
    "titles: 1 changed; relations, episodes and videos: 3 new, 4 changed",
  );
  expect(importedText({ titles: { ...none, unchanged: 5 }, details: none })).toBe("nothing new");
});
