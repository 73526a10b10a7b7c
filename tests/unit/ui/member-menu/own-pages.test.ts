import { expect, test } from "vitest";
import { ownPages } from "#app/ui/member-menu/own-pages.ts";

const labelsFor = (facts: Partial<Parameters<typeof ownPages>[0]>) =>
  ownPages({ isOperator: false, isOneOfSeveral: false, makesWishes: false, ...facts }).map(
    ([, label]) => label,
  );

test("the menu lists every member's own page, list, history and settings", () => {
  expect(labelsFor({})).toEqual(["My page", "My list", "History", "Settings"]);
});

test("the menu lists wishes, other profiles and the administration for members who have them", () => {
  expect(labelsFor({ makesWishes: true })).toContain("Wishes");
  expect(labelsFor({ isOneOfSeveral: true })).toContain("Switch profile");
  expect(labelsFor({ isOperator: true })).toContain("Administration");
});
