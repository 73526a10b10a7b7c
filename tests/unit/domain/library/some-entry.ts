import fc from "fast-check";
import type { ListEntry } from "#app/domain/library/list/entry.ts";
import { listStatuses } from "#db/schema/enumerations.ts";

const day = fc
  .date({ min: new Date("1950-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const storable = fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replaceAll("\0", ""));

/** Any entry that a list may hold. */
export const someEntry: fc.Arbitrary<ListEntry> = fc.record({
  malId: fc.integer({ min: 1, max: 60_000 }),
  type: fc.constantFrom(...listStatuses),
  progress: fc.integer({ min: 0, max: 2000 }),
  score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
  notes: storable,
  startedOn: fc.option(day),
  finishedOn: fc.option(day),
});
