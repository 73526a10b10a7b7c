import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ListEntry, newEntry } from "#app/domain/library/list/entry.ts";
import { entryFields } from "#app/domain/library/list/entry-fields.ts";
import { mergeEntries } from "#app/domain/library/list/merge-entries.ts";
import { progressOf, ticksUpTo } from "#app/domain/library/list/ticks.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import { someEntry } from "#tests/unit/domain/library/some-entry.ts";

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
      expect(progressOf(merged.ticks)).toBe(Math.max(progressOf(own.ticks), progressOf(imported.ticks)));
      expect(listStatuses.indexOf(merged.type)).toBeGreaterThanOrEqual(listStatuses.indexOf(own.type));
      if (!how.replaceScores && own.score !== null) expect(merged.score).toBe(own.score);
      if (own.notes !== "") expect(merged.notes).toBe(own.notes);
    }),
  );
});

test("an imported score fills an empty score, and replaces an existing one only with replaceScores", () => {
  const own: ListEntry = {
    ...newEntry,
    malId: 1,
    type: "Watching",
    ticks: ticksUpTo(3),
    score: 7,
  };
  const imported = { ...own, score: 9 };
  expect(mergeEntries(own, imported, { replaceScores: false }).score).toBe(7);
  expect(mergeEntries(own, imported, { replaceScores: true }).score).toBe(9);
  expect(mergeEntries({ ...own, score: null }, imported, { replaceScores: false }).score).toBe(9);
  expect(mergeEntries(own, { ...imported, score: null }, { replaceScores: true }).score).toBe(7);
});

describe("the state of an entry", () => {
  const entry = (fields: Partial<ListEntry>): ListEntry => ({
    ...newEntry,
    malId: 1,
    type: "Watching",
    ...fields,
  });
  const onHold = entry({ state: "on_hold" });
  const dropped = entry({ type: "Collection", state: "dropped" });
  const rewatching = entry({ state: "rewatching", rewatchProgress: 4 });
  const merged = (own: ListEntry, imported: ListEntry, isUntouched = false) =>
    mergeEntries(own, imported, { replaceScores: false, isUntouched });

  test("comes from the file if the member has not changed the entry since an earlier import", () => {
    for (const [own, imported] of [
      [entry({}), onHold],
      [entry({ type: "Collection" }), dropped],
      [entry({ type: "Completed" }), rewatching],
      [entry({}), rewatching],
    ] as const) {
      expect(merged(own, imported, true)).toMatchObject({ type: imported.type, state: imported.state });
      expect(merged(own, imported, true).rewatchProgress).toBe(imported.rewatchProgress);
      expect(merged(own, imported)).toMatchObject({ type: own.type, state: null });
    }
  });

  test("stays as the member has chosen it, but a title on hold or dropped can be imported as completed", () => {
    for (const own of [onHold, dropped, rewatching])
      for (const isUntouched of [true, false])
        expect(merged(own, entry({}), isUntouched)).toMatchObject({ type: own.type, state: own.state });
    const completed = entry({ type: "Completed" });
    for (const own of [onHold, dropped])
      expect(merged(own, completed)).toMatchObject({ type: "Completed", state: null });
    expect(merged(rewatching, completed)).toMatchObject({ state: "rewatching", rewatchProgress: 4 });
  });

  test("comes from the file if the file has a later list status", () => {
    expect(merged(entry({ type: "To Watch" }), dropped)).toMatchObject({
      type: "Collection",
      state: "dropped",
    });
    expect(merged(entry({ type: "Collection" }), onHold)).toMatchObject({
      type: "Watching",
      state: "on_hold",
    });
    expect(merged(entry({}), dropped)).toMatchObject({ type: "Watching", state: null });
  });
});

test("merging two entries with the maximum number of tags keeps the member's own tags", () => {
  const { maxTags } = entryFields.tags;
  const tags = (name: string) => Array.from({ length: maxTags }, (_, index) => `${name} ${index}`);
  const entry: ListEntry = { ...newEntry, malId: 1, type: "Watching" };
  const merged = mergeEntries(
    { ...entry, tags: tags("own") },
    { ...entry, tags: tags("imported") },
    { replaceScores: false },
  );
  expect(merged.tags).toEqual(tags("own"));
});
