import { expect, test } from "vitest";
import { applyDiff, readDiff } from "#db/unified-diff.ts";

const numbered = (...lines: (number | string)[]) => `${lines.join("\n")}\n`;
const source = numbered(1, 2, 3, 4, 5, 6, 7, 8, 9);
const diff = (...hunks: string[]) =>
  ["Why this patch exists.", "", "--- a/x.js", "+++ b/x.js", ...hunks].join("\n");
const apply = (text: string, to = source) =>
  readDiff(text).reduce((before, file) => applyDiff(before, file), to);

test("hunks that fit are applied, even if one of them moves the lines of the next", () => {
  const text = diff(
    "@@ -1,3 +1,4 @@",
    " 1",
    "-2",
    "+two",
    "+and a half",
    " 3",
    "@@ -7,3 +8,2 @@",
    " 7",
    "-8",
    " 9",
    "",
  );
  expect(apply(text)).toBe(numbered(1, "two", "and a half", 3, 4, 5, 6, 7, 9));
});

test("a diff of two files gives each file its own hunks", () => {
  const text = `${diff("@@ -2 +2 @@", "-2", "+two")}\n--- a/src/y.js\n+++ b/src/y.js\n@@ -3 +3 @@\n-3\n+three\n`;
  expect(readDiff(text)).toEqual([
    { path: "x.js", hunks: [{ start: 2, before: ["2"], after: ["two"] }] },
    { path: "src/y.js", hunks: [{ start: 3, before: ["3"], after: ["three"] }] },
  ]);
});

test("an empty line of context fits with or without its leading space", () => {
  const hunk = ["@@ -1,3 +1,3 @@", "-1", "+one", " ", " 3"];
  const [withSpace, without] = [diff(...hunk), diff(...hunk).replace("\n \n", "\n\n")];
  expect(apply(withSpace, numbered(1, "", 3))).toBe(numbered("one", "", 3));
  expect(apply(without, numbered(1, "", 3))).toBe(numbered("one", "", 3));
});

test("a removed line that looks like a file header belongs to its hunk", () => {
  const text = diff("@@ -1,2 +1,1 @@", "--- a comment in SQL", " 2");
  expect(apply(text, numbered("-- a comment in SQL", 2))).toBe(numbered(2));
});

test.each([
  ["its context differs", ["@@ -1,3 +1,3 @@", " 1", "-2", "+two", " three"], 'line 3 of x.js is not "three"'],
  ["the line to remove differs", ["@@ -1,3 +1,3 @@", " 1", "-B", "+two", " 3"], 'line 2 of x.js is not "B"'],
  ["its line number is wrong", ["@@ -2,3 +2,3 @@", " 1", "-2", "+two", " 3"], 'line 2 of x.js is not "1"'],
  ["the file ends before it", ["@@ -9,3 +9,1 @@", " 9", "-", "-10"], 'line 11 of x.js is not "10"'],
  ["it names only lines to add", ["@@ -3,0 +4,1 @@", "+3.5"], "line 3 of x.js"],
])("a hunk does not fit when %s", (_, hunk, message) => {
  expect(() => apply(diff(...hunk))).toThrow(message);
});

test.each([
  [
    "has more lines than its header counts",
    ["@@ -1,1 +1,1 @@", "-1", "+one", "+and more"],
    "line 8 belongs to no hunk",
  ],
  [
    "has fewer lines than its header counts",
    ["@@ -1,3 +1,3 @@", "-1", "+one"],
    "line 8 ends a hunk too early",
  ],
  [
    "runs into the next hunk",
    ["@@ -1,2 +1,2 @@", "-1", "+one", "@@ -3 +3 @@"],
    "line 8 ends a hunk too early",
  ],
])("a patch is refused when a hunk %s", (_, hunk, message) => {
  expect(() => readDiff(diff(...hunk))).toThrow(message);
});
