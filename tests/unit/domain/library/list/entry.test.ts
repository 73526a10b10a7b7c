import fc from "fast-check";
import { expect, test } from "vitest";
import { revertEntry } from "#app/domain/library/list/entry.ts";
import { withFittingState } from "#app/domain/library/list/entry-rules.ts";
import { mergeEntries } from "#app/domain/library/list/merge-entries.ts";
import { progressOf, tick } from "#app/domain/library/list/ticks.ts";
import { someEntry } from "#tests/unit/domain/library/some-entry.ts";

const options = fc.record({ replaceScores: fc.boolean() });
const sameTitle = fc
  .tuple(someEntry, someEntry)
  .map(([own, imported]) => [own, { ...imported, malId: own.malId }] as const);

test("undoing an import restores only the fields that it changed", () => {
  fc.assert(
    fc.property(sameTitle, options, someEntry, ([own, imported], how, since) => {
      const after = mergeEntries(own, imported, how);
      expect(revertEntry(after, own, after)).toEqual(own);
      expect(revertEntry(after, null, after)).toBeNull();
      const edited = { ...after, ticks: tick(after.ticks, progressOf(after.ticks) + 1), notes: since.notes };
      const expected = { ...own, ticks: edited.ticks };
      expect(revertEntry(edited, own, after)).toEqual(
        since.notes === after.notes ? expected : { ...expected, notes: since.notes },
      );
      expect(revertEntry(edited, null, after)).toEqual(edited);
    }),
  );
});

test("undoing an import keeps a list status that belongs to a state which the member has chosen since", () => {
  fc.assert(
    fc.property(sameTitle, someEntry, ([own, imported], { type, state, rewatchProgress }) => {
      const after = mergeEntries(own, imported, { replaceScores: false });
      const reverted = revertEntry({ ...after, type, state, rewatchProgress }, own, after);
      expect(withFittingState(reverted!)).toEqual(reverted);
    }),
  );
});
