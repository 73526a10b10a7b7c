import { describe, expect, test } from "vitest";
import { assignFranchiseNumbers } from "#app/domain/franchises/order/numbers.ts";

const numbered = (entries: Record<number, number[]>) =>
  new Map(
    Object.entries(entries).flatMap(([number, malIds]) =>
      malIds.map((malId) => [malId, Number(number)] as const),
    ),
  );

test("a franchise that splits leaves its number to the larger part, or to the one with the lowest title", () => {
  const before = numbered({ 7: [1, 2, 3, 4, 5] });
  expect(
    assignFranchiseNumbers(
      [
        [1, 2],
        [3, 4, 5],
      ],
      before,
      [],
    ),
  ).toEqual([
    { id: null, takesIn: [] },
    { id: 7, takesIn: [] },
  ]);
  expect(
    assignFranchiseNumbers(
      [
        [3, 4],
        [1, 2],
      ],
      before,
      [],
    ),
  ).toEqual([
    { id: null, takesIn: [] },
    { id: 7, takesIn: [] },
  ]);
});

test("franchises that join keep the number of most titles, and the others lead there", () => {
  const before = numbered({ 4: [1, 2], 9: [3, 4, 5], 11: [6, 7, 8] });
  expect(assignFranchiseNumbers([[1, 2, 3, 4, 5, 6, 7, 8]], before, [])).toEqual([
    { id: 9, takesIn: [11, 4] },
  ]);
});

test("new titles join without a number of their own, and unknown ones need a new one", () => {
  expect(
    assignFranchiseNumbers(
      [
        [1, 2, 3],
        [8, 9],
      ],
      numbered({ 5: [1, 2] }),
      [],
    ),
  ).toEqual([
    { id: 5, takesIn: [] },
    { id: null, takesIn: [] },
  ]);
});

describe("a franchise that another one has taken in", () => {
  const before = numbered({ 4: [1, 2, 3, 4, 5] });
  const former = [{ fromId: 9, toId: 4, malIds: [1, 2, 3] }];
  const idsOf = (...franchises: number[][]) =>
    assignFranchiseNumbers(franchises, before, former).map(({ id }) => id);

  test("gets its number back when it separates, also if it is the larger part by now", () => {
    expect(idsOf([1, 2, 3], [4, 5])).toEqual([9, 4]);
    expect(idsOf([1, 2], [3, 4, 5])).toEqual([9, 4]);
  });

  test("stays there while most of it does, and a title that leaves gets a new number", () => {
    const stays = (franchises: number[][]) => assignFranchiseNumbers(franchises, before, former);
    expect(stays([[1, 2, 3, 4, 5]])).toEqual([{ id: 4, takesIn: [9] }]);
    expect(stays([[1], [2, 3, 4, 5]])).toEqual([
      { id: null, takesIn: [] },
      { id: 4, takesIn: [9] },
    ]);
    // The number that the franchise has does not change, however many of its titles leave.
    expect(stays([[1, 2, 3, 4], [5]])[0]).toEqual({ id: 4, takesIn: [9] });
  });

  test("leaves the number to what is left, if that is all", () => {
    expect(idsOf([1, 2], [3])).toEqual([4, null]);
  });

  test("gets the number back that it had last", () => {
    const three = [...former, { fromId: 11, toId: 4, malIds: [1] }];
    expect(
      assignFranchiseNumbers(
        [
          [1, 2, 3],
          [4, 5],
        ],
        before,
        three,
      ),
    ).toEqual([
      { id: 9, takesIn: [11] },
      { id: 4, takesIn: [] },
    ]);
    expect(assignFranchiseNumbers([[1], [2, 3], [4, 5]], before, three)).toEqual(
      [11, 9, 4].map((id) => ({ id, takesIn: [] })),
    );
  });

  test("keeps no claim on titles that have another number since", () => {
    const since = numbered({ 4: [4, 5], 6: [1, 2, 3] });
    expect(assignFranchiseNumbers([[1, 2], [3], [4, 5]], since, former).map(({ id }) => id)).toEqual([
      6,
      null,
      4,
    ]);
  });
});
