import fc from "fast-check";
import { type EntryState, type ListEntry, newEntry } from "#app/domain/library/list/entry.ts";
import { cleanTags, entryFields } from "#app/domain/library/list/entry-fields.ts";
import { withFittingState } from "#app/domain/library/list/entry-rules.ts";
import { joinTicks, type Ticks } from "#app/domain/library/list/ticks.ts";
import { entryStates, listStatuses, statusOfState } from "#db/schema/enumerations.ts";

const day = fc
  .date({ min: new Date("1950-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const storable = (maxLength: number) =>
  fc.string({ unit: "grapheme", maxLength }).map((text) => text.replaceAll("\0", "").slice(0, maxLength));

const standing = fc.oneof(
  fc.constantFrom(...listStatuses).map((type) => ({ type, state: null })),
  fc.constantFrom(...entryStates).map((state: EntryState) => ({ type: statusOfState[state], state })),
);

export const someTicks: fc.Arbitrary<Ticks> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 9 })), { maxLength: 6 })
  .map((runs) => joinTicks(runs.map(([first, more]) => [first, first + more])));

const someTags = fc
  .array(
    storable(entryFields.tags.maxLength / 4).filter((tag) => tag.isWellFormed()),
    { maxLength: 5 },
  )
  .map(cleanTags);

/** Any entry that a list may hold. */
export const someEntry: fc.Arbitrary<ListEntry> = fc
  .record({
    malId: fc.integer({ min: 1, max: 60_000 }),
    standing,
    ticks: someTicks,
    rewatchCount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: entryFields.rewatchCount.max })),
    rewatchProgress: fc.integer({ min: 0, max: 2000 }),
    score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
    notes: storable(60),
    tags: someTags,
    startedOn: fc.option(day),
    finishedOn: fc.option(day),
  })
  .map(({ standing, ...fields }) => withFittingState({ ...newEntry, ...fields, ...standing }));
