import fc from "fast-check";
import { expect, test } from "vitest";
import { franchiseMarks } from "#app/domain/franchises/franchises.ts";
import { findNextPart } from "#app/domain/franchises/next-part.ts";

const places = [
  { malId: 1, mark: "main" },
  { malId: 2, mark: "summary" },
  { malId: 3, mark: "main" },
  { malId: 4, mark: "movie" },
  { malId: 5, mark: "main" },
] as const;
const entry = (type: string, state: string | null = null) => ({ type, state });
const next = (...entries: [number, ReturnType<typeof entry>][]) => findNextPart(places, new Map(entries));

test.each([
  ["a newcomer begins with the first part", next(), 1],
  ["after the first part comes the second, not its summary", next([1, entry("Completed")]), 3],
  ["a summary on the list was asked for", next([1, entry("Completed")], [2, entry("To Watch")]), 2],
  ["a title in the middle goes on after itself", next([3, entry("Completed")]), 4],
  ["what is being watched comes before all others", next([1, entry("Watching")], [4, entry("Completed")]), 1],
  ["after the last part, the first one that is open", next([5, entry("Completed")]), 1],
  [
    "dropped titles and those on hold are passed over",
    next([1, entry("Completed")], [3, entry("Watching", "dropped")], [4, entry("Watching", "on_hold")]),
    5,
  ],
])("%s", (_, found, expected) => {
  expect(found).toBe(expected);
});

test("other versions come after the main line, unless the member follows them or has put them on the list", () => {
  const retold = [
    { malId: 1, mark: "alternative" },
    { malId: 2, mark: "alternative" },
    { malId: 3, mark: "main" },
    { malId: 4, mark: "alternative" },
    { malId: 5, mark: "main" },
  ] as const;
  const after = (completed: readonly number[], planned: readonly number[] = []) =>
    findNextPart(
      retold,
      new Map([
        ...completed.map((malId) => [malId, entry("Completed")] as const),
        ...planned.map((malId) => [malId, entry("To Watch")] as const),
      ]),
    );
  expect([after([]), after([1]), after([3]), after([3], [4]), after([3, 5]), after([1, 5])]).toEqual([
    3, 2, 5, 4, 1, 3,
  ]);
});

test("a part that another version told is passed over once that is completed, unless it is on the list", () => {
  const retold = [
    { malId: 1, mark: "main" },
    { malId: 2, mark: "alternative" },
    { malId: 3, mark: "main", toldBy: 2 },
    { malId: 4, mark: "main" },
  ] as const;
  const after = (...completed: number[]) =>
    findNextPart(retold, new Map(completed.map((malId) => [malId, entry("Completed")])));
  expect([after(1), after(1, 2), after(1, 2, 4)]).toEqual([3, 4, null]);
  const listed = new Map([
    [2, entry("Completed")],
    [3, entry("To Watch")],
  ]);
  expect(findNextPart(retold, listed)).toBe(3);
});

test("a part that has not aired comes only after all that have", () => {
  const announced = Date.now() + 86_400_000;
  const given = places.map((place) =>
    place.malId > 2 && place.malId < 5 ? { ...place, airsFrom: announced } : place,
  );
  const after = (...malIds: number[]) =>
    findNextPart(given, new Map(malIds.map((malId) => [malId, entry("Completed")])));
  expect([after(1), after(1, 5), after(5)]).toEqual([5, 3, 1]);
});

test("the next part is never completed, and there is one unless all that counts is completed or given up", () => {
  const anyPlaces = fc
    .array(fc.constantFrom(...franchiseMarks), { maxLength: 8 })
    .map((marks) => marks.map((mark, index) => ({ malId: index + 1, mark })));
  const anyEntries = fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 8 }),
      fc.record({
        type: fc.constantFrom("To Watch", "Watching", "Completed", "Collection"),
        state: fc.constantFrom(null, "on_hold", "dropped"),
      }),
    ),
  );
  fc.assert(
    fc.property(anyPlaces, anyEntries, (given, list) => {
      const entries = new Map(list);
      const found = findNextPart(given, entries);
      if (found !== null) expect(entries.get(found)?.type).not.toBe("Completed");
      const isUntouched = given.some(({ malId, mark }) => mark === "main" && !entries.has(malId));
      if (isUntouched) expect(found).not.toBeNull();
    }),
  );
});
