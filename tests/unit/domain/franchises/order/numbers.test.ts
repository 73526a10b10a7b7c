import { expect, test } from "vitest";
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
    ),
  ).toEqual([
    { id: null, takesIn: [] },
    { id: 7, takesIn: [] },
  ]);
});

test("franchises that join keep the number of most titles, and the others lead there", () => {
  const before = numbered({ 4: [1, 2], 9: [3, 4, 5], 11: [6, 7, 8] });
  expect(assignFranchiseNumbers([[1, 2, 3, 4, 5, 6, 7, 8]], before)).toEqual([{ id: 9, takesIn: [11, 4] }]);
});

test("new titles join without a number of their own, and unknown ones need a new one", () => {
  expect(
    assignFranchiseNumbers(
      [
        [1, 2, 3],
        [8, 9],
      ],
      numbered({ 5: [1, 2] }),
    ),
  ).toEqual([
    { id: 5, takesIn: [] },
    { id: null, takesIn: [] },
  ]);
});
