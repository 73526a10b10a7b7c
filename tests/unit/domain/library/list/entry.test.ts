import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isSameEntry,
  type ListEntry,
  mergeEntries,
  mergeRepeated,
  revertEntry,
} from "#app/domain/library/list/entry.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import { someEntry } from "../some-entry.ts";

const options = fc.record({ replaceScores: fc.boolean() });
const sameTitle = fc
  .tuple(someEntry, someEntry)
  .map(([own, imported]) => [own, { ...imported, malId: own.malId }] as const);

test("merging twice gives the same as once", () => {
  fc.assert(
    fc.property(sameTitle, options, ([own, imported], how) => {
      const once = mergeEntries(own, imported, how);
      expect(mergeEntries(once, imported, how)).toEqual(once);
    }),
  );
});

test("an import never lowers progress or status and keeps scores and notes", () => {
  fc.assert(
    fc.property(sameTitle, options, ([own, imported], how) => {
      const merged = mergeEntries(own, imported, how);
      expect(merged.progress).toBe(Math.max(own.progress, imported.progress));
      expect(listStatuses.indexOf(merged.type)).toBeGreaterThanOrEqual(listStatuses.indexOf(own.type));
      if (!how.replaceScores && own.score !== null) expect(merged.score).toBe(own.score);
      if (own.notes !== "") expect(merged.notes).toBe(own.notes);
    }),
  );
});

test("an imported score fills an empty one, and replaces another only with replaceScores", () => {
  const own: ListEntry = {
    malId: 1,
    type: "Watching",
    progress: 3,
    score: 7,
    notes: "",
    startedOn: null,
    finishedOn: null,
  };
  const imported = { ...own, score: 9 };
  expect(mergeEntries(own, imported, { replaceScores: false }).score).toBe(7);
  expect(mergeEntries(own, imported, { replaceScores: true }).score).toBe(9);
  expect(mergeEntries({ ...own, score: null }, imported, { replaceScores: false }).score).toBe(9);
  expect(mergeEntries(own, { ...imported, score: null }, { replaceScores: true }).score).toBe(7);
});

test("a title that is in a file twice is imported once", () => {
  fc.assert(
    fc.property(fc.array(someEntry), (entries) => {
      const joined = mergeRepeated(entries);
      expect(new Set(joined.map(({ malId }) => malId)).size).toBe(joined.length);
      expect(mergeRepeated(joined).every((entry, index) => isSameEntry(entry, joined[index]!))).toBe(true);
    }),
  );
});

test("undoing an import restores only the fields that it changed", () => {
  fc.assert(
    fc.property(sameTitle, options, someEntry, ([own, imported], how, since) => {
      const after = mergeEntries(own, imported, how);
      expect(revertEntry(after, own, after)).toEqual(own);
      expect(revertEntry(after, null, after)).toBeNull();
      const edited = { ...after, progress: after.progress + 1, notes: since.notes };
      const expected = { ...own, progress: edited.progress };
      expect(revertEntry(edited, own, after)).toEqual(
        since.notes === after.notes ? expected : { ...expected, notes: since.notes },
      );
      expect(revertEntry(edited, null, after)).toEqual(edited);
    }),
  );
});
