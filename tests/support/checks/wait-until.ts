import { setTimeout as pause } from "node:timers/promises";

/** Waits until a number has stopped changing: how one sees that nobody pulls any more. */
export async function settled(read: () => number): Promise<number> {
  for (let last = Number.NaN, quiet = 0; ; ) {
    const now = read();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
    if (quiet === 10) return now;
    await pause(20);
  }
}

/** Waits until something holds. The test's own time-out is the limit. */
export async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await pause(5);
}
