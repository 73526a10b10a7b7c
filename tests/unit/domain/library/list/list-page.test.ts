import { describe, expect, test } from "vitest";
import { maxEntriesPerEdit } from "#app/domain/library/list/entry.ts";
import { type ListOrder, listPageOf } from "#app/domain/library/list/list-page.ts";

const entry = (malId: number, fields: object = {}) => ({
  malId,
  name: `T${malId}`,
  episodes: 12 as number | null,
  type: "Watching" as "Watching" | "Completed",
  progress: 0,
  score: null as number | null,
  ...fields,
});
const idsIn = (order: ListOrder, entries: readonly ReturnType<typeof entry>[]) =>
  listPageOf(entries, { type: null, order, page: 1 }, ({ name }) => name).entries.map(({ malId }) => malId);

test("a page of one list status counts the entries of all statuses", () => {
  const entries = [entry(1), entry(2, { type: "Completed" }), entry(3)];
  const page = listPageOf(entries, { type: "Watching", order: "updated", page: 1 }, ({ name }) => name);
  expect(page.entries.map(({ malId }) => malId)).toEqual([1, 3]);
  expect(page.counts).toMatchObject({ Watching: 2, Completed: 1, "To Watch": 0 });
  expect(page.all).toBe(3);
});

describe("entries are ordered", () => {
  test("by the newest change, in the given order", () => {
    expect(idsIn("updated", [entry(3), entry(1), entry(2)])).toEqual([3, 1, 2]);
  });

  test("by the key of the name, equal keys in the given order", () => {
    expect(
      idsIn("title", [
        entry(1, { name: "b" }),
        entry(2, { name: "e" }),
        entry(4, { name: "a" }),
        entry(3, { name: "a" }),
      ]),
    ).toEqual([4, 3, 1, 2]);
  });

  test("by score: the best first, entries without a score last, equal scores in the given order", () => {
    const scores = [null, 5, 9, 5, 0];
    expect(
      idsIn(
        "score",
        scores.map((score, index) => entry(index, { score })),
      ),
    ).toEqual([2, 1, 3, 4, 0]);
  });

  test("by the watched part, where a started title of unknown length counts as half", () => {
    const entries = [
      entry(1, { progress: 3 }),
      entry(2, { progress: 40, episodes: null }),
      entry(3, { progress: 9 }),
      entry(4, { episodes: null }),
    ];
    expect(idsIn("progress", entries)).toEqual([3, 2, 1, 4]);
  });
});

test("a page past the end gives the last page", () => {
  const entries = Array.from({ length: maxEntriesPerEdit + 1 }, (_, index) => entry(index));
  const page = (number: number) =>
    listPageOf(entries, { type: null, order: "updated", page: number }, ({ name }) => name);
  expect([page(1).lastPage, page(1).entries.length]).toEqual([2, maxEntriesPerEdit]);
  expect([page(9).page, page(9).entries.map(({ malId }) => malId)]).toEqual([2, [maxEntriesPerEdit]]);
  expect(listPageOf([], { type: null, order: "title", page: 1 }, () => "")).toMatchObject({
    page: 1,
    lastPage: 1,
    entries: [],
  });
});
