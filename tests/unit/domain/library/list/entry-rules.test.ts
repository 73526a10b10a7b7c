import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ListEntry, newEntry } from "#app/domain/library/list/entry.ts";
import {
  applyFields,
  applyWatched,
  canComplete,
  type EntryEdit,
  startsWatching,
} from "#app/domain/library/list/entry-rules.ts";
import { isTicked, progressOf, type Ticks } from "#app/domain/library/list/ticks.ts";
import { entryStates, listStatuses, statusOfState } from "#db/schema/enumerations.ts";
import { someEntry } from "#tests/unit/domain/library/some-entry.ts";

const maxEpisode = 40;
const episode = fc.integer({ min: 1, max: maxEpisode });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const someFields: fc.Arbitrary<EntryEdit> = fc.oneof(
  fc.record({ progress: fc.integer({ min: 0, max: maxEpisode }) }),
  fc.record({ tick: episode }),
  fc.record({ untick: episode }),
  fc.record({
    type: maybe(fc.constantFrom(...listStatuses)),
    state: fc.option(fc.constantFrom(...entryStates, null), { nil: undefined }),
    rewatchProgress: maybe(episode),
  }),
);
const someEpisodes = fc.option(fc.integer({ min: 1, max: maxEpisode }));

/** The ticked episodes as a set, the simplest model to compare the rules with. */
const setOf = (ticks: Ticks) =>
  new Set(Array.from({ length: 200 }, (_, index) => index + 1).filter((number) => isTicked(ticks, number)));
const highestIn = (ticked: ReadonlySet<number>) => Math.max(0, ...ticked);

test("after any edits, progress is the highest ticked episode and exactly the expected episodes are ticked", () => {
  fc.assert(
    fc.property(
      someEntry,
      fc.array(someFields, { maxLength: 12 }),
      someEpisodes,
      (first, edits, episodes) => {
        let entry = first;
        let ticked = setOf(first.ticks);
        for (const fields of edits) {
          entry = applyFields(entry, fields, episodes);
          const { progress, tick, untick } = fields;
          if (progress !== undefined)
            ticked = new Set(Array.from({ length: progress }, (_, index) => index + 1));
          if (tick !== undefined) ticked.add(tick);
          if (untick !== undefined) ticked.delete(untick);
          expect(setOf(entry.ticks)).toEqual(ticked);
          expect(progressOf(entry.ticks)).toBe(highestIn(ticked));
        }
      },
    ),
  );
});

test("after any edits, the list status fits the state, and only a rewatch has progress of its own", () => {
  fc.assert(
    fc.property(
      someEntry,
      fc.array(someFields, { maxLength: 12 }),
      someEpisodes,
      (first, edits, episodes) => {
        const entry = edits.reduce((entry, fields) => applyFields(entry, fields, episodes), first);
        if (entry.state !== null) expect(entry.type).toBe(statusOfState[entry.state]);
        if (entry.state !== "rewatching") expect(entry.rewatchProgress).toBe(0);
      },
    ),
  );
});

test("watched episodes in any order lead to the same entry", () => {
  const runs = fc
    .array(episode, { minLength: 1, maxLength: 8 })
    .chain((watched) =>
      fc.tuple(fc.constant(watched), fc.shuffledSubarray(watched, { minLength: watched.length })),
    );
  fc.assert(
    fc.property(someEntry, runs, (entry, [watched, shuffled]) => {
      const after = (episodes: readonly number[]) =>
        episodes.reduce((own, number) => applyWatched(own, number, null), entry);
      expect(after(shuffled)).toEqual(after(watched));
    }),
  );
});

const entryWith = (fields: Partial<ListEntry>): ListEntry => ({
  ...newEntry,
  malId: 1,
  type: "Watching",
  ...fields,
});

test("progress set on a page that is behind keeps the episodes that were ticked elsewhere since", () => {
  const ahead = entryWith({ ticks: [[1, 6]] });
  const ticksAfter = (fields: EntryEdit) => applyFields(ahead, fields, null).ticks;
  expect(ticksAfter({ progress: 4, shownProgress: 3 })).toEqual([[1, 6]]);
  expect(ticksAfter({ progress: 2, shownProgress: 3 })).toEqual([
    [1, 2],
    [4, 6],
  ]);
  expect(ticksAfter({ progress: 5, shownProgress: 6 })).toEqual([[1, 5]]);
  expect(ticksAfter({ progress: 4 })).toEqual([[1, 4]]);
});

test("the episode of a rewatch set on a page that is behind does not go back behind one that was watched elsewhere", () => {
  const ahead = entryWith({ state: "rewatching", rewatchProgress: 6 });
  const episodeAfter = (fields: EntryEdit) => applyFields(ahead, fields, null).rewatchProgress;
  expect(episodeAfter({ rewatchProgress: 4, shownRewatchProgress: 3 })).toBe(6);
  expect(episodeAfter({ rewatchProgress: 7, shownRewatchProgress: 3 })).toBe(7);
  expect(episodeAfter({ rewatchProgress: 5, shownRewatchProgress: 6 })).toBe(5);
  expect(episodeAfter({ rewatchProgress: 4 })).toBe(4);
});

describe("a list status without a state", () => {
  test("ends the state, unless it belongs to that state", () => {
    const onHold = entryWith({ state: "on_hold" });
    expect(applyFields(onHold, { type: "Watching" }, null)).toEqual(onHold);
    expect(applyFields(onHold, { type: "Completed" }, null)).toMatchObject({
      type: "Completed",
      state: null,
    });
    expect(applyFields(onHold, { type: "Watching", state: null }, null)).toMatchObject({
      type: "Watching",
      state: null,
    });
    const dropped = entryWith({ type: "Collection", state: "dropped" });
    expect(applyFields(dropped, { type: "Collection" }, null)).toEqual(dropped);
    expect(applyFields(dropped, { type: "Watching" }, null)).toMatchObject({ type: "Watching", state: null });
  });
});

describe("a rewatch", () => {
  const first = {
    ticks: [[1, 12]] as const,
    score: 8,
    startedOn: "2020-01-02",
    finishedOn: "2020-03-04",
    rewatchCount: 1,
  };
  const rewatching = entryWith({ ...first, state: "rewatching", rewatchProgress: 3 });

  test("begins at zero and keeps progress, score and dates", () => {
    const completed = entryWith({ ...first, type: "Completed" });
    expect(applyFields(completed, { state: "rewatching" }, 12)).toEqual({
      ...rewatching,
      rewatchProgress: 0,
    });
  });

  test("continues by watching, and its last episode completes it and adds one to the count", () => {
    expect(applyWatched(rewatching, 4, 12)).toEqual({ ...rewatching, rewatchProgress: 4 });
    expect(applyWatched(rewatching, 2, 12)).toEqual(rewatching);
    const done = entryWith({ ...first, type: "Completed", rewatchCount: 2 });
    expect(applyWatched(rewatching, 12, 12)).toEqual(done);
    expect(applyFields(rewatching, { rewatchProgress: 12 }, 12)).toEqual(done);
  });

  test("leaves the title Completed when the member stops it", () => {
    expect(applyFields(rewatching, { state: null }, 12)).toEqual(entryWith({ ...first, type: "Completed" }));
  });

  test("never offers to complete the title, which is already completed", () => {
    expect(canComplete(rewatching, 12)).toBe(false);
    expect(canComplete(entryWith({ ticks: [[1, 12]] }), 12)).toBe(true);
  });
});

test("playing alone never changes a completed or dropped title", () => {
  for (const entry of [entryWith({ type: "Completed" }), entryWith({ type: "Collection", state: "dropped" })])
    expect(applyWatched(entry, 1, 12)).toEqual(entry);
});

test.each([
  [true, { tick: 2 }],
  [true, { progress: 4 }],
  [true, { tick: 2, type: "To Watch", state: null }],
  [false, { progress: 3 }],
  [false, { untick: 3 }],
  [false, { score: 8 }],
  [false, { tick: 2, type: "Collection" }],
  [false, { tick: 2, state: "dropped" }],
] as const)("it is %s that %j makes a To Watch title with three episodes seen Watching", (isStart, edit) => {
  const entry = { ...newEntry, malId: 1, ticks: [[1, 3]] } as const;
  expect(startsWatching({ ...entry, type: "To Watch" }, edit)).toBe(isStart);
  for (const type of ["Watching", "Completed", "Collection"] as const)
    expect(startsWatching({ ...entry, type }, edit)).toBe(false);
});
