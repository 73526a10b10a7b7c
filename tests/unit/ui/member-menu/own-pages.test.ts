import { expect, test } from "vitest";
import { ownPages } from "#app/ui/member-menu/own-pages.ts";

const labelsFor = (facts: Partial<Parameters<typeof ownPages>[0]>) =>
  ownPages({ isOperator: false, isOneOfSeveral: false, makesWishes: false, ...facts }).map(
    ([, label]) => label,
  );

test("every member has their page, list, history and settings", () => {
  expect(labelsFor({})).toEqual(["My page", "My list", "History", "Settings"]);
});

test("wishes, other profiles and the administration are there for those who have them", () => {
  expect(labelsFor({ makesWishes: true })).toContain("Wishes");
  expect(labelsFor({ isOneOfSeveral: true })).toContain("Switch profile");
  expect(labelsFor({ isOperator: true })).toContain("Administration");
});
