import { expect, test } from "vitest";
import { createByteBudget } from "#app/platform/limits/byte-budget.ts";

test("a client that holds its share is refused, another is not, and the bytes are returned when the work ends", async () => {
  const budget = createByteBudget({ total: 100, perClient: 50 });
  let end = () => {};
  const held = budget("203.0.113.1", (admit) => {
    expect([admit(30), admit(30), admit(20)]).toEqual([true, false, true]);
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  expect(await budget("203.0.113.1", async (admit) => admit(1))).toBe(false);
  expect(await budget("203.0.113.2", async (admit) => admit(50))).toBe(true);
  expect(budget.held()).toBe(50);
  end();
  await held;
  expect(budget.held()).toBe(0);
});
