import fc from "fast-check";
import { expect, test } from "vitest";
import { storeList } from "#app/domain/library/files/store-list.ts";
import type { FileEntryWithName } from "#app/domain/library/list/entry.ts";
import { mergeRepeated } from "#app/domain/library/list/merge-entries.ts";
import { withScratchFile } from "#tests/support/data/read-list-text.ts";
import { someEntry } from "#tests/unit/domain/library/some-entry.ts";

const someFileEntry = fc.record({ entry: someEntry, malId: fc.integer({ min: 1, max: 6 }) }).map(
  ({ entry, malId }): FileEntryWithName => ({
    ...entry,
    malId,
    title: "T",
    addedAt: null,
    updatedAt: null,
  }),
);

test("a title that occurs several times in a file becomes one entry, at the position of the first", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someFileEntry, { maxLength: 12 }), async (entries) => {
      const stored = await withScratchFile((scratch) => {
        const list = storeList((taker) => {
          for (const entry of entries) taker.add(entry);
        }, scratch);
        return [...scratch.rowsOf(list.entries)];
      });
      const ids = [...new Set(entries.map(({ malId }) => malId))];
      expect(stored).toEqual(
        ids.map((id) => {
          const [first, ...further] = entries.filter(({ malId }) => malId === id);
          return mergeRepeated(first!, further);
        }),
      );
    }),
  );
});
