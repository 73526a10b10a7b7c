import { expect, test } from "vitest";
import { readNames } from "#app/domain/names/name-list.ts";
import { wordKey } from "#app/domain/names/normalise.ts";

const known = ["Action", "Slice of Life", "Sci-Fi", "Bones", "Yamamura Animation, Inc.", "Comedy"];
const byKey = new Map(known.map((name) => [wordKey(name), name]));
const take = (value: string) => readNames(value, (key) => byKey.get(key));

test.each([
  ["Action", ["Action"]],
  ["action,comedy", ["Action", "Comedy"]],
  ["action_comedy", ["Action", "Comedy"]],
  ["slice_of_life", ["Slice of Life"]],
  ["action_slice_of_life_comedy", ["Action", "Slice of Life", "Comedy"]],
  ["sci fi, SLICE OF LIFE", ["Sci-Fi", "Slice of Life"]],
  ["Yamamura Animation, Inc.", ["Yamamura Animation, Inc."]],
  ["Bones,Yamamura Animation, Inc.,Action", ["Bones", "Yamamura Animation, Inc.", "Action"]],
  ["action,,", ["Action"]],
])("%s is read as the names %j", (value, found) => expect(take(value)).toEqual({ found, unknown: [] }));

test("an unknown name is listed as unknown", () => {
  expect(take("action,nonsense")).toEqual({ found: ["Action"], unknown: ["nonsense"] });
  expect(take("__proto__")).toEqual({ found: [], unknown: ["proto"] });
  expect(take("")).toEqual({ found: [], unknown: [] });
});

test("a list of thousands of names is read", () => {
  expect(take("x_,".repeat(3000)).unknown).toHaveLength(3000);
});

test("in a list that is separated only by commas, unknown names keep their underscores", () => {
  const find = (key: string) => byKey.get(key);
  expect(readNames("bones, Studio_4", find, [","])).toEqual({ found: ["Bones"], unknown: ["Studio_4"] });
});
