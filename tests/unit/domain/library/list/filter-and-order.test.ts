import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  type ListFilters,
  type ListOrder,
  listChoicesOf,
  listPageOf,
} from "#app/domain/library/list/filter-and-order.ts";

const entry = (malId: number, fields: object = {}) => ({
  malId,
  name: `T${malId}`,
  episodes: 12 as number | null,
  type: "Watching" as const,
  state: null as "on_hold" | null,
  progress: 0,
  score: null as number | null,
  hasTag: false,
  startedOn: null as string | null,
  finishedOn: null as string | null,
  addedAt: new Date(malId),
  titleType: "TV",
  year: 2020,
  genres: [] as string[],
  titleScore: null as number | null,
  ...fields,
});
type Entry = ReturnType<typeof entry>;
const all: ListFilters = { status: null, format: null, genre: null, year: null, tag: null };
const names = { sortKeyOf: ({ name }: Entry) => name, isFound: () => true };
const pageOf = (entries: readonly Entry[], { order = "updated" as ListOrder, page = 1, ...filters }) =>
  listPageOf(entries, { filters: { ...all, ...filters }, order, page }, names);
const idsIn = async (order: ListOrder, entries: readonly Entry[]) =>
  (await pageOf(entries, { order })).entries.map(({ malId }) => malId);

test("a page has the entries that match every filter, and states the total number of entries", async () => {
  const entries = [
    entry(1, { state: "on_hold", hasTag: true }),
    entry(2, { type: "Completed", titleType: "Movie", year: 2001 }),
    entry(3, { genres: ["Drama"], hasTag: true }),
  ];
  const found = async (filters: Partial<ListFilters>) =>
    (await pageOf(entries, filters)).entries.map(({ malId }) => malId);
  expect(await found({ status: "Watching" })).toEqual([3]);
  expect(await found({ status: "on_hold" })).toEqual([1]);
  expect(await found({ format: "Movie" })).toEqual([2]);
  expect(await found({ year: 2020 })).toEqual([1, 3]);
  expect(await found({ genre: "Drama" })).toEqual([3]);
  expect(await found({ tag: "a" })).toEqual([1, 3]);
  expect(await found({ tag: "a", status: "Watching" })).toEqual([3]);
  expect(await pageOf(entries, { tag: "a" })).toMatchObject({ all: 3, found: 2 });
  const named = await listPageOf(
    entries,
    { filters: all, order: "updated", page: 1 },
    { ...names, isFound: ({ name }) => name === "T2" },
  );
  expect(named.entries.map(({ malId }) => malId)).toEqual([2]);
});

test("the choices of a list are the values of its entries, each with the number of entries", () => {
  const choices = listChoicesOf([
    entry(1, { state: "on_hold", genres: ["Drama", "Comedy"] }),
    entry(2, { year: null, genres: ["Drama"] }),
  ]);
  expect(Object.fromEntries(choices.statuses)).toEqual({ on_hold: 1, Watching: 1 });
  expect(Object.fromEntries(choices.genres)).toEqual({ Drama: 2, Comedy: 1 });
  expect(Object.fromEntries(choices.years)).toEqual({ 2020: 1 });
});

describe("entries are ordered", () => {
  test("by the newest change, in the given order", async () => {
    expect(await idsIn("updated", [entry(3), entry(1), entry(2)])).toEqual([3, 1, 2]);
  });

  test("by the key of the name, equal keys in the given order", async () => {
    expect(
      await idsIn("title", [
        entry(1, { name: "b" }),
        entry(2, { name: "e" }),
        entry(4, { name: "a" }),
        entry(3, { name: "a" }),
      ]),
    ).toEqual([4, 3, 1, 2]);
  });

  test("by score: the best first, entries without a score last, and equal scores in the given order", async () => {
    const scores = [null, 5, 9, 5, 0];
    expect(
      await idsIn(
        "score",
        scores.map((score, index) => entry(index, { score })),
      ),
    ).toEqual([2, 1, 3, 4, 0]);
  });

  test("by dates, the time of adding and the community score, the latest or best first and unknown ones last", async () => {
    const dated = [null, "2020-01-01", "2024-01-01"];
    for (const [order, field] of [
      ["started", "startedOn"],
      ["finished", "finishedOn"],
    ] as const)
      expect(
        await idsIn(
          order,
          dated.map((date, index) => entry(index, { [field]: date })),
        ),
      ).toEqual([2, 1, 0]);
    expect(await idsIn("added", [entry(1), entry(3), entry(2)])).toEqual([3, 2, 1]);
    expect(
      await idsIn("community", [entry(1), entry(2, { titleScore: 7 }), entry(3, { titleScore: 9 })]),
    ).toEqual([3, 2, 1]);
  });

  test("by the watched share, where a started title of unknown length counts as half", async () => {
    const entries = [
      entry(1, { progress: 3 }),
      entry(2, { progress: 40, episodes: null }),
      entry(3, { progress: 9 }),
      entry(4, { episodes: null }),
    ];
    expect(await idsIn("progress", entries)).toEqual([3, 2, 1, 4]);
  });
});

test("a page past the end gives the last page", async () => {
  const entries = Array.from({ length: 51 }, (_, index) => entry(index));
  const page = (number: number) => pageOf(entries, { page: number });
  const first = await page(1);
  expect([first.lastPage, first.entries.length]).toEqual([2, 50]);
  const last = await page(9);
  expect([last.page, last.entries.map(({ malId }) => malId)]).toEqual([2, [50]]);
  expect(await pageOf([], { order: "title" })).toMatchObject({
    page: 1,
    lastPage: 1,
    entries: [],
  });
});

test("the names of a long list are compared in pieces, so that other requests take their turn", async () => {
  const entries = Array.from({ length: 1200 }, (_, index) => entry(index));
  let compared = 0;
  const isFound = () => {
    compared++;
    return true;
  };
  const page = listPageOf(entries, { filters: all, order: "title", page: 1 }, { ...names, isFound });
  await nextTurn();
  expect(compared).toBeLessThan(1200);
  expect((await page).found).toBe(1200);
});
