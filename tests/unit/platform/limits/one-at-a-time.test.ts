import { expect, test } from "vitest";
import { oneAtATime } from "#app/platform/limits/one-at-a-time.ts";

test("calls during a run cause one more run after it, and a later call runs again", async () => {
  let end = () => {};
  let begun = 0;
  let running = 0;
  const run = oneAtATime(async () => {
    begun++;
    running++;
    expect(running).toBe(1);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    running--;
  });
  const first = run();
  for (let call = 0; call < 5; call++) void run();
  expect(begun).toBe(1);
  end();
  await expect.poll(() => begun).toBe(2);
  end();
  await first;
  expect(begun).toBe(2);
  void run();
  expect(begun).toBe(3);
});
